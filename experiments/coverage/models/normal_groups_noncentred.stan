// Group means with a normal distribution, non-centred.
data {
  int<lower=0> N;
  int<lower=1> J;
  array[N] int<lower=1, upper=J> g;
  vector[N] y;
}
parameters {
  real mu;
  real<lower=0> tau;
  vector[J] z;
  real<lower=0> sigma;
}
transformed parameters {
  vector[J] a = mu + tau * z;
}
model {
  mu ~ normal(0, 2);
  tau ~ lognormal(0, 0.4);
  sigma ~ lognormal(0, 0.3);
  z ~ std_normal();
  y ~ normal(a[g], sigma);
}
