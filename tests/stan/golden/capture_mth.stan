// records: M = 6
// data: T = 4; y = ints(0, 1, 4)
data {
  int<lower=0> M;
  int<lower=0> T;
  array[M, T] int<lower=0, upper=1> y;
}
transformed data {
  array[M] int<lower=0> s;
  for (i in 1:M) s[i] = sum(y[i]);
}
parameters {
  real<lower=0, upper=1> omega;
  vector<lower=0, upper=1>[T] mean_p;
  real gamma;
}
transformed parameters {
  matrix[M, T] p;
  for (i in 1:M)
    for (j in 1:T)
      p[i, j] = inv_logit(logit(mean_p[j]) + gamma);
}
model {
  gamma ~ normal(0, 10);
  for (i in 1:M)
    if (s[i] > 0)
      target += bernoulli_lpmf(1 | omega) + bernoulli_lpmf(y[i] | p[i]);
    else
      target += log_sum_exp(bernoulli_lpmf(1 | omega) + bernoulli_lpmf(y[i] | p[i]),
                            bernoulli_lpmf(0 | omega));
}
