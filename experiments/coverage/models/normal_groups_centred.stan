// Group means with a normal distribution, centred.
data {
  int<lower=0> N;
  int<lower=1> J;
  array[N] int<lower=1, upper=J> g;
  vector[N] y;
}
parameters {
  real mu;
  real<lower=0> tau;
  vector[J] a;
  real<lower=0> sigma;
}
model {
  mu ~ normal(0, 2);
  tau ~ lognormal(0, 0.4);
  sigma ~ lognormal(0, 0.3);
  a ~ normal(mu, tau);
  y ~ normal(a[g], sigma);
}
