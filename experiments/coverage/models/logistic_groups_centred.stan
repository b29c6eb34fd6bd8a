// Logistic regression with one intercept per group, centred.
data {
  int<lower=0> N;
  int<lower=1> J;
  array[N] int<lower=1, upper=J> g;
  array[N] int<lower=0, upper=1> y;
}
parameters {
  real mu;
  real<lower=0> tau;
  vector[J] a;
}
model {
  mu ~ normal(0, 1.5);
  tau ~ lognormal(-0.3, 0.5);
  a ~ normal(mu, tau);
  y ~ bernoulli_logit(a[g]);
}
