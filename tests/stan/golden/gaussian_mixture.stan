// records: N = 8
// data: K = 3; D = 2; y = rows(2); alpha0 = pub(0.5)
data {
  int<lower=1> K;
  int<lower=1> D;
  int<lower=1> N;
  array[N] vector[D] y;
  real<lower=0> alpha0;
}
transformed data {
  vector[K] alpha0_vec = rep_vector(alpha0, K);
}
parameters {
  simplex[K] pi;
  array[K] vector[D] mu;
  array[K] vector<lower=0>[D] sigma;
}
model {
  pi ~ dirichlet(alpha0_vec);
  for (k in 1:K) {
    mu[k] ~ normal(0, 1);
    sigma[k] ~ inv_gamma(1, 1);
  }
  for (n in 1:N) {
    vector[K] ps = log(pi);
    for (k in 1:K) {
      ps[k] += normal_lpdf(y[n] | mu[k], sigma[k]);
    }
    target += log_sum_exp(ps);
  }
}
generated quantities {
  int z = categorical_rng(pi);
}
