// records: N = 8
// data: Y = count(6); prior_only = pub(0); x = normal()
functions {
  real zero_inflated_neg_binomial_log_lpmf(int y, real eta, real phi, real zi) {
    if (y == 0) {
      return log_sum_exp(bernoulli_lpmf(1 | zi),
                         bernoulli_lpmf(0 | zi) + neg_binomial_2_log_lpmf(0 | eta, phi));
    } else {
      return bernoulli_lpmf(0 | zi) + neg_binomial_2_log_lpmf(y | eta, phi);
    }
  }
  real hurdle_neg_binomial_log_lpmf(int y, real eta, real phi, real hu) {
    if (y == 0) {
      return bernoulli_lpmf(1 | hu);
    } else {
      return bernoulli_lpmf(0 | hu) + neg_binomial_2_log_lpmf(y | eta, phi) -
             log1m((phi / (exp(eta) + phi))^phi);
    }
  }
  real zero_one_inflated_beta_lpdf(real y, real mu, real phi, real zoi, real coi) {
    row_vector[2] shape = [mu * phi, (1 - mu) * phi];
    if (y == 0) {
      return bernoulli_lpmf(1 | zoi) + bernoulli_lpmf(0 | coi);
    } else if (y == 1) {
      return bernoulli_lpmf(1 | zoi) + bernoulli_lpmf(1 | coi);
    } else {
      return bernoulli_lpmf(0 | zoi) + beta_lpdf(y | shape[1], shape[2]);
    }
  }
}
data {
  int<lower=1> N;
  array[N] int Y;
  vector[N] x;
  int prior_only;
}
parameters {
  real Intercept;
  real b;
  real<lower=0> shape;
  real<lower=0, upper=1> zi;
  real<lower=0, upper=1> hu;
}
model {
  if (!prior_only) {
    vector[N] mu = Intercept + b * x;
    for (n in 1:N) {
      target += zero_inflated_neg_binomial_log_lpmf(Y[n] | mu[n], shape, zi);
      target += hurdle_neg_binomial_log_lpmf(Y[n] | mu[n], shape, hu);
      target += zero_one_inflated_beta_lpdf(fmin(Y[n] * 0.4, 1.0) | inv_logit(mu[n]), shape, zi, hu);
    }
  }
  target += gamma_lpdf(shape | 0.01, 0.01);
  target += beta_lpdf(zi | 1, 1);
}
