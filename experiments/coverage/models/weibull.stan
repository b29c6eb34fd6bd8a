// Weibull regression; the censoring time of every record is known.
data {
  int<lower=0> N;
  int<lower=0> D;
  matrix[N, D] x;
  vector<lower=0>[N] time;
  vector<lower=0>[N] limit;
}
parameters {
  real alpha;
  vector[D] beta;
  real<lower=0> shape;
}
model {
  vector[N] scale = exp(alpha + x * beta);
  alpha ~ normal(0, 1);
  beta ~ normal(0, 0.5);
  shape ~ lognormal(0, 0.3);
  for (n in 1:N) {
    if (time[n] < limit[n])
      time[n] ~ weibull(shape, scale[n]);
    else
      target += weibull_lccdf(limit[n] | shape, scale[n]);
  }
}
