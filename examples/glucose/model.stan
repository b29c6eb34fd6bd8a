// Fasting glucose in three hidden groups: a mixture, summed over the groups of each person.
data {
  int<lower=0> N;                                // people
  vector[N] glucose;                             // log mmol/l
}
parameters {
  simplex[3] share;
  ordered[3] mu;
  vector<lower=0>[3] sigma;
}
model {
  share ~ dirichlet([5, 3, 2]');
  mu ~ normal([1.6, 1.9, 2.3]', 0.2);
  sigma ~ lognormal(-2, 0.5);
  for (n in 1:N) {
    vector[3] each;
    for (k in 1:3) each[k] = log(share[k]) + normal_lpdf(glucose[n] | mu[k], sigma[k]);
    target += log_sum_exp(each);
  }
}
generated quantities {
  vector[3] middle = exp(mu);                    // mmol/l
  matrix[N, 3] belongs;                          // probability of each group
  vector[N] glucose_rep;
  for (n in 1:N) {
    vector[3] each;
    int group = categorical_rng(share);
    for (k in 1:3) each[k] = log(share[k]) + normal_lpdf(glucose[n] | mu[k], sigma[k]);
    belongs[n] = softmax(each)';
    glucose_rep[n] = normal_rng(mu[group], sigma[group]);
  }
}
