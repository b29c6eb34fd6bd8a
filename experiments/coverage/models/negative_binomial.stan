// Negative binomial regression with unknown dispersion.
data {
  int<lower=0> N;
  int<lower=0> D;
  matrix[N, D] x;
  array[N] int<lower=0> y;
}
parameters {
  real alpha;
  vector[D] beta;
  real<lower=0> phi;
}
model {
  alpha ~ normal(0, 1);
  beta ~ normal(0, 0.3);
  phi ~ lognormal(1, 0.5);
  y ~ neg_binomial_2_log(alpha + x * beta, phi);
}
