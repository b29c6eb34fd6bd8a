// records: N = 6
// data: y = normal(); age = index(4); seen = rows(3); A = 4; at = pub([0.5, 1.5, 2.7, 4.0]); places = pub([[0.1, 0.4], [1.0, -0.3], [0.6, 0.9]]); W = pub([[2.0, 0.3], [0.3, 1.0]]); X = pub([[1.0, 0.2], [0.5, -1.0], [2.0, 0.7]])
data {
  int<lower=0> N;
  int A;
  vector[N] y;
  array[N] int<lower=1, upper=A> age;
  array[N] vector[3] seen;
  array[A] real at;
  array[3] vector[2] places;
  matrix[2, 2] W;
  matrix[3, 2] X;
}
transformed data {
  vector[2] roots = eigenvalues_sym(W);
  matrix[2, 2] axes = eigenvectors_sym(W);
  matrix[3, 2] Q = qr_thin_Q(X);
  matrix[2, 2] R = qr_thin_R(X);
  matrix[3, 3] Q_all = qr_Q(X);
  matrix[3, 2] R_all = qr_R(X);
  matrix[3, 2] product = Q_all * R_all;
  vector[2] stretch = singular_values(X);
  array[2] real middle = quantile(at, {0.25, 0.5});
}
parameters {
  vector[A] z;
  real<lower=0> alpha;
  real<lower=0> rho;
  array[2] real<lower=0> scales;
  array[2] simplex[2] moves;
  simplex[2] start;
  ordered[2] mu;
  matrix[2, 2] G;
}
transformed parameters {
  vector[A] f = cholesky_decompose(add_diag(gp_exp_quad_cov(at, alpha, rho), 1e-6)) * z;
}
model {
  matrix[3, 3] all = gp_exp_quad_cov(places, alpha, scales) + gp_exponential_cov(places, alpha, rho)
                     + gp_matern32_cov(places, alpha, scales) + gp_matern52_cov(places, alpha, rho)
                     + gp_periodic_cov(places, alpha, rho, 1.3) + gp_dot_prod_cov(places, alpha);
  matrix[A, 3] cross = gp_exp_quad_cov(at, {0.1, 0.2, 0.3}, alpha, rho)
                       + gp_matern32_cov(at, {0.1, 0.2, 0.3}, alpha, rho)
                       + gp_matern52_cov(at, {0.1, 0.2, 0.3}, alpha, rho)
                       + gp_exponential_cov(at, {0.1, 0.2, 0.3}, alpha, rho)
                       + gp_periodic_cov(at, {0.1, 0.2, 0.3}, alpha, rho, 2.0)
                       + gp_dot_prod_cov(at, {0.1, 0.2, 0.3}, alpha);
  target += -0.1 * sum(square(all)) - 0.1 * sum(square(cross));
  target += -0.5 * sum(square(matrix_exp(G)))
            - sum(square(scale_matrix_exp_multiply(0.3, G, W))) + sum(matrix_exp_multiply(G, W));
  target += roots[1] * z[1] + axes[2, 1] * axes[2, 2] * z[2] + sum(Q * R) * z[3] + stretch[2] * z[4]
            + middle[1] * z[1] + middle[2] * z[2] + product[3, 1] * z[1]
            + Q[1, 1] * R[1, 1] * z[2] + sum(uniform_simplex(4)) * z[3];
  z ~ std_normal();
  [alpha, rho] ~ gamma(2, 1);
  scales ~ gamma(2, 1);
  to_vector(G) ~ normal(0, 0.5);
  mu ~ normal(0, 2);
  matrix[2, 2] Gamma;
  for (k in 1 : 2) Gamma[k] = moves[k]';
  for (n in 1 : N) {
    matrix[2, 3] log_omega;
    for (t in 1 : 3) {
      for (k in 1 : 2) log_omega[k, t] = normal_lpdf(seen[n, t] | mu[k], 1);
    }
    target += hmm_marginal(log_omega, Gamma, start);
    y[n] ~ normal(f[age[n]], 1);
  }
}
