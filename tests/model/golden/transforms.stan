// One parameter of every kind, each weighed so that its gradient shows all of its entries.
functions {
  real weigh(vector x) {
    return dot_product(x, linspaced_vector(num_elements(x), 0.3, 1.7)) + dot_self(x) / 7;
  }
}
transformed data {
  vector[3] lows = [-1, negative_infinity(), 0.5]';
  vector[3] highs = [2, 3, positive_infinity()]';
}
parameters {
  real plain;
  real<lower=1.5> low;
  real<upper=-0.5> high;
  real<lower=-1, upper=3> both;
  real<lower=negative_infinity()> low_open;
  real<upper=positive_infinity()> high_open;
  real<lower=negative_infinity(), upper=positive_infinity()> both_open;
  real<lower=negative_infinity(), upper=2> half_open;
  vector<lower=lows, upper=highs>[3] mixed;
  vector<lower=low, upper=low + 2>[2] moving;
  vector<offset=plain, multiplier=low>[3] affine;
  vector<multiplier=[0.5, 2, 3]'>[3] stretched;
  ordered[4] rising;
  positive_ordered[3] rising_positive;
  simplex[4] shares;
  simplex[1] certain;
  unit_vector[3] direction;
  sum_to_zero_vector[4] contrast;
  sum_to_zero_matrix[3, 4] contrasts;
  cholesky_factor_corr[4] factor_corr;
  cholesky_factor_cov[3] factor_cov;
  cholesky_factor_cov[4, 2] factor_tall;
  corr_matrix[4] correlation;
  cov_matrix[3] covariance;
  column_stochastic_matrix[3, 2] columns_of_shares;
  row_stochastic_matrix[3, 2] rows_of_shares;
}
model {
  target += weigh([plain, low, high, both, low_open, high_open, both_open, half_open]');
  target += weigh(mixed) + weigh(moving) + weigh(affine) + weigh(stretched);
  target += weigh(rising) + weigh(rising_positive) + weigh(shares) + weigh(certain);
  target += weigh(direction) + weigh(contrast) + weigh(to_vector(contrasts));
  target += weigh(to_vector(factor_corr)) + weigh(to_vector(factor_cov));
  target += weigh(to_vector(factor_tall)) + weigh(to_vector(correlation));
  target += weigh(to_vector(covariance));
  target += weigh(to_vector(columns_of_shares)) + weigh(to_vector(rows_of_shares));
}
