// records: N = 8
// data: x = normal(); t = positive(); k = integers(0, 3); S = pub([[2, 0.5, 0.1], [0.5, 1, 0.2], [0.3, -0.4, 1.5], [1, 1, 0]])
data {
  int<lower=0> N;
  vector[N] x;
  vector<lower=0>[N] t;
  array[N] int<lower=0, upper=3> k;
  matrix[4, 3] S;
}
transformed data {
  matrix[4, 3] U = svd_U(S);
  matrix[3, 3] V = svd_V(S);
}
parameters {
  real a;
  real<lower=0> b;
}
model {
  a ~ normal(U[1, 1], 1);
  b ~ gamma(2, 2);
  for (n in 1:N) {
    target += bessel_first_kind(k[n], a + x[n]) + bessel_second_kind(1, b + t[n]);
    target += 0.1 * modified_bessel_first_kind(k[n], a * x[n]) + 0.1 * modified_bessel_second_kind(2, b + t[n]);
    target += log_modified_bessel_first_kind(k[n] + 0.5, b * t[n]) + log_modified_bessel_first_kind(2, 50 * b * t[n]);
    target += lambert_w0(b * t[n]) + lambert_wm1(-0.3 * inv_logit(a));
    target += log(loglogistic_cdf(t[n] | b, exp(a)));
    x[n] ~ normal(a * U[2, 3] + V[1, 2], 1);
  }
}
