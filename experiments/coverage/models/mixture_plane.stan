// Mixture of K normal components with unit variance in two dimensions.
data {
  int<lower=0> N;
  int<lower=1> K;
  array[N] vector[2] y;
}
parameters {
  array[K] vector[2] mu;
  simplex[K] w;
}
model {
  for (k in 1:K)
    mu[k] ~ normal(0, 4);
  w ~ dirichlet(rep_vector(4, K));
  for (n in 1:N) {
    vector[K] parts = log(w);
    for (k in 1:K)
      parts[k] += normal_lpdf(y[n] | mu[k], 1);
    target += log_sum_exp(parts);
  }
}
