// Ordered logistic regression with four categories.
data {
  int<lower=0> N;
  int<lower=0> D;
  matrix[N, D] x;
  array[N] int<lower=1, upper=4> y;
}
parameters {
  vector[D] beta;
  ordered[3] c;
}
model {
  beta ~ normal(0, 1);
  c ~ normal(0, 2);
  y ~ ordered_logistic(x * beta, c);
}
