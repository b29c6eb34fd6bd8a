// Logistic regression as the paper's text has it: without intercept.
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
  y ~ bernoulli_logit(x * w);
}
