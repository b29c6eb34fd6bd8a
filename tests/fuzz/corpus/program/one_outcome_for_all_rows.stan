// records: N = 4
// data: X = rows(2)
data {
  int<lower=0> N;
  matrix[N, 2] X;
}
parameters {
  ordered[3] cuts;
  vector[2] beta;
}
model {
  1 ~ ordered_logistic_glm(X, beta, cuts);
  2 ~ categorical_logit_glm(X, cuts, rep_matrix(0.1, 2, 3));
  3 ~ poisson_log_glm(X, 0.3, beta);
}
