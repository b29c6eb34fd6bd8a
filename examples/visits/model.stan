// Blood pressure at visits: a random intercept of each patient, in long form.
data {
  int<lower=0> N;                                // visits
  int<lower=0> J;                                // patients
  array[N] int<lower=1, upper=J> patient;
  vector[N] age;                                 // standardised by the schema
  vector[N] years;                               // since the first visit
  vector<lower=0, upper=1>[N] treated;
  vector[N] pressure;                            // systolic, standardised by the schema
}
parameters {
  real mu;
  real b_age;
  real b_years;
  real b_treated;
  real<lower=0> between;                         // sd between patients
  real<lower=0> within;                          // sd between visits of one patient
  vector[J] effect;                              // of a patient
}
model {
  mu ~ normal(0, 1);
  b_age ~ normal(0, 1);
  b_years ~ normal(0, 1);
  b_treated ~ normal(0, 1);
  between ~ normal(0, 1);
  within ~ normal(0, 1);
  effect ~ normal(0, between);
  pressure ~ normal(mu + b_age * age + b_years * years + b_treated * treated + effect[patient],
                    within);
}
generated quantities {
  real same_patient = square(between) / (square(between) + square(within));
}
