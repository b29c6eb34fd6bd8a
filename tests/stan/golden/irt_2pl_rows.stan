// records: I = 6
// data: J = 3; y = ints(0, 1, 3)
data {
  int<lower=0> I;
  int<lower=0> J;
  array[I, J] int<lower=0, upper=1> y;
}
parameters {
  real<lower=0> sigma_theta;
  vector[J] theta;
  real<lower=0> sigma_a;
  real<lower=0> a;
  real mu_b;
}
model {
  sigma_theta ~ cauchy(0, 2);
  theta ~ normal(0, sigma_theta);
  sigma_a ~ cauchy(0, 2);
  a ~ lognormal(0, sigma_a);
  mu_b ~ normal(0, 5);
  for (i in 1:I) {
    y[i] ~ bernoulli_logit(a * (theta - mu_b));
  }
}
