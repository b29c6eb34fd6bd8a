// records: N = 8
// data: y = normal(); m = listed(0, 3, 1, 2, 4, 0, 2, 1); counts = ints(0, 5, 2); K = 12
functions {
  real mo(vector scale, int i) {
    if (i == 0) {
      return 0;
    } else {
      return rows(scale) * sum(scale[1 : i]);
    }
  }
}
data {
  int<lower=0> N;
  vector[N] y;
  array[N] int m;
  array[N, 2] int<lower=0> counts;
  int K;
}
transformed data {
  array[N] int<lower=0> most;
  for (n in 1 : N) {
    most[n] = max(counts[n]);
  }
}
parameters {
  real b;
  simplex[4] scale;
  real<lower=0> sigma;
  real<lower=0> lambda;
  real<lower=0, upper=1> p;
}
model {
  b ~ normal(0, 1);
  scale ~ dirichlet(rep_vector(2, 4));
  sigma ~ exponential(1);
  lambda ~ gamma(2, 1);
  for (n in 1 : N) {
    vector[K - most[n] + 1] lp;
    y[n] ~ normal(b * mo(scale, m[n]), sigma);
    for (j in 1 : (K - most[n] + 1)) {
      lp[j] = poisson_lpmf(most[n] + j - 1 | lambda) + binomial_lpmf(counts[n] | most[n] + j - 1, p);
    }
    target += log_sum_exp(lp);
  }
}
