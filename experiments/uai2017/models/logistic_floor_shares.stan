// Logistic regression of the code behind the paper: without intercept, probabilities kept away from
// 0 and 1, and the prior in equal shares with the records, so that it is clipped together with them.
data {
  int<lower=0> N;
  int<lower=1> K;
  int<lower=1> training_rows;
  matrix[N, K] x;
  array[N] int<lower=0, upper=1> y;
}
parameters {
  vector[K] w;
}
model {
  for (n in 1:N) {
    target += std_normal_lpdf(w) / training_rows;
    y[n] ~ bernoulli(1e-6 + (1 - 2e-6) * inv_logit(x[n] * w));
  }
}
