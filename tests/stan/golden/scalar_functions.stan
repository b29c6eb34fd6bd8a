// records: N = 8
// data: x = normal(); p = unit(); t = positive(); k = count(5)
data {
  int<lower=0> N;
  vector[N] x;
  vector<lower=0, upper=1>[N] p;
  vector<lower=0>[N] t;
  array[N] int<lower=0> k;
}
parameters {
  real a;
  real<lower=0> b;
  real<lower=0, upper=1> q;
}
model {
  for (n in 1:N) {
    target += Phi(a + x[n]) + Phi_approx(a * x[n]) + inv_Phi(q) + inv_cloglog(a + x[n]) + log1m_exp(-b * t[n]);
    target += lbeta(b, t[n]) + lchoose(b + 3, k[n]) + lmultiply(k[n], b) + fma(a, x[n], b) + log1p_exp(a * x[n]);
    target += log_diff_exp(b + t[n], 0) + log_sum_exp(a, x[n]) + log_mix(q, a, x[n]) + log1m(q * p[n]) + log1m_inv_logit(a);
    target += tgamma(b) + lgamma(b + k[n]) + digamma(b) + trigamma(b) + 0.1 * erf(a) + erfc(x[n] * a) + expm1(0.1 * a);
    target += hypot(a, x[n]) + fdim(a, x[n]) + fmax(a, x[n]) + fmin(a, x[n]) + abs(a - x[n]) + abs(a + x[n]) + atan2(b, t[n]);
    target += sinh(a) + cosh(a) + tanh(a) + asinh(x[n] + a) + acosh(1 + b) + atanh(q) + sin(a) + cos(a) + tan(0.1 * a) + asin(q) + acos(q) + atan(a);
    target += cbrt(b) + exp2(0.1 * a) + log2(b) + log10(b) + square(a) + inv(b) + inv_sqrt(b) + inv_square(b) + sqrt(b) + pow(b, a) + b ^ 1.5;
    target += logit(q) + inv_logit(a) + log_inv_logit(a * x[n]) + log_inv_logit_diff(b + 1, -b) + softmax([a, x[n]]')[1];
    target += floor(x[n]) * a + ceil(t[n]) * b + round(x[n]) * a + trunc(x[n]) + step(x[n]) * a + int_step(x[n]) * b;
    target += gamma_p(b, t[n]) + gamma_q(b, t[n]) + log(inc_beta(b, 2, p[n])) + owens_t(a, x[n]) + binary_log_loss(k[n] > 2, q);
    target += lmgamma(2, b + 2) + log_rising_factorial(b, 2) + log_falling_factorial(b + 4, 2) + rising_factorial(b, 2) + falling_factorial(b + 5, 2) + beta(b, t[n]);
    target += choose(5, 2) * a + to_int(round(2.3)) + (x[n] > 0 && p[n] < 0.5 || k[n] == 3) * a + !(k[n] > 0) * b + is_inf(a) + is_nan(a);
    target += ldexp(a, 2) + identity_matrix(2)[1, 1] + log_softmax([a, b, x[n]]')[2];
  }
}
