// records: R = 6
// data: T = 3; y = ints(0, 4, 3); K = 9
data {
  int<lower=0> R;
  int<lower=0> T;
  array[R, T] int<lower=0, upper=4> y;
  int K;
}
transformed data {
  array[R] int<lower=0> max_y;
  for (i in 1:R) max_y[i] = max(y[i]);
}
parameters {
  real<lower=0> lambda;
  real<lower=0, upper=1> p;
}
model {
  lambda ~ cauchy(0, 10);
  for (i in 1:R) {
    vector[K - max_y[i] + 1] lp;
    for (j in 1:(K - max_y[i] + 1)) lp[j] = poisson_lpmf(max_y[i] + j - 1 | lambda) + binomial_lpmf(y[i] | max_y[i] + j - 1, p);
    target += log_sum_exp(lp);
  }
}
