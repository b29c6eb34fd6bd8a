// Mixture of K normal components with unit variance in one dimension.
data {
  int<lower=0> N;
  int<lower=1> K;
  vector[N] y;
}
parameters {
  vector[K] mu;
  simplex[K] w;
}
model {
  mu ~ normal(0, 4);
  w ~ dirichlet(rep_vector(4, K));
  for (n in 1:N) {
    vector[K] parts = log(w);
    for (k in 1:K)
      parts[k] += normal_lpdf(y[n] | mu[k], 1);
    target += log_sum_exp(parts);
  }
}
