// records: N = 8
// data: J = 4; county_idx = index(4); floor_measure = binary(); log_radon = normal()
data {
  int<lower=0> N;  // number of houses
  int<lower=0> J;  // number of counties
  array[N] int<lower=1, upper=J> county_idx;
  vector[N] floor_measure;
  vector[N] log_radon;
}
parameters {
  vector[J] alpha_raw;
  vector[J] beta_raw;
  real mu_alpha;
  real mu_beta;
  real<lower=0> sigma_y;
  real<lower=0> sigma_alpha;
  real<lower=0> sigma_beta;
}
transformed parameters {
  vector[J] alpha;
  vector[J] beta;
  alpha = mu_alpha + sigma_alpha * alpha_raw;
  beta = mu_beta + sigma_beta * beta_raw;
}
model {
  vector[N] mu;
  sigma_y ~ normal(0, 1);
  sigma_beta ~ normal(0, 1);
  sigma_alpha ~ normal(0, 1);
  mu_alpha ~ normal(0, 10);
  mu_beta ~ normal(0, 10);
  alpha_raw ~ normal(0, 1);
  beta_raw ~ normal(0, 1);
  for (n in 1:N) {
    mu[n] = alpha[county_idx[n]] + floor_measure[n] * beta[county_idx[n]];
    target += normal_lpdf(log_radon[n] | mu[n], sigma_y);
  }
}
