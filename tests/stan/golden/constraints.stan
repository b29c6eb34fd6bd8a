// records: N = 6
// data: y = normal(); lo = pub([0.1, 0.2, 0.3]); K = 3
data {
  int<lower=0> N;
  vector[N] y;
  int K;
  vector[K] lo;
}
parameters {
  real<lower=-1> a;
  real<upper=a> b;
  real<lower=-2, upper=3> c;
  real<offset=1, multiplier=2> d;
  vector<offset=a, multiplier=exp(d)>[K] e;
  vector<lower=lo>[K] f;
  vector<lower=lo, upper=lo + 2>[K] f2;
  simplex[K] g;
  ordered[K] h;
  positive_ordered[K] i;
  unit_vector[K] j;
  sum_to_zero_vector[K] k;
  cholesky_factor_corr[K] l;
  cholesky_factor_cov[K] m;
  cholesky_factor_cov[4, K] m2;
  corr_matrix[K] o;
  cov_matrix[K] p;
  array[2] simplex[K] q;
  array[2, 2] ordered[K] r;
  array[2] matrix<lower=0>[2, 2] s;
  array[2] cov_matrix[2] t;
  row_vector<upper=1>[K] u;
  array[3] real<lower=lo[1], upper=5> v;
  sum_to_zero_matrix[2, 3] w;
  row_stochastic_matrix[2, 3] x;
  column_stochastic_matrix[3, 2] z;
  array[2] cholesky_factor_corr[2] aa;
  array[2] unit_vector[2] ab;
}
model {
  vector[K] all = e + f + f2 + g + h + i + j + k + l[, 1] + m[, 2] + m2[1 : K, 1] + o[, 2] + p[1]' + q[1] + r[2, 1] + u' + to_vector(v);
  target += -0.5 * dot_self(all) - square(a) - square(b) - square(c) - square(d);
  target += -sum(square(s[1])) - sum(square(to_vector(t[2]))) - sum(square(w)) + sum(x[1]) + sum(z[, 1] .* g) + sum(aa[2]) + ab[1][2];
  y ~ normal(all[1], 1 + m2[4, 3] ^ 2);
}
