// Five round Gaussians in the plane, as the paper's text has it. Which of them a point came from is summed out
// within the point.
data {
  int<lower=0> N;
  array[N] vector[2] x;
}
parameters {
  simplex[5] pi;
  matrix[5, 2] mu;
  vector<lower=0>[5] tau;
}
model {
  pi ~ dirichlet(rep_vector(1, 5));
  to_vector(mu) ~ normal(0, 1);
  tau ~ inv_gamma(1, 1);
  for (n in 1:N) {
    vector[5] lp = log(pi);
    for (k in 1:5) {
      lp[k] += normal_lpdf(x[n] | to_vector(mu[k]), sqrt(tau[k]));
    }
    target += log_sum_exp(lp);
  }
}
