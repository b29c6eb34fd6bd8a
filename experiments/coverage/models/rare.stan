// Logistic regression with a wide prior for the intercept, for rare outcomes.
data {
  int<lower=0> N;
  int<lower=0> D;
  matrix[N, D] x;
  array[N] int<lower=0, upper=1> y;
}
parameters {
  real alpha;
  vector[D] beta;
}
model {
  alpha ~ normal(0, 5);
  beta ~ normal(0, 0.5);
  y ~ bernoulli_logit(alpha + x * beta);
}
