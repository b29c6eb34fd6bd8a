// records: N = 8
// data: K = 2; t = positive(10); event = binary(); x = rows(2)
data {
  int<lower=0> N;
  int<lower=0> K;
  vector<lower=0>[N] t;
  array[N] int<lower=0, upper=1> event;
  matrix[N, K] x;
}
parameters {
  vector[K] beta;
  real<lower=0> alpha;
  real mu;
}
model {
  vector[N] eta = mu + x * beta;
  beta ~ normal(0, 2);
  alpha ~ gamma(1, 0.001);
  mu ~ normal(0, 10);
  for (n in 1:N) {
    if (event[n] == 1)
      target += weibull_lpdf(t[n] | alpha, exp(-eta[n] / alpha));
    else
      target += weibull_lccdf(t[n] | alpha, exp(-eta[n] / alpha));
  }
}
