// Logistic regression with one intercept per group, non-centred.
data {
  int<lower=0> N;
  int<lower=1> J;
  array[N] int<lower=1, upper=J> g;
  array[N] int<lower=0, upper=1> y;
}
parameters {
  real mu;
  real<lower=0> tau;
  vector[J] z;
}
transformed parameters {
  vector[J] a = mu + tau * z;
}
model {
  mu ~ normal(0, 1.5);
  tau ~ lognormal(-0.3, 0.5);
  z ~ std_normal();
  y ~ bernoulli_logit(a[g]);
}
