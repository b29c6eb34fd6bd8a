// records: N = 6
// data: x = normal(); k = integers(0, 4); B = matrices(2, 2); m = integers(1, 3)
data {
  int<lower=0> N;
  vector[N] x;
  array[N] int<lower=0, upper=4> k;
  array[N] matrix[2, 2] B;
  array[N] int<lower=1, upper=3> m;
}
transformed data {
  array[2, 3] int powers = {{1, 2, 3}, {0, 2, 1}};
  array[2] int dimensions = {1, 3};
}
parameters {
  matrix[2, 3] M;
  array[2] vector[3] v;
  vector<lower=1.2>[2] s;
  real<upper=-0.1> low;
  simplex[3] share;
  unit_vector[3] direction;
  sum_to_zero_vector[3] level;
  sum_to_zero_matrix[2, 3] table;
  row_stochastic_matrix[2, 3] moves;
  column_stochastic_matrix[2, 3] origins;
  cholesky_factor_corr[3] F;
  cholesky_factor_cov[3, 2] G;
  corr_matrix[3] R;
  cov_matrix[2] S;
  array[2] ordered[3] cuts;
  positive_ordered[2] steps;
}
model {
  to_vector(M) ~ std_normal();
  S ~ inv_wishart(5, identity_matrix(2));
  target += sum(falling_factorial(M, powers)) + sum(rising_factorial(v[1], powers[1])) + sum(to_vector(ldexp(M, powers)) .* [1, 2, 3, 4, 5, 6]');
  for (j in 1:2) target += sum(to_vector(bessel_first_kind(powers, M)) .* [1, 2, 3, 4, 5, 6]') + sum(falling_factorial(v, powers)[j]);
  target += sum(lmgamma(dimensions, s)) + sum(lmgamma({1, 2}, s[1])) + choose({{5, 6}, {4, 3}}, 2)[2, 1] + rising_factorial(3, 2) % 5 + falling_factorial(5, 2) / 3.0;
  target += tgamma(low) * 0.01 + elt_multiply(7, 3) / 2 + elt_divide(7, 2) + sum(matrix_power(M * M', 0));
  target += dot_product(simplex_unconstrain(share), [1, 2]) + dot_product(unit_vector_unconstrain(direction), [1, 2, 3]);
  target += dot_product(sum_to_zero_unconstrain(level), [1, 2]) + sum(sum_to_zero_unconstrain(table) .* [[1, 2]]);
  target += sum(stochastic_row_unconstrain(moves) .* [[1, 2], [3, 4]]) + sum(stochastic_column_unconstrain(origins) .* [[1, 2, 3]]);
  target += dot_product(cholesky_factor_corr_unconstrain(F), [1, 2, 3]) + dot_product(cholesky_factor_cov_unconstrain(G), [1, 2, 3, 4, 5]);
  target += dot_product(corr_matrix_unconstrain(R), [1, 2, 3]) + dot_product(cov_matrix_unconstrain(S), [1, 2, 3]);
  target += dot_product(ordered_unconstrain(cuts)[2], [1, 2, 3]) + dot_product(positive_ordered_unconstrain(steps), [1, 2]);
  for (n in 1:N) {
    target += rising_factorial(low + x[n], k[n]) + falling_factorial(s[1], k[n]) + lmgamma(m[n], s[2]) + rising_factorial(k[n], 2);
    target += quad_form_sym(crossprod(B[n]), s) + sum(cholesky_decompose(add_diag(tcrossprod(B[n]), s))) + 0.1 * tgamma(low - 0.01 * k[n]);
    target += sum(chol2inv(cholesky_decompose(add_diag(crossprod(B[n]), 1)))) * s[1];
  }
}
