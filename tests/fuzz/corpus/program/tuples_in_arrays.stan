functions {
  array[] tuple(int, array[] tuple(real, vector)) made(int k, vector v) {
    array[k] tuple(int, array[2] tuple(real, vector[2])) t;
    for (i in 1:k) {
      t[i].1 = i;
      t[i].2[1] = (v[1], v);
      (t[i].2[2].1, t[i].2[2].2[1]) = (2, v[2]);
      t[i].2[2].2[2] = i;
    }
    return t;
  }
}
data {
  int<lower=0> N;
  vector[N] y;
  array[N] int<lower=1, upper=2> g;
}
parameters {
  vector[2] b;
}
model {
  array[2] tuple(int, array[2] tuple(real, vector[2])) t = made(2, b);
  for (n in 1:N) {
    array[N] tuple(real, int) z;
    z[n] = (y[n], g[n]);
    tuple(real, int) one = z[n];
    while (one.2 < 2) one.2 += 1;
    target += wiener_lpdf(exp(y[n]) | 1.2, 0.01, 0.4, t[g[n]].2[g[n]].2[one.2]);
    target += sum(csr_matrix_times_vector(2, 2, [b[1], 1]', {1, g[n]}, {1, 2, 3}, t[{2, 1}][1].2[1].2));
  }
}
