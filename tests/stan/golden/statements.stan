// records: N = 8
// data: K = 4; x = normal(); c = integers(1, 4); y = normal()
functions {
  real poly(vector b, real x) {
    real total = 0;
    int i = 1;
    while (i <= num_elements(b)) {
      if (i == 3) { i += 1; continue; }
      total += b[i] * x ^ (i - 1);
      i += 1;
    }
    return total;
  }
  vector shifted(vector v, data real by) { return v + by; }
  void add_prior_lp(vector b) {
    b ~ normal(0, 2);
    target += -0.5 * square(b[1]);
  }
  real my_lpdf(real y, real m, real s) {
    if (y > 0) {
      if (m > 0.2) return normal_lpdf(y | m, s);
      return student_t_lpdf(y | 4, m, s);
    }
    return cauchy_lpdf(y | m, s);
  }
  array[] real two(real a) { return {a, 2 * a}; }
  int clamp_int(int a) { if (a > 3) return 3; return a; }
  real draw_rng(real m) { return normal_rng(m, 1); }
}
data {
  int<lower=0> N;
  int K;
  vector[N] x;
  array[N] int<lower=1, upper=4> c;
  vector[N] y;
}
transformed data {
  array[3] int idx = {1, 3, 4};
  int total = 0;
  for (i in idx) total += i;
  while (total > 5) { total -= 3; if (total == 2) break; }
  matrix[2, 2] m0 = [[1, 2], [3, 4]];
}
parameters {
  vector[K] b;
  real<lower=0> s;
  matrix[2, 3] M;
}
transformed parameters {
  vector[3] part = b[idx];
  matrix[2, 2] MM = M[, 1:2] * m0;
  real last;
  {
    array[2] real ab = two(s);
    last = ab[2];
  }
}
model {
  add_prior_lp(b);
  profile("likelihood") {
    for (n in 1:N) {
      real m = poly(b, x[n]);
      real w = c[n] == 2 ? exp(x[n]) : log(s);
      y[n] ~ my(m, s);
      target += my_lupdf(y[n] + w | m, s);
      for (j in 1:c[n]) {
        if (j == 4) break;
        target += -0.01 * square(b[j] - x[n]);
      }
      m *= 2;
      m -= 1; m /= 3;
      target += m * clamp_int(c[n]);
      if (x[n] > 100) reject("no");
      print("hello", m);
      for (v in shifted(b, 1.5)) target += 0.01 * v * x[n];
      for (r in M) target += 0.001 * r * c[n];
    }
  }
  to_vector(M) ~ normal(0, 1);
  target += normal_lpdf(part | 0, last * 0 + 1);
  target += sum(MM .* MM') * 0.01 + M[2, idx[1]] * 0.1 + sum(M[{2, 1}, 2:]);
  s ~ exponential(1);
}
generated quantities {
  real g = draw_rng(b[1]);
}
