// records: N = 7
// data: K = 3; x = normal(); c = integers(1, 3); d = integers(0, 4); X = rows(3); M = matrices(2, 2)
/* Statements and expressions as the reference manual lists them. */
functions {
  real twice(real a) { return 2 * a; }
  vector twice(vector a) { return 2 * a; }
  matrix twice(matrix a) { return 2 * a; }
  int twice(int a) { return 2 * a; }
  real later(real a, array[,] real b, array[] vector v);
  real later(real a, array[,] real b, array[] vector v) {
    real total = a;
    for (row in b) {
      for (entry in row) total += entry;
    }
    for (each in v) total += sum(each);
    return total;
  }
  real shifted_lpmf(int y, real a) { return poisson_lpmf(y | exp(a)); }
  real shifted_lcdf(int y, real a) { return poisson_lcdf(y | exp(a)); }
  real shifted_lccdf(int y, real a) { return poisson_lccdf(y | exp(a)); }
  int count_above(vector v, real least) {
    int total = 0;
    for (entry in v) {
      if (entry > least) total += 1;
    }
    return total;
  }
  real sign_of(real a) {
    if (a > 0) return 1;
    else if (a < 0) return -1;
    else return 0;
  }
  void nothing(real a) { if (a > 1e300) reject("a = ", a); }
  array[,] int table(int rows, int columns) {
    array[rows, columns] int made;
    for (i in 1 : rows) for (j in 1 : columns) made[i, j] = i * 10 + j;
    return made;
  }
}
data {
  int<lower=0> N; int K;
  vector[N] x; // a column
  array[N] int<lower=1, upper=3> c;
  array[N] int<lower=0, upper=4> d;
  matrix[N, K] X;
  array[N] matrix[2, 2] M;
}
transformed data {
  int three = 3, four = three + 1;
  array[2, 3] int grid = table(2, 3);
  vector[0] empty;
  array[3, 0] real emptier;
  real e1 = 1e-1 + .5 + 5. + 1.5E+0;
  vector[N] x2 = square(x) .* x - x ./ 2;
  array[N] int both;
  for (n in 1 : N) both[n] = c[n] * 10 + d[n];
}
parameters {
  real a, b; vector[3] v;
  matrix[3, 2] A;
  array[2, 3] real t;
  array[2] vector[2] w;
  row_vector[3] r;
  real<lower=0> s;
}
transformed parameters {
  real<lower=-10, upper=200> bounded = twice(a) + 20;
  vector[4] u;
  matrix[3, 3] B;
  u[1] = a; u[2 : 3] = v[{3, 1}]; u[4] = sum(t[2]);
  u[{4, 1}] += 1; u[2 : 3] *= 2;
  B[, 1] = v; B[1, ] = r; B[2 : 3, 2 : 3] = A[2 :, ]; B[{3, 2}, 1] = v[2 : 3]; B[2, 3] -= 1;
  array[2] vector[2] w2 = w;
  w2[1][2] = 5; w2[2, 1] += 3; w2[2] = w2[1] + w[2];
}
model {
  real acc = 0;
  { real hidden = 2; acc += hidden * a; { real deeper = hidden + 1; acc *= deeper; } }
  target += -0.5 * (dot_self(v) + dot_self(to_vector(A)) + a ^ 2 + b ^ 2 + dot_self(r));
  target += acc * 0.1 + bounded * 0.01 - 0.01 * dot_self(u) - 0.01 * sum(B .* B);
  target += later(a, t, w2) * 0.1 + count_above(v, a) + sign_of(b) + +a - -b + !three;
  target += (a > b ? v[1] : a > 0 ? v[2] : v[3]) + (a > b || b > 1 && !(a == 2));
  target += (7 %/% 2) * a + (7 % 4) * b + 7 / 2 * a + (2.0 ^ 3 ^ 2) * 1e-3 * a + grid[2, 3] * 0.01 * b;
  target += sum(v' * A) * 0.1 + (r * v) * 0.1 - sum((A' * A) \ [1, 2]') * 0.01;
  target += sum(v .^ 2 ./ 3) * 0.1 + e1 * a * 0.01 + sum(empty) + num_elements(emptier) + four * b * 0.1;
  target += -0.01 * sum(square(to_vector(t[1]))) - 0.01 * target() + max(v) * 0.1 - min({a, b, s}) * 0.1;
  target += twice(three) * a * 0.01 + sum(twice(v)) * 0.01 + sum(twice(A)[, 1]) * 0.01;
  s ~ exponential(1);
  nothing(a);
  for (n in 1 : N) {
    int k = c[n]; real m = v[k];
    array[3] real saved = {a, b, s};
    if (d[n] == 0) { m += a; } else if (d[n] < 3) m -= b; else { m = m * x[n]; saved[k] = m; }
    for (i in 1 : d[n]) { if (i == 3) continue; m += 0.1 * i * x[n]; }
    int i = 1;
    while (i < 3) { i += 1; if (i == 2) continue; m += saved[i] * 0.1; break; }
    x[n] ~ normal(m + x2[n], s + 1);
    d[n] ~ shifted(saved[k]) T[, 9];
    target += (x[n] > 0 && d[n] > 1) * a - (x[n] <= 0 || c[n] != 2) * b * 0.1 + (both[n] % 10) * s * 0.01;
    target += -0.1 * (X[n] * B)[k] ^ 2 - 0.01 * sum(M[n] * w2[1]) - 0.01 * quad_form(M[n], w[2]);
    target += 0.1 * X[n, c[n]] * grid[1, c[n]] * a + 0.1 * t[1 + (x[n] > 0), k] * b + -square(M[n][1, 2] - a);
    target += x[n] > 0 ? log(x[n] + s) : -square(x[n] - v[1 + d[n] %/% 2]);
    vector[3] lp = rep_vector(-x[n], 3);
    lp[1 : 2] += w[1]; lp[k] = a;
    target += log_sum_exp(lp) + fmax(lp[1], lp[2]) * 0.1 + abs(lp[3] - x[n]) * 0.1;
  }
}
generated quantities {
  real g = twice(a); int h = poisson_rng(exp(a)); array[2] real q = normal_rng({a, b}, 1);
}
