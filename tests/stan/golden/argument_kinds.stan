// records: N = 7
// data: y = normal(); z = positive(); p = unit(); angle = listed(-3.0, -1.2, 0.4, 2.9)
// data: real_rows = rows(3); positive_rows = positive_rows(3)
functions {
  array[] real listed(row_vector x) { return to_array_1d(x); }
}
data {
  int<lower=0> N;
  vector[N] y;
  array[N] real<lower=0> z;
  row_vector<lower=0, upper=1>[N] p;
  vector<lower=-pi(), upper=pi()>[N] angle;
  array[N] row_vector[3] real_rows;
  array[N] vector<lower=0>[3] positive_rows;
}
parameters {
  row_vector[3] m;
  array[3] real<lower=0> s;
  vector<lower=0>[3] r;
  real a;
  real<lower=0> b;
  real<lower=0, upper=1> c;
}
model {
  m ~ normal(listed(m * 0.1), s);
  s ~ gamma(r, 2);
  r ~ lognormal(m, s);
  a ~ student_t(4, m, r);
  b ~ weibull(s, r');
  c ~ beta(r, s);
  y ~ cauchy(a, b);
  y ~ double_exponential(a, z);
  y ~ logistic(y * 0.5 + a, b);
  y ~ gumbel(a, b);
  y ~ skew_normal(a, z, 2 * a);
  y ~ exp_mod_normal(a, b, z);
  y ~ skew_double_exponential(a, b, p);
  y ~ uniform(-10, 10 + b);
  z ~ exponential(b);
  z ~ inv_gamma(b, z);
  z ~ frechet(b, 0.7);
  z ~ chi_square(b + 1);
  z ~ inv_chi_square(b);
  z ~ scaled_inv_chi_square(b, c);
  z ~ rayleigh(b);
  z ~ pareto(0.01, b);
  z ~ pareto_type_2(-b, b, c);
  z ~ loglogistic(b, 1 + c);
  p ~ beta_proportion(c, b);
  angle ~ von_mises(a, b);
  for (n in 1 : N) {
    real_rows[n] ~ normal(m, s);
    real_rows[n] ~ student_t(3, m, r);
    real_rows[n] ~ logistic(m, positive_rows[n]);
    listed(real_rows[n]) ~ cauchy(m, b);
    positive_rows[n] ~ gamma(s, r);
    positive_rows[n] ~ weibull(r, s);
    positive_rows[n]' ~ lognormal(m', b);
    target += normal_lcdf(real_rows[n] | m, s) + logistic_lccdf(real_rows[n] | a, r);
    target += weibull_lccdf(positive_rows[n] | s, b) + lognormal_lcdf(positive_rows[n] | m, r);
    target += log(exponential_cdf(positive_rows[n] | s)) + gumbel_lcdf(real_rows[n] | m, b);
    target += von_mises_lcdf(angle[n] | a, b) + von_mises_lccdf(0.9 * angle[n] | m[1], b);
    angle[n] ~ von_mises(a, b) T[ , 3.1];
    y[n] ~ double_exponential(m[2], r[1]) T[-4, ];
    z[n] ~ frechet(b, 0.7) T[0.01, ];
  }
}
