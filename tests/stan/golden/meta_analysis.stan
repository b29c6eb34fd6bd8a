// records: J = 8
// data: r_t = count(5); n_t = integers(6, 12); r_c = integers(1, 5); n_c = integers(7, 11)
data {
  int<lower=0> J;
  array[J] int<lower=0> n_t;
  array[J] int<lower=0> r_t;
  array[J] int<lower=0> n_c;
  array[J] int<lower=0> r_c;
}
transformed data {
  array[J] real y;
  array[J] real<lower=0> sigma;
  for (j in 1:J) {
    y[j] = log(r_t[j] + 0.5) - log(n_t[j] - r_t[j] + 0.5) - (log(r_c[j] + 0.5) - log(n_c[j] - r_c[j] + 0.5));
  }
  for (j in 1:J)
    sigma[j] = sqrt(1 / (r_t[j] + 0.5) + 1 / (n_t[j] - r_t[j] + 0.5) + 1 / (r_c[j] + 0.5) + 1 / (n_c[j] - r_c[j] + 0.5));
}
parameters {
  real mu;
  real<lower=0> tau;
}
model {
  for (j in 1:J) y[j] ~ normal(mu, sqrt(square(sigma[j]) + square(tau)));
  mu ~ normal(0, 5);
  tau ~ cauchy(0, 2);
}
