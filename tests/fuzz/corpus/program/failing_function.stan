// A function fails in a block that has more variables than the function; statements follow it.
functions {
  real pick(vector v, int k) {
    vector[2] w = v[1:2];
    return w[k];
  }
}
data {
  int<lower=0> N;
  vector<upper=pick([1, 2]', 5)>[N] y;
}
transformed data {
  real never = pick([1, 2]', 3);
}
parameters {
  real a;
  real b;
  real c;
  vector[3] m;
}
model {
  y ~ normal(a + b + c + m[1], 1);
}
generated quantities {
  real bad = pick(m, 7);
  real later = m[3] + c;
  int compared = bad > never;
}
