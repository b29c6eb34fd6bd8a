// records: N = 7
// data: y = count(6); m = integers(6, 12); x = normal(); rows_of_counts = ints(1, 5, 3); rank = index(4)
data {
  int<lower=0> N;
  array[N] int<lower=0> y;
  array[N] int<lower=0> m;
  vector[N] x;
  array[N, 3] int<lower=0> rows_of_counts;
  array[N] int<lower=1, upper=4> rank;
}
transformed data {
  array[3] int few = {1, 0, 2};
}
parameters {
  row_vector[3] a;
  vector<lower=0>[3] r;
  array[3] real<lower=0, upper=1> q;
  real<lower=0> b;
  real<lower=0, upper=1> c;
  simplex[4] shares;
  ordered[3] cuts;
  array[3] ordered[3] many_cuts;
}
model {
  a ~ std_normal();
  r ~ exponential(1);
  few ~ poisson(r);
  few ~ poisson_log(a);
  few ~ neg_binomial(r, b);
  few ~ neg_binomial_2(r, r');
  few ~ neg_binomial_2_log(a, r);
  few ~ binomial(3, q);
  few ~ binomial_logit(4, a);
  few ~ beta_binomial(3, r, b);
  few ~ beta_neg_binomial(r, 2 + b, 1);
  few[1 : 2] ~ bernoulli(q[1 : 2]);
  few[1 : 2] ~ bernoulli_logit(a[1 : 2]);
  {1, 2, 4} ~ ordered_logistic(a', many_cuts);
  {1, 2, 4} ~ ordered_probit(r, cuts);
  {1, 2, 4} ~ categorical(shares);
  y ~ poisson(exp(x + a[1]));
  y ~ neg_binomial_2(b, exp(x));
  y ~ binomial(m, inv_logit(a[2] * x));
  y ~ beta_binomial(m, b, exp(a[3] * x));
  y ~ beta_neg_binomial(b, 2.5, exp(x));
  rank ~ yule_simon(b);
  rank ~ categorical(shares);
  rank ~ ordered_logistic(a[2] * x, cuts);
  rank ~ ordered_probit(x * b, cuts);
  for (n in 1 : N) {
    rows_of_counts[n] ~ poisson(r);
    rows_of_counts[n] ~ binomial(6, q);
    rows_of_counts[n] ~ neg_binomial_2_log(a + x[n], r);
    target += poisson_lcdf(rows_of_counts[n] | r) + binomial_lccdf(rows_of_counts[n] | 6, q);
    target += beta_binomial_lcdf(y[n] | m[n], b, r[1]) + beta_binomial_lccdf(y[n] | m[n], r[2], b);
    target += log(beta_binomial_cdf(y[n] | 9, r[3], exp(x[n])));
    target += beta_neg_binomial_lcdf(y[n] | b, 2 + c, r[1]) + yule_simon_lccdf(rank[n] | b);
    target += discrete_range_lcdf(rank[n] | 0, 5) + neg_binomial_lccdf(y[n] | b, c);
    rank[n] ~ beta_binomial(m[n], r[1], b) T[1, ];
    rank[n] ~ beta_binomial(8, r[1], b) T[1, 6];
    rank[n] ~ poisson(r[2] + b) T[1, 9];
    rank[n] ~ neg_binomial_2(r[2], b) T[ , 7];
    rank[n] ~ binomial(m[n], c) T[1, ];
  }
}
