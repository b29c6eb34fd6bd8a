// records: N = 8
// data: partyid7 = normal(4, 1); real_ideo = normal(); age_discrete = integers(1, 4); female = binary()
data {
  int<lower=0> N;
  vector[N] partyid7;
  vector[N] real_ideo;
  array[N] int<lower=1, upper=4> age_discrete;
  vector[N] female;
}
transformed data {
  vector[N] age30_44;
  vector[N] age45_64;
  vector[N] age65up;
  for (n in 1:N) {
    age30_44[n] = age_discrete[n] == 2;
    age45_64[n] = age_discrete[n] == 3;
    age65up[n] = age_discrete[n] == 4;
  }
}
parameters {
  vector[6] beta;
  real<lower=0> sigma;
}
model {
  partyid7 ~ normal(beta[1] + beta[2] * real_ideo + beta[3] * age30_44 + beta[4] * age45_64
                    + beta[5] * age65up + beta[6] * female, sigma);
}
