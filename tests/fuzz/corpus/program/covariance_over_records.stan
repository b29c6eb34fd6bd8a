// Runs on no record, where the covariance is 0 x 0.
data { int<lower=1> N; array[N] real x; vector[N] y; }
parameters { real<lower=0> rho; real<lower=0> sigma; }
model {
  matrix[N, N] K;
  for (i in 1:N) for (j in 1:N) K[i, j] = exp(-square(x[i] - x[j]) * rho) + (i == j ? sigma : 0.0);
  y ~ multi_normal(rep_vector(0, N), K);
}
