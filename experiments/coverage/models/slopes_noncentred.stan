// One intercept and one slope per group, non-centred.
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
  vector[J] z_a;
  vector[J] z_b;
  real<lower=0> sigma;
}
transformed parameters {
  vector[J] a = mu_a + tau_a * z_a;
  vector[J] b = mu_b + tau_b * z_b;
}
model {
  mu_a ~ normal(0, 2);
  mu_b ~ normal(0, 1);
  tau_a ~ lognormal(0, 0.4);
  tau_b ~ lognormal(-0.5, 0.4);
  sigma ~ lognormal(0, 0.3);
  z_a ~ std_normal();
  z_b ~ std_normal();
  y ~ normal(a[g] + b[g] .* x, sigma);
}
