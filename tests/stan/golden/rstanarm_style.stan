// records: N = 8
// data: K = 2; xbar = pub([0.1, -0.2]); X = rows(2); y = normal(); has_intercept = pub(1); prior_mean = pub([0.0, 0.5]); prior_scale = pub([1.0, 2.0])
functions {
  vector pw_gauss(vector y, vector eta, real sigma) {
    return -0.5 * log(6.283185307179586232 * sigma) - 0.5 * square((y - eta) / sigma);
  }
  real CFt(real x, real df) {
    real z;
    real z2;
    z = x;
    z2 = square(z);
    return z + (z2 * z + z) / (4 * df);
  }
  vector make_beta(vector z_beta, vector prior_mean, vector prior_scale) {
    vector[rows(z_beta)] beta;
    for (k in 1:rows(z_beta)) beta[k] = CFt(z_beta[k], 5) * prior_scale[k] + prior_mean[k];
    return beta;
  }
}
data {
  int<lower=0> N;
  int<lower=0> K;
  vector[K] xbar;
  matrix[N, K] X;
  vector[N] y;
  int<lower=0,upper=1> has_intercept;
  vector[K] prior_mean;
  vector<lower=0>[K] prior_scale;
}
parameters {
  array[has_intercept] real gamma;
  vector[K] z_beta;
  real<lower=0> aux_unscaled;
}
transformed parameters {
  real aux = aux_unscaled * 2;
  vector[K] beta;
  beta = make_beta(z_beta, prior_mean, prior_scale);
}
model {
  vector[N] eta;
  if (K > 0) {
    eta = X * beta;
  } else eta = rep_vector(0.0, N);
  if (has_intercept == 1) {
    eta = eta + gamma[1];
  }
  target += pw_gauss(y, eta, aux);
  z_beta ~ normal(0, 1);
  target += exponential_lpdf(aux_unscaled | 1);
  if (has_intercept) gamma ~ normal(0, 2);
}
generated quantities {
  array[has_intercept] real alpha;
  real mean_PPD = 0;
  if (has_intercept == 1) alpha[1] = gamma[1] - dot_product(xbar, beta);
  {
    vector[N] eta;
    eta = X * beta;
    for (n in 1:N) mean_PPD = mean_PPD + normal_rng(eta[n], aux);
    mean_PPD = mean_PPD / N;
  }
}
