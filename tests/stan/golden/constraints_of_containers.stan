// records: N = 5
// data: y = normal(); lows = pub([0.1, -0.2, 0.3]); K = 3
data {
  int<lower=0> N;
  vector[N] y;
  int K;
  vector[K] lows;
}
transformed data {
  matrix[2, 2] least = [[-1, 0.5], [0, 2]];
  array[2] vector[K] spread = {[1, 2, 3]', [0.5, 0.4, 0.3]'};
  array[2] vector[K] both_lows = {lows, -lows};
}
parameters {
  array[2, 2] real<upper=1.5> a;
  matrix<lower=0, upper=2>[2, 3] b;
  matrix<lower=least>[2, 2] c;
  matrix<lower=least, upper=least + 3>[2, 2] d;
  row_vector<lower=0.5>[K] e;
  row_vector<lower=-1, upper=1>[K] f;
  array[2] vector<lower=both_lows>[K] g;
  array[2] vector<lower=both_lows, upper=4>[K] h;
  array[2] vector<offset=both_lows, multiplier=2>[K] i;
  array[2] vector<multiplier=spread>[K] j;
  matrix<offset=1, multiplier=least + 2>[2, 2] k;
  array[2] row_vector<upper=0.7>[K] l;
  array[2] positive_ordered[K] m;
  array[2] sum_to_zero_vector[K] n;
  array[2] corr_matrix[K] o;
  array[2] cholesky_factor_cov[K] p;
  array[2] cholesky_factor_cov[4, 2] q;
  array[2] row_stochastic_matrix[2, 3] r;
  array[1] column_stochastic_matrix[2, 3] s;
  array[2, 1] unit_vector[K] t;
  array[2] sum_to_zero_matrix[2, 3] u;
  array[2] real<offset=a[1, 2], multiplier=e[1]> v;
  real<lower=e[1], upper=e[1] + e[2]> w;
  array[2] real<lower={0.5, 1.5}> x;
}
model {
  vector[K] all = e' + f' + g[1] + h[2] + i[1] + j[2] + l[2]' + m[1] .* m[2] + n[2] + o[1][, 3]
                  + p[2][3]' + t[2, 1];
  target += -0.5 * dot_self(all) - sum(square(to_vector(b))) + sum(log(c)) - sum(square(d))
            - 0.1 * sum(square(to_array_1d(a))) - sum(square(k)) - sum(square(q[2]))
            + 0.3 * r[1, 2, 3] - 0.2 * s[1, 2, 1] + u[2, 1, 2] - square(v[2]) - square(w - x[1]) - x[2];
  target += -dot_self(g[2]) - dot_self(h[1]) - dot_self(i[2]) - dot_self(j[1]) + sum(n[1])
            - sum(square(p[1])) + o[2][1, 2] - dot_self(l[1]) - square(v[1]) - sum(square(q[1]))
            + r[2, 1, 1] + u[1, 2, 2] + t[1, 1][2];
  y ~ normal(all[1] + w, 1 + b[1, 2]);
}
