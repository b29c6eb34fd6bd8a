// Emergency visits of people with asthma: counts, in clinics that differ.
data {
  int<lower=0> N;                                // people
  int<lower=1> J;                                // clinics
  array[N] int<lower=1, upper=J> clinic;
  vector[N] age;                                 // standardised by the schema
  vector<lower=0, upper=1>[N] smoker;
  vector<lower=0, upper=1>[N] controller;        // takes a controller medicine
  vector<lower=0>[N] years;                      // under observation
  array[N] int<lower=0> visits;
}
parameters {
  real alpha;                                    // log visits a year
  real b_age;
  real b_smoker;
  real b_controller;
  real<lower=0> tau;                             // how much clinics differ
  sum_to_zero_vector[J] effect;                  // of each clinic, against the mean of all
}
model {
  alpha ~ normal(-0.5, 1);
  b_age ~ normal(0, 0.5);
  b_smoker ~ normal(0, 0.5);
  b_controller ~ normal(0, 0.5);
  tau ~ normal(0, 0.5);
  effect ~ normal(0, tau);
  visits ~ poisson_log(alpha + effect[clinic] + b_age * age + b_smoker * smoker
                       + b_controller * controller + log(years));
}
generated quantities {
  real rate_ratio_controller = exp(b_controller);
  vector[N] visits_a_year = exp(alpha + effect[clinic] + b_age * age + b_smoker * smoker
                                + b_controller * controller);
  array[N] int visits_rep;
  for (n in 1:N) visits_rep[n] = poisson_rng(years[n] * visits_a_year[n]);
}
