// Logistic regression with an intercept.
data {
  int<lower=0> N;
  int<lower=1> K;
  matrix[N, K] x;
  array[N] int<lower=0, upper=1> y;
}
parameters {
  real alpha;
  vector[K] w;
}
model {
  alpha ~ normal(0, 1);
  w ~ normal(0, 1);
  y ~ bernoulli_logit(alpha + x * w);
}
