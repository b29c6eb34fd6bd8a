// records: N = 8
// data: switched = binary(); dist = positive(50); arsenic = positive(); educ = integers(0, 12)
data {
  int<lower=0> N;
  array[N] int<lower=0, upper=1> switched;
  vector[N] dist;
  vector[N] arsenic;
  vector[N] educ;
}
transformed data {
  vector[N] c_dist100;
  vector[N] c_arsenic;
  matrix[N, 4] x;
  c_dist100 = (dist - mean(dist)) / 100.0;
  c_arsenic = arsenic - mean(arsenic);
  x = [c_dist100', c_arsenic', educ' / 4.0, (c_dist100 .* c_arsenic)']';
}
parameters {
  real alpha;
  vector[4] beta;
}
model {
  switched ~ bernoulli_logit_glm(x, alpha, beta);
}
