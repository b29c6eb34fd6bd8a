// records: N = 8
// data: p = 3; Y = normal(); x = rows(3)
data {
  int<lower=0> N;
  int<lower=0> p;
  array[N] real Y;
  matrix[N, p] x;
}
transformed data {
  matrix[N, p] z;
  row_vector[p] mean_x;
  array[p] real sd_x;
  real d;
  for (j in 1:p) {
    mean_x[j] = mean(col(x, j));
    sd_x[j] = sd(col(x, j));
    for (i in 1:N) z[i, j] = (x[i, j] - mean_x[j]) / sd_x[j];
  }
}
parameters {
  real beta0;
  vector[p] beta;
  real<lower=0> sigmasq;
}
transformed parameters {
  real<lower=0> sigma;
  vector[N] mu;
  sigma = 2 * sigmasq;
  mu = beta0 + z * beta;
}
model {
  beta0 ~ normal(0, 316);
  sigmasq ~ inv_gamma(.001, .001);
  for (n in 1:N) Y[n] ~ double_exponential(mu[n], sigma);
}
