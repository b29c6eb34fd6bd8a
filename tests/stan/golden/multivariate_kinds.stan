// records: N = 6
// data: y = rows(2); z = rows(2); X = rows(2); counts = ints(0, 4, 3); k = index(3); s = simplexes(3); n_yes = count(5)
data {
  int<lower=0> N;
  array[N] vector[2] y;
  array[N] row_vector[2] z;
  matrix[N, 2] X;
  array[N, 3] int<lower=0> counts;
  array[N] int<lower=1, upper=3> k;
  array[N] simplex[3] s;
  array[N] int<lower=0> n_yes;
}
parameters {
  vector[2] m;
  row_vector[2] w;
  array[2] vector[2] means;
  array[2] row_vector[2] rows_of_means;
  cov_matrix[2] S;
  cholesky_factor_cov[2] L;
  corr_matrix[2] C;
  vector<lower=0>[3] alpha;
  simplex[3] p;
  array[2] simplex[3] ps;
  matrix[2, 3] B;
  ordered[2] cuts;
  real<lower=0> b;
}
model {
  m ~ multi_normal(w, S);
  w ~ multi_normal_prec(m, S);
  means ~ multi_normal_cholesky(rows_of_means, L);
  rows_of_means ~ multi_student_t(4, m, S);
  m ~ multi_student_t_cholesky(3 + b, w, L);
  S ~ inv_wishart(4, quad_form_diag(C, [b, 1]'));
  S ~ wishart(3 + b, S);
  L ~ wishart_cholesky(3, L);
  L ~ inv_wishart_cholesky(3 + b, diag_matrix([1, 2]'));
  C ~ lkj_corr(1 + b);
  p ~ dirichlet(alpha);
  ps ~ dirichlet(alpha);
  alpha ~ gamma(2, 1);
  to_vector(B) ~ std_normal();
  y ~ multi_normal(m, S);
  z ~ multi_normal_cholesky(w, L);
  y ~ multi_normal_prec(z, S);
  z ~ multi_student_t(5, y, S);
  y ~ multi_student_t_cholesky(5, m, L);
  s ~ dirichlet(alpha);
  k ~ categorical_logit_glm(X, alpha, B);
  k ~ ordered_logistic_glm(X, m, cuts);
  n_yes ~ poisson_log_glm(X, 0.3, m);
  n_yes ~ neg_binomial_2_log_glm(X, m[1], m, b);
  n_yes ~ binomial_logit_glm(5, X, m[2], m);
  for (n in 1 : N) {
    counts[n] ~ multinomial(p);
    counts[n] ~ multinomial_logit(log(alpha));
    counts[n] ~ dirichlet_multinomial(alpha);
    y[n] ~ multi_normal(X[n]' + m, add_diag(S, square(z[n, 1])));
    X[n] ~ multi_normal_cholesky(w, diag_pre_multiply(exp(y[n]), L));
    k[n] ~ categorical(softmax(B' * y[n]));
    target += normal_id_glm_lpdf(y[n] | [[1, 2], [3, 4]], z[n]', m, b);
    target += bernoulli_logit_glm_lpmf({1, 0} | [[1, 2], [3, 4]], b, m + y[n]);
  }
}
