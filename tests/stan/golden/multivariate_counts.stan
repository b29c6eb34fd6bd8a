// records: N = 8
// data: K = 3; y = ints(0, 4, 3); c = index(3); z = simplexes(3); X = rows(2); o = integers(1, 4)
data {
  int<lower=0> N;
  int K;
  array[N, K] int<lower=0> y;
  array[N] int<lower=1, upper=K> c;
  array[N] simplex[K] z;
  matrix[N, 2] X;
  array[N] int<lower=1, upper=4> o;
}
parameters {
  simplex[K] theta;
  vector<lower=0>[K] alpha;
  matrix[2, K] B;
  vector[K] a;
  ordered[3] cuts;
  vector[2] beta;
  real<lower=0> phi;
  real<lower=0> sigma;
}
model {
  to_vector(B) ~ std_normal();
  theta ~ dirichlet(rep_vector(2, K));
  z ~ dirichlet(alpha);
  c ~ categorical(theta);
  c ~ categorical_logit(a);
  c ~ categorical_logit_glm(X, a, B);
  o ~ ordered_logistic(X * beta, cuts);
  o ~ ordered_probit(X * beta, cuts);
  o ~ ordered_logistic_glm(X, beta, cuts);
  for (n in 1:N) {
    y[n] ~ multinomial(theta);
    y[n] ~ multinomial_logit(a);
    y[n] ~ dirichlet_multinomial(alpha);
    c[n] ~ categorical_logit((X[n] * B)' + a);
    y[n] ~ poisson_log(a + (X[n] * B)');
    y[n, 1] ~ neg_binomial_2_log(X[n] * beta, phi);
  }
  y[, 1] ~ poisson_log_glm(X, 0.3, beta);
  y[, 2] ~ neg_binomial_2_log_glm(X, a[1], beta, phi);
  to_vector(X[, 1]) ~ normal_id_glm(X, 0.2, beta, sigma);
  for (n in 1:N) y[n, 1] ~ binomial_logit(y[n, 1] + y[n, 2], a[2]);
  alpha ~ gamma(2, 2);
}
