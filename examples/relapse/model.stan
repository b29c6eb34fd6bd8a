// Months until relapse after treatment. Who has not relapsed when last seen is censored then.
data {
  int<lower=0> N;                                // people
  vector[N] age;                                 // standardised by the schema
  int<lower=1> S;
  matrix[N, S] stage;                            // one column for each but the first
  vector<lower=0, upper=1>[N] new_drug;
  vector<lower=0>[N] months;                     // until relapse, or until last seen
  array[N] int<lower=0, upper=1> relapsed;
}
parameters {
  real alpha;                                    // log months
  real b_age;
  vector[S] b_stage;
  real b_new_drug;
  real<lower=0> shape;
}
model {
  vector[N] scale = exp(alpha + b_age * age + stage * b_stage + b_new_drug * new_drug);

  alpha ~ normal(4, 1);
  b_age ~ normal(0, 0.5);
  b_stage ~ normal(0, 1);
  b_new_drug ~ normal(0, 0.5);
  shape ~ lognormal(0, 0.5);
  for (n in 1:N) {
    if (relapsed[n]) target += weibull_lpdf(months[n] | shape, scale[n]);
    else target += weibull_lccdf(months[n] | shape, scale[n]);
  }
}
generated quantities {
  real time_ratio_new_drug = exp(b_new_drug);
  vector[N] free_at_24;                          // probability of no relapse in 24 months
  vector[N] months_rep;                          // everybody is last seen after 60 months
  array[N] int relapsed_rep;
  for (n in 1:N) {
    real scale = exp(alpha + b_age * age[n] + stage[n] * b_stage + b_new_drug * new_drug[n]);
    real until_relapse = weibull_rng(shape, scale);
    free_at_24[n] = exp(weibull_lccdf(24 | shape, scale));
    relapsed_rep[n] = until_relapse < 60;
    months_rep[n] = fmin(until_relapse, 60);
  }
}
