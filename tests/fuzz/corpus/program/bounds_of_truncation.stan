// A bound of T[,] with one value for every record.
data { int<lower=0> N; array[N] int<lower=1> y; }
parameters { real alpha; }
model { for (n in 1:N) y[n] ~ poisson(exp(alpha)) T[y, ]; }
