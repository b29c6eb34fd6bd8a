// Logistic regression without intercept, the prior in equal shares with the records.
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
    y[n] ~ bernoulli_logit(x[n] * w);
  }
}
