// records: N = 6
// data: K = 3; g = index(3); y = normal(); h = ints(1, 3, 2)
data {
  int N;
  int K;
  array[N] int<lower=1,upper=3> g;
  vector[N] y;
  array[N, 2] int<lower=1,upper=3> h;
}
parameters {
  matrix[3, 4] M;
  array[3] vector[4] v;
  array[3, 3] real w;
  vector[3] z;
}
model {
  array[3] int perm = {3, 1, 2};
  matrix[3, 4] A = M;
  vector[3] q = z;
  A[perm] = M;
  A[:, 2] = z;
  A[1, 2:3] = [1, z[1]];
  q[perm] += z;
  A[2] *= 2;
  A[{1,2}, {3,4}] = M[2:3, 1:2];
  q[2:] = q[:2];
  to_vector(M) ~ normal(0, 1);
  for (n in 1:N) {
    y[n] ~ normal(A[g[n], perm[1]] + v[g[n]][2] + w[g[n], h[n, 1]] + sum(q[h[n]]) + w[h[n, 1], h[n, 2]] + M[g[n]] * v[h[n, 2]], 1);
  }
  y ~ normal(z[g] + to_vector(w[g, 1]), 2);
  y ~ normal(rows_dot_product(M[g], M[h[, 1]]), 1);
  v[perm, 1] ~ normal(0, 1);
}
