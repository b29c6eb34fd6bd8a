// records: N = 6
// data: x = normal(); y = normal(0.5, 1); g = index(3); X = pub([[1, 2], [2, 5]])
functions {
  tuple(real, vector) moments(vector v, real shift) {
    real m = mean(v) + shift;
    if (m > 0.2) {
      return (m, v - m);
    }
    return (2 * m, v);
  }
  real spread(tuple(real, vector) t) {
    return t.1 + dot_self(t.2);
  }
  tuple(array[] int, tuple(real, row_vector)) nested(int k, real a) {
    return ({k, k + 1}, (a * k, [a, k]));
  }
  tuple(real, real) either(int first, tuple(real, real) a, tuple(real, real) b) {
    if (first) {
      return a;
    } else {
      return b;
    }
  }
  real normal_pair_lpdf(real y, tuple(real, real) location_scale) {
    return normal_lpdf(y | location_scale.1, location_scale.2);
  }
  array[] tuple(int, real) listed(vector v) {
    array[2] tuple(int, real) made;
    for (i in 1:2) {
      made[i] = (i, v[i]);
      made[i].2 *= 2;
    }
    return made;
  }
}
data {
  int<lower=0> N;
  vector[N] x;
  vector[N] y;
  array[N] int<lower=1, upper=3> g;
  matrix[2, 2] X;
}
transformed data {
  tuple(matrix[2, 2], vector[2]) eigen = eigendecompose_sym(X);
  tuple(matrix[2, 2], matrix[2, 2]) factors = qr_thin(X);
  tuple(int, array[2] real) settings;
  settings.1 = 2;
  settings.2 = {0.5, 1.5};
  settings.2[1] += 0.25;
}
parameters {
  vector[3] b;
  real<lower=0> s;
}
transformed parameters {
  real centre;
  vector[3] rest;
  (centre, rest) = moments(b, 0.1);
}
model {
  tuple(real, tuple(vector[3], int)) deep = (centre, (rest, 2));
  array[3] tuple(real, real) effects = {(b[1], s), (b[2], 2 * s), (b[3], 1)};
  array[2] tuple(int, real) pairs = listed(rest);
  b ~ normal(deep.1, 1 + deep.2.2);
  s ~ gamma(eigen.2[2], settings.2[1]);
  target += spread((s, rest)) * -0.1 + spread(moments(b, s)) * -0.01;
  target += -0.1 * sum(factors.2) * square(deep.2.1[2]) + pairs[2].1 * -square(pairs[1].2);
  for (pair in pairs) target += -0.05 * square(pair.2 * pair.1);
  for (n in 1:N) {
    tuple(array[2] int, tuple(real, row_vector[2])) made = nested(g[n], b[2]);
    tuple(real, real) both = either(x[n] > 0, (x[n], s), (b[1], 1.5));
    real left;
    real right;
    if (y[n] > 0.4) {
      (left, right) = (b[1] * x[n], s);
    } else {
      left = b[3];
      right = made.2.2[1] ^ 2 + 1;
    }
    y[n] ~ normal(left, right);
    target += normal_pair_lpdf(y[n] | both);
    y[n] ~ normal_pair(effects[g[n]]);
    effects[1].1 = x[n];
    target += -square(effects[1].1 - made.2.1) - made.1[2] * square(effects[g[n]].2);
    effects[1].1 = b[1];
  }
}
generated quantities {
  real twice;
  vector[3] other;
  (twice, other) = moments(b, 1);
}
