// records: N = 8
// data: y = normal(); cens = integers(-1, 2); rcens = normal(3, 0.3); prior_only = pub(0)
data {
  int N;
  vector[N] y;
  array[N] int<lower=-1,upper=2> cens;
  vector[N] rcens;
  int prior_only;
}
parameters {
  real mu;
  real<lower=0> sigma;
  real<lower=1> nu;
}
model {
  if (!prior_only) {
    for (n in 1:N) {
      if (cens[n] == 0) {
        target += student_t_lpdf(y[n] | nu, mu, sigma);
      } else if (cens[n] == 1) {
        target += student_t_lccdf(y[n] | nu, mu, sigma);
      } else if (cens[n] == -1) {
        target += student_t_lcdf(y[n] | nu, mu, sigma);
      } else if (cens[n] == 2) {
        target += log_diff_exp(student_t_lcdf(rcens[n] | nu, mu, sigma), student_t_lcdf(y[n] | nu, mu, sigma));
      }
    }
  }
  target += gamma_lpdf(nu | 2, 0.1) - 1 * gamma_lccdf(1 | 2, 0.1);
}
