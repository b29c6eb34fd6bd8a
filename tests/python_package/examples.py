"""A model, a schema and records for the tests."""
import numpy as np

PROGRAM = """
data {
  int<lower=0> N;
  int<lower=1> J;
  vector[N] age;
  array[N] int<lower=1, upper=J> ward;
  array[N] int<lower=0, upper=1> died;
}
parameters {
  real alpha;
  real beta;
  vector[J] a;
}
model {
  alpha ~ normal(0, 2);
  beta ~ normal(0, 2);
  a ~ normal(0, 1);
  died ~ bernoulli_logit(alpha + beta * age + a[ward]);
}
generated quantities {
  vector[N] p = inv_logit(alpha + beta * age + a[ward]);
  array[N] int died_rep = bernoulli_rng(p);
}
"""
WARDS = ["north", "a ward with a long name", "süd"]
SCHEMA = {
    "table": {"rows": 400, "one_row_per_person": True},
    "columns": {"age": {"type": "real", "lower": -3, "upper": 3},
                "ward": {"type": "category", "levels": WARDS}},
}
KNOBS = dict(epsilon=1, schema=SCHEMA, steps=20, draws=50, posterior="variational", threads=1)


def columns(rows=400):
    """Plain lists, with None for missing cells. Reals are exact in single precision."""
    generator = np.random.default_rng(7)
    age = [float(np.float32(value)) for value in generator.normal(size=rows)]
    ward = [WARDS[i] for i in generator.integers(0, 3, rows)]
    died = [int(value) for value in generator.integers(0, 2, rows)]
    age[3] = ward[5] = died[8] = None
    return {"age": age, "ward": ward, "died": died}


def csv_of(data):
    cells = zip(*(["" if cell is None else str(cell) for cell in column] for column in data.values()))
    return "\n".join([",".join(data), *(",".join(row) for row in cells)]) + "\n"
