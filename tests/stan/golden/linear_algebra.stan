// records: N = 6
// data: D = 3; y = rows(3); z = rows(3); A = matrices(2, 3); B = matrices(3, 3); w = positive_rows(3)
data {
  int<lower=0> N;
  int D;
  array[N] vector[D] y;
  matrix[N, D] z;
  array[N] matrix[2, D] A;
  array[N] matrix[D, D] B;
  array[N] vector<lower=0>[D] w;
}
parameters {
  cov_matrix[D] Sigma;
  corr_matrix[D] Omega;
  cholesky_factor_cov[D] L;
  vector<lower=0>[D] tau;
  matrix[D, D] G;
  row_vector[D] r;
  vector[D] mu;
}
model {
  matrix[D, D] P = inverse_spd(Sigma);
  Sigma ~ wishart(5, identity_matrix(D));
  Omega ~ lkj_corr(2);
  to_vector(L) ~ normal(0, 2);
  tau ~ gamma(2, 1);
  to_vector(G) ~ normal(0, 1);
  r ~ normal(0, 1);
  for (n in 1:N) {
    y[n] ~ multi_normal(mu, quad_form_diag(Omega, tau));
    y[n] ~ multi_normal_prec(mu, P);
    y[n] ~ multi_normal_cholesky(mu, L);
    y[n] ~ multi_student_t(4, mu, Sigma);
    z[n] ~ multi_normal(r, Sigma);
    target += quad_form(Sigma, y[n]) + quad_form_sym(Sigma, y[n]);
    target += sum(quad_form(Sigma, A[n]')) * 0.01;
    target += -dot_self(mdivide_left_tri_low(L, y[n] - mu));
    target += 0.1 * sum(mdivide_right_tri_low(r, L)) + 0.1 * sum(y[n]' / Sigma) + 0.1 * sum(Sigma \ y[n]);
    target += 0.01 * sum(mdivide_left_spd(Sigma, y[n])) + 0.01 * sum(mdivide_right_spd(y[n]', Sigma));
    target += 0.01 * trace(G * B[n]) + log_determinant(add_diag(tcrossprod(B[n]), 1.5 + square(mu[1])));
    target += 0.01 * sum(cholesky_decompose(add_diag(crossprod(B[n]), tau)));
    target += 0.01 * determinant(B[n] + G) + 0.01 * sum(inverse(B[n] + 5 * Sigma));
    target += 0.1 * dot_product(columns_dot_product(A[n], A[n] + 1), r) + 0.1 * sum(rows_dot_product(A[n] * G, A[n]));
    target += 0.1 * sum(diag_post_multiply(A[n], tau)) + sum(diag_pre_multiply(w[n], G));
    target += 0.01 * trace_quad_form(Sigma, B[n]) + 0.01 * trace_gen_quad_form(G, Sigma, B[n]);
    target += 0.1 * sum(head(y[n], 2) .* segment(mu, 2, 2)) + tail(w[n], 1)[1] * mu[3];
    target += 0.01 * sum(block(G, 1, 1, 2, 2)) + sum(sub_row(G, 1, 2, 2)) * 0.1 + sum(sub_col(G, 1, 2, 2)) * y[n][1];
    target += 0.1 * max(mu) + min(tau) * 0.1 + mean(mu) + sd(tau) + variance(y[n] + mu);
    target += sum(softmax(mu + y[n]) .* log_softmax(mu)) + sum(cumulative_sum(mu .* y[n]));
    target += distance(mu, y[n]) + squared_distance(mu, z[n]) + norm1(y[n] - mu) + norm2(mu - y[n]);
    target += 0.1 * sum(append_col(A[n], [1, 2]') * append_row(mu, 1)) + sum(append_row(A[n], z[n]) * mu);
    target += sum(to_matrix(y[n], 1, D) * G) + sum(to_array_1d(G)) * 0.01 + to_row_vector(y[n]) * mu;
    target += sum(rep_matrix(mu, 2) .* A[n]') + sum(linspaced_vector(3, 0, 1) .* mu);
    target += sum(one_hot_vector(3, 2) .* mu) + prod(w[n]) * tau[1] + log_sum_exp(mu - y[n]);
    target += sum(reverse(mu) .* y[n]) + sum(matrix_power(G, 2)) * 0.01 + sum(diagonal(G)) + sum(diag_matrix(tau)) * 0.1;
  }
}
