// Linear regression with unknown residual standard deviation.
data {
  int<lower=0> N;
  int<lower=0> D;
  matrix[N, D] x;
  vector[N] y;
}
parameters {
  real alpha;
  vector[D] beta;
  real<lower=0> sigma;
}
model {
  alpha ~ normal(0, 1);
  beta ~ normal(0, 1);
  sigma ~ lognormal(0, 0.3);
  y ~ normal(alpha + x * beta, sigma);
}
