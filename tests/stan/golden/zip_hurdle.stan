// records: N = 8
// data: y = count(5); x = normal()
data {
  int<lower=0> N;
  array[N] int<lower=0> y;
  vector[N] x;
}
parameters {
  real<lower=0, upper=1> theta;
  real<lower=0> lambda;
  real a;
  real b;
}
model {
  for (n in 1:N) {
    if (y[n] == 0) {
      target += log_sum_exp(log(theta), log1m(theta) + poisson_lpmf(y[n] | lambda));
    } else {
      target += log1m(theta) + poisson_lpmf(y[n] | lambda);
    }
    (y[n] == 0) ~ bernoulli(theta);
    if (y[n] > 0) y[n] ~ poisson(exp(a + b * x[n])) T[1, ];
  }
  a ~ normal(0, 1);
  b ~ std_normal();
}
