// Logistic regression of the code behind the paper: without intercept, probabilities kept away from
// 0 and 1.
data {
  int<lower=0> N;
  int<lower=1> K;
  matrix[N, K] x;
  array[N] int<lower=0, upper=1> y;
}
parameters {
  vector[K] w;
}
model {
  w ~ normal(0, 1);
  y ~ bernoulli(1e-6 + (1 - 2e-6) * inv_logit(x * w));
}
