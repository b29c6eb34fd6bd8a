// One intercept and one slope per group, centred.
data {
  int<lower=0> N;
  int<lower=1> J;
  array[N] int<lower=1, upper=J> g;
  vector[N] x;
  vector[N] y;
}
parameters {
  real mu_a;
  real mu_b;
  real<lower=0> tau_a;
  real<lower=0> tau_b;
  vector[J] a;
  vector[J] b;
  real<lower=0> sigma;
}
model {
  mu_a ~ normal(0, 2);
  mu_b ~ normal(0, 1);
  tau_a ~ lognormal(0, 0.4);
  tau_b ~ lognormal(-0.5, 0.4);
  sigma ~ lognormal(0, 0.3);
  a ~ normal(mu_a, tau_a);
  b ~ normal(mu_b, tau_b);
  y ~ normal(a[g] + b[g] .* x, sigma);
}
