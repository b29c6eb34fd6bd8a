// records: n_answers = 7
// data: n_items = 3; n_people = 4; n_years = 4; steps = pub([2, 1, 3]); years = pub([0, 1, 2.5, 4]); exposure = pub([0.6, 1.1, 2, 0.4]); curve = 1
// data: item = index(3); person = index(4); year = listed(2, 4, 1, 3); answer = listed(1, 0, 1, 0); score = normal(); old = normal(); fresh = unit()
// Answers to items with steps of their own, packed into one vector; people with a regression of
// their own on public covariates; a smooth curve over public years; a small network.
functions {
  real step_lpmf(int answer, real ability, vector thresholds) {
    vector[rows(thresholds) + 1] sums = append_row(rep_vector(0.0, 1), ability - thresholds);
    return categorical_lpmf(answer + 1 | softmax(cumulative_sum(sums)));
  }
  matrix centre_and_scale(matrix covariates) {
    matrix[2, cols(covariates)] adjust;
    for (k in 1:cols(covariates)) {
      real lowest = min(covariates[1:rows(covariates), k]);
      real highest = max(covariates[1:rows(covariates), k]);
      int at_ends = 0;
      for (j in 1:rows(covariates)) {
        at_ends += covariates[j, k] == lowest || covariates[j, k] == highest;
      }
      adjust[1, k] = mean(covariates[, k]);
      adjust[2, k] = at_ends == rows(covariates) ? highest - lowest : 2 * sd(covariates[, k]);
    }
    return adjust;
  }
  real growth(int curve, real t, real shape, real scale) {
    return curve == 1 ? 1 - exp(-(t / scale) ^ shape) : t ^ shape / (t ^ shape + scale ^ shape);
  }
}
data {
  int<lower=1> n_answers;
  int<lower=1> n_items;
  int<lower=1> n_people;
  int<lower=1> n_years;
  array[n_items] int<lower=1> steps;
  array[n_years] real years;
  vector<lower=0>[n_people] exposure;
  int<lower=0, upper=1> curve;
  array[n_answers] int<lower=1, upper=n_items> item;
  array[n_answers] int<lower=1, upper=n_people> person;
  array[n_answers] int year;
  array[n_answers] int<lower=0> answer;
  vector[n_answers] score;
  vector[n_answers] old;
  vector[n_answers] fresh;
}
transformed data {
  array[n_items] int first;
  matrix[n_people, 2] people = append_col(exposure, log(exposure));
  matrix[2, 2] adjust = centre_and_scale(people);
  matrix[n_answers, 2] both = [old', fresh']';
  vector[n_answers] ones = rep_vector(1, n_answers);
  first[1] = 1;
  for (i in 2:n_items) first[i] = first[i - 1] + steps[i - 1];
  for (k in 1:2) people[, k] = (people[, k] - adjust[1, k]) / adjust[2, k];
}
parameters {
  vector[sum(steps) - 1] free_steps;
  vector<lower=0>[n_items] slope;
  vector[n_people] ability;
  vector[2] gain;
  vector[n_years] bend;
  real<lower=0> reach;
  real<lower=0> size;
  matrix[3, 2] inner;
  vector[3] outer;
  real<lower=0> sigma;
}
transformed parameters {
  vector[sum(steps)] threshold = append_row(free_steps, -sum(free_steps));
  vector[n_years] smooth;
  {
    matrix[n_years, n_years] covariance = gp_exp_quad_cov(years, size, reach);
    for (t in 1:n_years) covariance[t, t] = covariance[t, t] + 1e-6;
    smooth = cholesky_decompose(covariance) * bend;
  }
}
model {
  vector[n_answers] net = append_col(ones, tanh(append_col(ones, both) * inner)) * outer;
  int at = 1;
  for (i in 1:n_items) {
    segment(threshold, at, steps[i]) ~ normal(0, i);
    at += steps[i];
  }
  [size, reach, sigma] ~ normal(0, 2);
  slope ~ lognormal(0, 1);
  ability ~ normal(people * gain, 1.5);
  bend ~ std_normal();
  to_vector(inner) ~ normal(0, 1);
  for (n in 1:n_answers) {
    target += step_lpmf(answer[n] | slope[item[n]] * ability[person[n]],
                        segment(threshold, first[item[n]], steps[item[n]]));
  }
  score ~ normal(net + smooth[year] + growth(curve, 1.5, size, reach), (sigma * exposure)[person]);
}
generated quantities {
  vector[n_answers] log_lik;
  vector[2] raw = gain ./ to_vector(adjust[2]);
  for (n in 1:n_answers) log_lik[n] = normal_lpdf(score[n] | smooth[year[n]], sigma);
}
