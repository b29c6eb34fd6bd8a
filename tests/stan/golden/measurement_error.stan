// records: N = 8
// data: y = normal(); x_meas = normal(); tau = positive()
data {
  int<lower=0> N;
  array[N] real y;
  array[N] real x_meas;
  array[N] real<lower=0> tau;
}
parameters {
  real mu_x;
  real<lower=0> sigma_x;
  real alpha;
  real beta;
  real<lower=0> sigma;
}
model {
  // latent x integrated out
  for (n in 1:N) {
    matrix[2, 2] S;
    vector[2] m;
    S[1, 1] = square(sigma_x) + square(tau[n]);
    S[1, 2] = beta * square(sigma_x);
    S[2, 1] = S[1, 2];
    S[2, 2] = square(beta) * square(sigma_x) + square(sigma);
    m[1] = mu_x;
    m[2] = alpha + beta * mu_x;
    [x_meas[n], y[n]] ~ multi_normal(m, S);
  }
  mu_x ~ normal(0, 10);
  sigma_x ~ cauchy(0, 5);
  alpha ~ normal(0, 10);
  beta ~ normal(0, 10);
  sigma ~ cauchy(0, 5);
}
