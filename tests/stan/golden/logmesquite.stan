// records: N = 8
// data: weight = positive(); diam1 = positive(); canopy_height = positive(); group = binary()
data {
  int<lower=0> N;
  vector[N] weight;
  vector[N] diam1;
  vector[N] canopy_height;
  vector[N] group;
}
transformed data {
  vector[N] log_weight;
  vector[N] log_canopy_volume = log(diam1 .* diam1 .* canopy_height);
  log_weight = log(weight);
}
parameters {
  vector[3] beta;
  real<lower=0> sigma;
}
model {
  log_weight ~ normal(beta[1] + beta[2] * log_canopy_volume + beta[3] * group, sigma);
}
