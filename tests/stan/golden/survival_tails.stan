// records: N = 8
// data: t = positive(3); k = count(6); trials = integers(6, 9); u = unit(); event = integers(0, 2); r = normal()
data {
  int<lower=0> N;
  vector<lower=0>[N] t;
  array[N] int<lower=0> k;
  array[N] int<lower=0> trials;
  vector<lower=0, upper=1>[N] u;
  array[N] int<lower=0, upper=2> event;
  vector[N] r;
}
parameters {
  real<lower=0> a;
  real<lower=0> b;
  real m;
  real<lower=0, upper=1> p;
}
model {
  for (n in 1:N) {
    if (event[n] == 0) target += gamma_lpdf(t[n] | a, b);
    else if (event[n] == 1) target += gamma_lccdf(t[n] | a, b);
    else target += gamma_lcdf(t[n] | a, b);
    target += inv_gamma_lcdf(t[n] | a, b) + inv_gamma_lccdf(t[n] | a, b);
    target += beta_lcdf(u[n] | a, b) + beta_lccdf(u[n] | a, b);
    target += student_t_lcdf(r[n] | a, m, b) + student_t_lccdf(r[n] | a, m, b);
    target += chi_square_lcdf(t[n] | a) + chi_square_lccdf(t[n] | a);
    target += inv_chi_square_lcdf(t[n] | a) + inv_chi_square_lccdf(t[n] | a);
    target += scaled_inv_chi_square_lcdf(t[n] | a, b) + scaled_inv_chi_square_lccdf(t[n] | a, b);
    target += beta_proportion_lcdf(u[n] | p, b) + beta_proportion_lccdf(u[n] | p, b);
    target += poisson_lcdf(k[n] | b) + poisson_lccdf(k[n] | b);
    target += neg_binomial_lcdf(k[n] | a, b) + neg_binomial_lccdf(k[n] | a, b);
    target += neg_binomial_2_lcdf(k[n] | a, b) + neg_binomial_2_lccdf(k[n] | a, b);
    target += binomial_lcdf(k[n] | trials[n], p) + binomial_lccdf(k[n] | trials[n], p);
    target += skew_normal_lcdf(r[n] | m, a, b) + skew_normal_lccdf(r[n] | m, a, b);
    target += exp_mod_normal_lcdf(r[n] | m, a, b) + exp_mod_normal_lccdf(r[n] | m, a, b);
    target += skew_double_exponential_lcdf(r[n] | m, a, p) + skew_double_exponential_lccdf(r[n] | m, a, p);
    target += gumbel_lcdf(r[n] | m, b);
    target += log(gamma_cdf(t[n] | a, b)) + log(normal_cdf(r[n] | m, b));
  }
}
