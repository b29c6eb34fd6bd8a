// records: N = 8
// data: y = binary(); x = normal(); grainsize = pub(1)
functions {
  real partial_sum_lpmf(array[] int slice, int start, int end, vector x, vector b) {
    return bernoulli_logit_lupmf(slice | b[1] + b[2] * x[start:end]);
  }
}
data {
  int N;
  array[N] int<lower=0,upper=1> y;
  vector[N] x;
  int grainsize;
}
parameters {
  vector[2] beta;
}
model {
  beta ~ std_normal();
  target += reduce_sum(partial_sum_lupmf, y, grainsize, x, beta);
}
