// records: N = 5
// data: y = normal(); x = rows(2); K = 3; T = 4
functions {
  real positive_jacobian(real x) {
    jacobian += x;
    return exp(x);
  }
}
data {
  int<lower=0> N;
  vector[N] y;
  matrix[N, 2] x;
  int K;
  int T;
}
parameters {
  real a;
  vector[K] b;
  vector[K] c;
  matrix[2, K] d;
  array[2] vector[K] e;
  vector[6] f;
}
transformed parameters {
  real sigma = positive_jacobian(a);
  real low = lower_bound_jacobian(a, 0.5);
  vector[K] up = upper_bound_jacobian(b, 1.5);
  vector[K] between = lower_upper_bound_jacobian(b, -1, [2, 3, 4]');
  vector[K] moved = offset_multiplier_jacobian(b, 0.3, [2, 3, 4]');
  vector[K + 1] shares = simplex_jacobian(c);
  array[2] vector[K] steps = ordered_jacobian(e);
  vector[K] positive_steps = positive_ordered_jacobian(c);
  vector[K] direction = unit_vector_jacobian(b);
  matrix[K, K] factor = cholesky_factor_corr_jacobian(b, K);
  matrix[K, K] wide_factor = cholesky_factor_cov_jacobian(f, K, K);
  matrix[K, K] correlation = corr_matrix_jacobian(c, K);
  matrix[K, K] covariance = cov_matrix_jacobian(f, K);
  matrix[3, K] columns = stochastic_column_jacobian(d);
  matrix[2, K + 1] rows_of_shares = stochastic_row_jacobian(d);
  jacobian += 0.1 * a;
}
model {
  vector[K] back = lower_bound_unconstrain(lower_bound_constrain(b, -2), -2)
                   + upper_bound_unconstrain(up, 1.5)
                   + lower_upper_bound_unconstrain(between, -1, [2, 3, 4]')
                   + offset_multiplier_unconstrain(moved, 0.3, 2.5)
                   + ordered_unconstrain(steps[1]) + positive_ordered_unconstrain(positive_steps);
  target += -0.5 * dot_self(back) - sum(square(shares)) - 0.1 * sum(square(steps[2]))
            + direction[1] + factor[3, 2] + wide_factor[2, 1] + correlation[1, 2]
            - 0.01 * square(covariance[2, 3]) + columns[1, 2] + rows_of_shares[2, 3]
            + sum(square(simplex_constrain(c))) - low;
  f ~ normal(0, 1);
  to_vector(d) ~ std_normal();
  y ~ normal(x * b[1 : 2] + low, sigma);
}
