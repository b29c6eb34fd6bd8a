// Sparse products with a known pattern, sums of zero, and positions that a record's ints choose.
// records: N = 8
// data: J = 3; w = pub([0.5, -1.2, 0.7, 2.0]); v = pub([1, 2, 2, 1]); u = pub([1, 2, 4, 5]); z = pub([[0.0, 1.5, 0.0], [2.0, 0.0, -0.5]]); y = normal(); r = integers(0, 2); c = integers(1, 2); t = integers(0, 3)
functions {
  vector balanced_jacobian(vector free) {
    return sum_to_zero_jacobian(free);
  }
}
data {
  int<lower=0> N;
  int<lower=1> J;
  vector[4] w;
  array[4] int v;
  array[4] int u;
  matrix[2, J] z;
  vector[N] y;
  array[N] int r;
  array[N] int c;
  array[N] int t;
}
transformed data {
  vector[rows(csr_extract_w(z))] zw = csr_extract_w(z);
  array[size(csr_extract_v(z))] int zv = csr_extract_v(z);
  array[3] int zu = csr_extract_u(z);
}
parameters {
  vector[2] b;
  vector[4] q;
  array[2] vector[2] s;
}
transformed parameters {
  vector[J] balanced = balanced_jacobian(b);
}
model {
  vector[J] sparse = csr_matrix_times_vector(J, 2, w, v, u, b);
  matrix[J, 2] dense = csr_to_dense_matrix(J, 2, w .* q, v, u);
  vector[2] known = csr_matrix_times_vector(2, J, zw, zv, zu, q[1 : 3]);
  array[2] vector[J] zeros = sum_to_zero_constrain(s);
  q ~ normal(0, 1);
  b ~ normal(balanced[1], 1);
  for (i in 1 : 2) s[i] ~ normal(0, 1);
  target += trace_dot(dense, dense') - 0.5 * dot_self(sparse) + sum(known) + zeros[2][1];
  for (n in 1 : N) {
    matrix[2, 2] seen = rep_matrix(b[1], 2, 2);
    // Nothing is read or written where the position lies outside.
    real shift = r[n] > 0 ? balanced[r[n]] : q[1];
    if (t[n] >= 1 && t[n] <= 2) seen[t[n], c[n]] = q[4];
    if (t[n] > 2 || sparse[t[n] + 1] > 0.1) shift += known[c[n]];
    y[n] ~ normal(shift + sum(seen) + seen[c[n], 1], exp(b[2]));
  }
}
