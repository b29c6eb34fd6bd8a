"""The calls for which Stan computes the golden values; see regenerate.py."""

INF = float("inf")
NAN = float("nan")


class Argument:
    """One argument of a call: its kind in Stan and its numbers (matrices by rows)."""

    def __init__(self, kind, value, constraint=None):
        self.kind = kind  # "int", "real" (both data) or "theta"
        self.value = value
        self.constraint = constraint  # for theta: the Stan transform that makes the argument


def n(value):
    return Argument("int", value)


def x(value):
    return Argument("real", value)


def t(value):
    return Argument("theta", value)


def made(constraint, size, free):
    """A matrix or vector of `size` rows that Stan's transform computes from free parameters."""
    return Argument("theta", free, (constraint, size))


CASES = []


def case(function, *arguments):
    CASES.append((function, arguments))


def edges(function, *argument_lists):
    for arguments in argument_lists:
        case(function, *arguments)


# ---- Distributions on the real line.
Y3 = x([-1.3, 0.4, 2.2])
for name in ["normal", "cauchy", "double_exponential", "logistic", "gumbel"]:
    case(f"{name}_lpdf", Y3, t(0.3), t(1.4))
    case(f"{name}_lpdf", Y3, t([0.3, -0.2, 0.9]), t([1.4, 0.6, 2.5]))
    case(f"{name}_lpdf", t(0.7), x(0.2), x(1.1))
    case(f"{name}_lpdf", t([0.7, -3.0]), x(0.2), t(0.8))
    case(f"{name}_lpdf", x(40.0), t(0.3), t(1.4))
    case(f"{name}_lpdf", x(-40.0), t(0.3), t(1.4))
    edges(f"{name}_lpdf",
          (x(1.0), t(0.0), t(0.0)), (x(1.0), t(0.0), t(-1.0)), (x(1.0), t(INF), t(1.0)),
          (x(1.0), t(0.0), t(INF)), (x(1.0), t(0.0), t(NAN)), (x(1.0), t(NAN), t(1.0)),
          (x(NAN), t(0.0), t(1.0)), (x(INF), t(0.0), t(1.0)), (x(-INF), t(0.0), t(1.0)),
          (x([1.0, NAN]), t(0.0), t(1.0)), (x([1.0, 2.0]), t(0.0), t([1.0, 0.0])))
    for tail in ["lcdf", "lccdf"]:
        case(f"{name}_{tail}", Y3, t(0.3), t(1.4))
        case(f"{name}_{tail}", t(0.7), x(0.2), x(1.1))
        case(f"{name}_{tail}", x(-3.0), t(0.3), t(1.4))
        edges(f"{name}_{tail}",
              (x(1.0), t(0.0), t(0.0)), (x(1.0), t(INF), t(1.0)), (x(NAN), t(0.0), t(1.0)))
case("double_exponential_lcdf", x(0.3), t(0.3), t(1.4))
case("double_exponential_lccdf", x(0.2), t(0.3), t(1.4))
case("normal_lcdf", x(-30.0), t(0.3), t(1.4))
case("logistic_lcdf", x(-300.0), t(0.3), t(1.4))
case("logistic_lccdf", x(300.0), t(0.3), t(1.4))
case("normal_lccdf", x(-30.0), t(0.3), t(1.4))
case("std_normal_lpdf", t([0.7, -3.0]))
case("std_normal_lcdf", t([0.7, -3.0]))
case("std_normal_lccdf", t([0.7, -3.0]))
edges("std_normal_lpdf", (x(NAN),), (x(INF),))
case("student_t_lpdf", Y3, t(4.0), t(0.3), t(1.4))
case("student_t_lpdf", Y3, t([4.0, 0.7, 30.0]), t([0.3, -0.2, 0.9]), t([1.4, 0.6, 2.5]))
case("student_t_lpdf", t(2.2), x(3.0), x(0.3), x(1.4))
case("student_t_lpdf", x(1e6), t(4.0), t(0.3), t(1.4))
edges("student_t_lpdf",
      (x(1.0), t(0.0), t(0.0), t(1.0)), (x(1.0), t(INF), t(0.0), t(1.0)),
      (x(1.0), t(3.0), t(INF), t(1.0)), (x(1.0), t(3.0), t(0.0), t(INF)),
      (x(1.0), t(3.0), t(0.0), t(0.0)), (x(NAN), t(3.0), t(0.0), t(1.0)),
      (x(INF), t(3.0), t(0.0), t(1.0)))
case("skew_normal_lpdf", Y3, t(0.3), t(1.4), t(2.0))
case("skew_normal_lpdf", Y3, t([0.3, -0.2, 0.9]), t(1.4), t([-2.0, 0.0, 1.0]))
case("skew_normal_lpdf", x(0.4), x(0.3), x(1.4), t([-2.0, 0.5, 1.0]))
case("skew_normal_lpdf", t(0.4), x(0.3), x(1.4), x(3.0))
edges("skew_normal_lpdf",
      (x(1.0), t(0.0), t(1.0), t(INF)), (x(1.0), t(0.0), t(0.0), t(1.0)),
      (x(1.0), t(INF), t(1.0), t(1.0)))

# ---- Distributions of positive numbers.
P3 = x([0.2, 1.5, 4.0])
for name in ["gamma", "inv_gamma", "weibull", "frechet"]:
    case(f"{name}_lpdf", P3, t(1.7), t(0.8))
    case(f"{name}_lpdf", P3, t([1.7, 0.6, 1.0]), t([0.8, 2.0, 1.5]))
    case(f"{name}_lpdf", t(0.9), x(2.5), x(1.2))
    case(f"{name}_lpdf", t([0.9, 0.1]), t(0.5), x(1.2))
    edges(f"{name}_lpdf",
          (x(0.0), t(1.7), t(0.8)), (x(-1.0), t(1.7), t(0.8)), (x(INF), t(1.7), t(0.8)),
          (x(NAN), t(1.7), t(0.8)), (x(1.0), t(0.0), t(0.8)), (x(1.0), t(1.7), t(0.0)),
          (x(1.0), t(INF), t(0.8)), (x(1.0), t(1.7), t(INF)), (x(-1.0), t(1.7), t(-0.8)),
          (x([1.0, -1.0]), t(1.7), t(0.8)), (x(0.0), t(1.0), t(0.8)), (x(0.0), t(0.5), t(0.8)),
          (x([-1.0, NAN]), t(1.7), t(0.8)))
case("exponential_lpdf", P3, t(0.8))
case("exponential_lpdf", P3, t([0.8, 2.0, 1.5]))
case("exponential_lpdf", t(0.9), x(2.5))
edges("exponential_lpdf",
      (x(0.0), t(0.8)), (x(-1.0), t(0.8)), (x(INF), t(0.8)), (x(1.0), t(0.0)), (x(1.0), t(INF)))
case("lognormal_lpdf", P3, t(0.3), t(1.4))
case("lognormal_lpdf", P3, t([0.3, -0.2, 0.9]), t([1.4, 0.6, 2.5]))
case("lognormal_lpdf", t(0.9), x(0.2), x(1.1))
edges("lognormal_lpdf",
      (x(0.0), t(0.3), t(1.4)), (x(-1.0), t(0.3), t(1.4)), (x(1.0), t(INF), t(1.4)),
      (x(1.0), t(0.3), t(INF)), (x(0.0), t(0.3), t(-1.0)), (x([0.0, 1.0]), t(0.3), t(1.4)))
case("chi_square_lpdf", P3, t(3.3))
case("chi_square_lpdf", t(0.9), t(1.1))
edges("chi_square_lpdf",
      (x(0.0), t(3.0)), (x(0.0), t(1.0)), (x(-1.0), t(3.0)), (x(1.0), t(0.0)), (x(INF), t(3.0)))
case("inv_chi_square_lpdf", P3, t(3.3))
case("inv_chi_square_lpdf", t(0.9), t(1.1))
edges("inv_chi_square_lpdf",
      (x(0.0), t(3.0)), (x(-1.0), t(3.0)), (x(-1.0), t(0.0)), (x(NAN), t(3.0)))
case("scaled_inv_chi_square_lpdf", P3, t(3.3), t(0.8))
case("scaled_inv_chi_square_lpdf", t(0.9), t(1.1), x(2.0))
edges("scaled_inv_chi_square_lpdf",
      (x(0.0), t(3.0), t(1.0)), (x(-1.0), t(3.0), t(-1.0)), (x(1.0), t(3.0), t(INF)))
case("rayleigh_lpdf", P3, t(1.4))
case("rayleigh_lpdf", t([0.9, 2.0]), t(1.4))
edges("rayleigh_lpdf", (x(0.0), t(1.4)), (x(-1.0), t(1.4)), (x(1.0), t(0.0)), (x(1.0), t(INF)))
case("pareto_lpdf", P3, t(0.1), t(1.4))
case("pareto_lpdf", t(0.9), x(0.2), x(1.1))
edges("pareto_lpdf",
      (x(0.05), t(0.1), t(1.4)), (x(0.05), t(0.1), t(-1.4)), (x(1.0), t(0.0), t(1.4)),
      (x(0.1), t(0.1), t(1.4)))
case("pareto_type_2_lpdf", P3, t(0.1), t(1.4), t(2.2))
case("pareto_type_2_lpdf", t(0.9), x(0.2), x(1.1), x(3.0))
edges("pareto_type_2_lpdf",
      (x(0.05), t(0.1), t(1.4), t(2.2)), (x(1.0), t(0.1), t(0.0), t(2.2)),
      (x(0.1), t(0.1), t(1.4), t(2.2)))
for tail in ["lcdf", "lccdf"]:
    case(f"exponential_{tail}", P3, t(0.8))
    case(f"exponential_{tail}", t(0.9), x(2.5))
    edges(f"exponential_{tail}", (x(0.0), t(0.8)), (x(-1.0), t(0.8)), (x(1.0), t(0.0)))
    case(f"lognormal_{tail}", P3, t(0.3), t(1.4))
    edges(f"lognormal_{tail}", (x(0.0), t(0.3), t(1.4)), (x(-1.0), t(0.3), t(1.4)))
    for name in ["weibull", "frechet"]:
        case(f"{name}_{tail}", P3, t(1.7), t(0.8))
        case(f"{name}_{tail}", t(0.9), x(2.5), x(1.2))
        edges(f"{name}_{tail}", (x(0.0), t(1.7), t(0.8)), (x(-1.0), t(1.7), t(0.8)),
              (x(1.0), t(1.7), t(0.0)))
    case(f"rayleigh_{tail}", P3, t(1.4))
    edges(f"rayleigh_{tail}", (x(0.0), t(1.4)), (x(-1.0), t(1.4)))
    case(f"pareto_{tail}", P3, t(0.1), t(1.4))
    edges(f"pareto_{tail}", (x(0.05), t(0.1), t(1.4)), (x(-1.0), t(0.1), t(1.4)),
          (x(INF), t(0.1), t(1.4)))
    case(f"pareto_type_2_{tail}", P3, t(0.1), t(1.4), t(2.2))
    edges(f"pareto_type_2_{tail}", (x(0.05), t(0.1), t(1.4), t(2.2)))

# ---- Distributions on intervals and on the circle.
U3 = x([0.1, 0.5, 0.93])
case("beta_lpdf", U3, t(1.7), t(0.8))
case("beta_lpdf", U3, t([1.7, 0.6, 1.0]), t([0.8, 2.0, 1.5]))
case("beta_lpdf", t(0.3), x(2.5), x(1.2))
edges("beta_lpdf",
      (x(0.0), t(1.7), t(0.8)), (x(1.0), t(1.7), t(1.8)), (x(-0.1), t(1.7), t(0.8)),
      (x(1.1), t(1.7), t(0.8)), (x(0.5), t(0.0), t(0.8)), (x(0.5), t(1.7), t(INF)),
      (x(0.0), t(1.0), t(1.0)), (x(0.0), t(0.5), t(1.0)))
case("beta_proportion_lpdf", U3, t(0.3), t(4.0))
case("beta_proportion_lpdf", t(0.3), x(0.2), t(4.0))
edges("beta_proportion_lpdf",
      (x(0.5), t(0.0), t(4.0)), (x(0.5), t(1.0), t(4.0)), (x(0.5), t(0.3), t(0.0)),
      (x(1.5), t(0.3), t(4.0)))
case("uniform_lpdf", U3, t(-0.2), t(1.4))
case("uniform_lpdf", t(0.3), t([0.0, -1.0]), x(2.0))
edges("uniform_lpdf",
      (x(2.0), t(-0.2), t(1.4)), (x(-1.0), t(-0.2), t(1.4)), (x(0.5), t(1.4), t(1.4)),
      (x(5.0), t(2.0), t(1.0)), (x(0.5), t(-INF), t(1.4)), (x(1.4), t(-0.2), t(1.4)))
for tail in ["lcdf", "lccdf"]:
    case(f"uniform_{tail}", U3, t(-0.2), t(1.4))
    edges(f"uniform_{tail}",
          (x(2.0), t(-0.2), t(1.4)), (x(-1.0), t(-0.2), t(1.4)), (x(5.0), t(2.0), t(1.0)))
case("von_mises_lpdf", Y3, t(0.3), t(1.4))
case("von_mises_lpdf", Y3, t([0.3, 3.0, -2.0]), t([0.1, 20.0, 400.0]))
case("von_mises_lpdf", t(8.0), x(0.3), x(1.4))
edges("von_mises_lpdf",
      (x(1.0), t(0.3), t(0.0)), (x(1.0), t(0.3), t(-1.0)), (x(1.0), t(0.3), t(INF)),
      (x(INF), t(0.3), t(1.0)), (x(1.0), t(INF), t(1.0)))

# ---- Binary outcomes and numbers of successes.
B4 = n([0, 1, 1, 0])
case("bernoulli_lpmf", B4, t(0.3))
case("bernoulli_lpmf", B4, t([0.3, 0.9, 0.01, 0.5]))
case("bernoulli_lpmf", n(1), t([0.3, 0.9]))
edges("bernoulli_lpmf",
      (n(1), t(0.0)), (n(0), t(0.0)), (n(1), t(1.0)), (n(0), t(1.0)), (n(2), t(0.3)),
      (n(-1), t(0.3)), (n(1), t(1.1)), (n(1), t(-0.1)), (n(1), t(NAN)), (n([1, 1]), t(1.0)),
      (n([1, 0]), t(1.0)))
case("bernoulli_logit_lpmf", B4, t(0.3))
case("bernoulli_logit_lpmf", B4, t([0.3, -2.0, 30.0, -800.0]))
case("bernoulli_logit_lpmf", n(0), t([0.3, -2.0]))
edges("bernoulli_logit_lpmf",
      (n(1), t(INF)), (n(0), t(INF)), (n(1), t(-INF)), (n(2), t(0.3)), (n(-1), t(0.3)),
      (n(1), t(NAN)), (n(1), t(-800.0)), (n(0), t(800.0)))
for tail in ["lcdf", "lccdf"]:
    case(f"bernoulli_{tail}", n([0, 0]), t(0.3))
    edges(f"bernoulli_{tail}", (n(1), t(0.3)), (n(-1), t(0.3)), (n(2), t(0.3)), (n(0), t(1.2)))
case("binomial_lpmf", n([3, 0, 7]), n([10, 4, 7]), t(0.3))
case("binomial_lpmf", n([3, 0, 7]), n(10), t([0.3, 0.2, 0.99]))
edges("binomial_lpmf",
      (n(0), n(0), t(0.3)), (n(0), n(5), t(0.0)), (n(5), n(5), t(1.0)), (n(0), n(5), t(1.0)),
      (n(3), n(5), t(0.0)), (n(6), n(5), t(0.3)), (n(-1), n(5), t(0.3)), (n(0), n(-1), t(0.3)),
      (n(2), n(5), t(1.1)), (n(5), n(5), t(0.0)), (n(0), n(0), t(0.0)))
case("binomial_logit_lpmf", n([3, 0, 7]), n([10, 4, 7]), t(0.3))
case("binomial_logit_lpmf", n([3, 0, 7]), n(10), t([0.3, -30.0, 30.0]))
edges("binomial_logit_lpmf",
      (n(0), n(0), t(0.3)), (n(6), n(5), t(0.3)), (n(-1), n(5), t(0.3)), (n(2), n(5), t(INF)),
      (n(2), n(5), t(NAN)))
case("beta_binomial_lpmf", n([3, 0, 7]), n([10, 4, 7]), t(1.7), t(0.8))
case("beta_binomial_lpmf", n([3, 0, 7]), n(10), t([1.7, 0.6, 30.0]), t([0.8, 2.0, 1.5]))
edges("beta_binomial_lpmf",
      (n(0), n(0), t(1.7), t(0.8)), (n(6), n(5), t(1.7), t(0.8)), (n(-1), n(5), t(1.7), t(0.8)),
      (n(6), n(5), t(0.0), t(0.8)), (n(0), n(-1), t(1.7), t(0.8)), (n(2), n(5), t(INF), t(0.8)))
case("hypergeometric_lpmf", n(2), n(5), n(6), n(8))
edges("hypergeometric_lpmf",
      (n(7), n(8), n(6), n(8)), (n(2), n(1), n(6), n(8)), (n(0), n(9), n(6), n(8)),
      (n(-1), n(5), n(6), n(8)))

# ---- Counts.
C3 = n([0, 3, 11])
case("poisson_lpmf", C3, t(2.2))
case("poisson_lpmf", C3, t([2.2, 0.1, 14.0]))
case("poisson_lpmf", n(4), t([2.2, 0.1]))
edges("poisson_lpmf",
      (n(0), t(0.0)), (n(3), t(0.0)), (n(3), t(INF)), (n(0), t(INF)), (n(-1), t(2.2)),
      (n(1), t(-0.1)), (n(1), t(NAN)), (n([0, 1]), t(0.0)))
case("poisson_log_lpmf", C3, t(0.7))
case("poisson_log_lpmf", C3, t([0.7, -3.0, 2.5]))
edges("poisson_log_lpmf",
      (n(0), t(-INF)), (n(3), t(-INF)), (n(3), t(INF)), (n(0), t(INF)), (n(-1), t(0.7)),
      (n(1), t(NAN)), (n(3), t(-800.0)), (n(3), t(800.0)))
case("neg_binomial_lpmf", C3, t(1.7), t(0.8))
case("neg_binomial_lpmf", C3, t([1.7, 0.2, 50.0]), t([0.8, 3.0, 9.0]))
case("neg_binomial_2_lpmf", C3, t(1.7), t(0.8))
case("neg_binomial_2_lpmf", C3, t([1.7, 0.2, 50.0]), t([0.8, 3.0, 900.0]))
case("neg_binomial_2_log_lpmf", C3, t(1.7), t(0.8))
case("neg_binomial_2_log_lpmf", C3, t([1.7, -4.0, 5.0]), t([0.8, 3.0, 900.0]))
for name in ["neg_binomial", "neg_binomial_2", "neg_binomial_2_log"]:
    edges(f"{name}_lpmf",
          (n(-1), t(1.7), t(0.8)), (n(2), t(1.7), t(0.0)), (n(2), t(INF), t(0.8)),
          (n(2), t(1.7), t(INF)), (n(2), t(0.0), t(1.0)), (n(0), t(1.7), t(1.0)))
case("discrete_range_lpmf", n([2, 5]), n(1), n(7))
edges("discrete_range_lpmf", (n(8), n(1), n(7)), (n(0), n(1), n(7)), (n(3), n(4), n(2)))

# ---- Categories.
SIMPLEX = made("simplex", 4, [0.3, -0.8, 0.5])
case("categorical_lpmf", n(2), SIMPLEX)
case("categorical_lpmf", n(4), SIMPLEX)
edges("categorical_lpmf",
      (n(0), SIMPLEX), (n(5), SIMPLEX), (n(1), t([0.5, 0.4])), (n(1), t([1.2, -0.2])),
      (n(2), t([1.0, 0.0])), (n(1), t([1.0, 0.0])))
case("categorical_logit_lpmf", n(2), t([0.3, -0.8, 0.5]))
case("categorical_logit_lpmf", n(3), t([0.3, 800.0, 0.5]))
edges("categorical_logit_lpmf",
      (n(0), t([0.3, -0.8])), (n(3), t([0.3, -0.8])), (n(1), t([0.3, -INF])),
      (n(1), t([NAN, 0.3])))
case("multinomial_lpmf", n([3, 0, 1, 7]), SIMPLEX)
edges("multinomial_lpmf",
      (n([1, 0]), t([1.0, 0.0])), (n([1, 1]), t([1.0, 0.0])), (n([-1, 1]), t([0.5, 0.5])),
      (n([1, 1]), t([0.5, 0.6])), (n([0, 0]), t([0.5, 0.5])))
case("multinomial_logit_lpmf", n([3, 0, 7]), t([0.3, -0.8, 0.5]))
case("dirichlet_multinomial_lpmf", n([3, 0, 7]), t([0.3, 0.8, 2.5]))
edges("dirichlet_multinomial_lpmf",
      (n([0, 0]), t([0.3, 0.8])), (n([-1, 2]), t([0.3, 0.8])), (n([1, 2]), t([0.0, 0.8])))
case("dirichlet_lpdf", SIMPLEX, t([0.3, 2.0, 1.0, 5.5]))
case("dirichlet_lpdf", x([0.2, 0.3, 0.5]), t([0.3, 2.0, 1.0]))
edges("dirichlet_lpdf",
      (x([0.2, 0.3]), t([0.3, 2.0])), (x([0.0, 1.0]), t([0.3, 2.0])),
      (x([0.0, 1.0]), t([1.0, 2.0])), (x([0.0, 1.0]), t([1.5, 2.0])),
      (x([0.5, 0.5]), t([0.0, 2.0])))
for name in ["ordered_logistic", "ordered_probit"]:
    for outcome in [1, 2, 3, 4]:
        case(f"{name}_lpmf", n(outcome), t(0.4), t([-1.0, 0.3, 1.7]))
    case(f"{name}_lpmf", n(2), t(4.0), t([-1.0, 0.3, 1.7]))
    case(f"{name}_lpmf", n(2), t(-4.0), t([-1.0, 0.3, 1.7]))
    case(f"{name}_lpmf", n(2), t(0.4), t([0.1]))
    edges(f"{name}_lpmf",
          (n(0), t(0.4), t([-1.0, 0.3])), (n(4), t(0.4), t([-1.0, 0.3])),
          (n(1), t(0.4), t([0.3, 0.3])), (n(1), t(0.4), t([0.3, -0.3])),
          (n(1), t(INF), t([-1.0, 0.3])), (n(1), t(0.4), t([-1.0, INF])))
case("ordered_logistic_lpmf", n(2), t(40.0), t([-1.0, 0.3, 1.7]))

# ---- Linear models.
X = x([[0.3, -1.0], [1.2, 0.4], [-0.7, 2.0]])
BETA = t([0.8, -0.5])
case("normal_id_glm_lpdf", Y3, X, t(0.3), BETA, t(1.4))
case("normal_id_glm_lpdf", Y3, X, t([0.3, 0.1, 0.0]), BETA, t([1.4, 1.0, 0.5]))
edges("normal_id_glm_lpdf", (Y3, X, t(0.3), BETA, t(0.0)), (Y3, X, t(NAN), BETA, t(1.0)))
case("bernoulli_logit_glm_lpmf", n([0, 1, 1]), X, t(0.3), BETA)
edges("bernoulli_logit_glm_lpmf", (n([0, 1, 2]), X, t(0.3), BETA))
case("poisson_log_glm_lpmf", C3, X, t(0.3), BETA)
edges("poisson_log_glm_lpmf", (n([0, 1, -1]), X, t(0.3), BETA))
case("neg_binomial_2_log_glm_lpmf", C3, X, t([0.3, 0.1, 0.0]), BETA, t(2.0))
edges("neg_binomial_2_log_glm_lpmf", (C3, X, t([0.3, 0.1, 0.0]), BETA, t(0.0)))
case("binomial_logit_glm_lpmf", n([3, 0, 7]), n([10, 4, 7]), X, t(0.3), BETA)
case("ordered_logistic_glm_lpmf", n([1, 3, 2]), X, BETA, t([-0.4, 0.9]))
case("categorical_logit_glm_lpmf", n([1, 3, 2]), X, t([0.1, 0.0, -0.3]),
     t([[0.8, -0.5, 0.1], [0.2, 0.3, -1.0]]))

# ---- Vectors and matrices.
COV = made("cov_matrix", 3, [0.1, 0.4, -0.2, -0.3, 0.5, 0.2])
CHOL = made("cholesky_factor_cov", 3, [0.1, 0.4, -0.2, -0.3, 0.5, 0.2])
FIXED_COV = x([[1.5, 0.3, 0.1], [0.3, 1.0, -0.2], [0.1, -0.2, 0.7]])
MU = t([0.3, -0.2, 0.9])
for name, spread in [("multi_normal", COV), ("multi_normal_prec", COV),
                     ("multi_normal_cholesky", CHOL)]:
    case(f"{name}_lpdf", Y3, MU, spread)
case("multi_normal_lpdf", t([0.1, 0.2, 0.3]), MU, FIXED_COV)
edges("multi_normal_lpdf",
      (x([1.0, 1.0]), t([0.0, 0.0]), t([[1.0, 0.5], [0.4, 1.0]])),
      (x([1.0, 1.0]), t([0.0, 0.0]), t([[1.0, 2.0], [2.0, 1.0]])),
      (x([1.0, 1.0]), t([0.0, INF]), t([[1.0, 0.5], [0.5, 1.0]])),
      (x([1.0, NAN]), t([0.0, 0.0]), t([[1.0, 0.5], [0.5, 1.0]])))
edges("multi_normal_cholesky_lpdf",
      (x([1.0, 1.0]), t([0.0, 0.0]), t([[NAN, 0.0], [0.4, 1.0]])),
      (x([1.0, 1.0]), t([0.0, 0.0]), t([[1.0, 0.0], [0.4, -1.0]])))
case("multi_student_t_lpdf", Y3, t(4.0), MU, COV)
case("multi_student_t_cholesky_lpdf", Y3, t(4.0), MU, CHOL)
edges("multi_student_t_lpdf", (x([1.0, 1.0]), t(0.0), t([0.0, 0.0]), t([[1.0, 0.5], [0.5, 1.0]])))
CORR = made("corr_matrix", 4, [0.3, -0.8, 0.5, 0.2, 0.1, -0.4])
CHOL_CORR = made("cholesky_factor_corr", 4, [0.3, -0.8, 0.5, 0.2, 0.1, -0.4])
# At eta = 1, and for the Wishart at nu = size + 1, Stan drops terms whose derivatives are not zero.
for eta, free_eta in [(0.7, 0.7), (1.0, 1.2), (3.0, 3.0)]:
    case("lkj_corr_lpdf", CORR, t(free_eta))
    case("lkj_corr_lpdf", CORR, x(eta))
    case("lkj_corr_cholesky_lpdf", CHOL_CORR, t(free_eta))
    case("lkj_corr_cholesky_lpdf", CHOL_CORR, x(eta))
edges("lkj_corr_lpdf",
      (CORR, t(0.0)), (t([[1.0, 2.0], [2.0, 1.0]]), t(1.0)), (t([[1.1, 0.2], [0.2, 1.0]]), t(1.0)))
edges("lkj_corr_cholesky_lpdf",
      (CHOL_CORR, t(0.0)), (t([[1.0, 0.0], [0.4, -1.0]]), t(1.0)),
      (t([[1.0, 0.1], [0.4, 1.0]]), t(1.0)))
case("wishart_lpdf", COV, t(4.5), FIXED_COV)
case("wishart_lpdf", FIXED_COV, t(4.25), COV)
case("inv_wishart_lpdf", COV, t(4.5), FIXED_COV)
case("inv_wishart_lpdf", FIXED_COV, t(4.25), COV)
edges("wishart_lpdf", (FIXED_COV, t(2.0), COV), (FIXED_COV, t(1.5), COV))
edges("inv_wishart_lpdf", (FIXED_COV, t(2.0), COV), (FIXED_COV, t(2.5), COV))

# ---- Related distributions that few models use.
case("exp_mod_normal_lpdf", Y3, t(0.3), t(1.4), t(0.8))
case("exp_mod_normal_lpdf", t(0.7), t([0.3, -0.2]), x(1.4), x(2.0))
edges("exp_mod_normal_lpdf",
      (x(1.0), t(INF), t(1.0), t(1.0)), (x(1.0), t(0.0), t(0.0), t(1.0)),
      (x(1.0), t(0.0), t(1.0), t(INF)), (x(NAN), t(0.0), t(1.0), t(1.0)))
case("skew_double_exponential_lpdf", Y3, t(0.3), t(1.4), t(0.2))
case("skew_double_exponential_lpdf", t([0.7, -2.0]), x(0.3), t(1.4), x(0.9))
edges("skew_double_exponential_lpdf",
      (x(1.0), t(0.0), t(1.0), t(0.0)), (x(1.0), t(0.0), t(1.0), t(1.5)),
      (x(1.0), t(0.0), t(-1.0), t(0.5)))
case("loglogistic_lpdf", P3, t(0.8), t(1.7))
case("loglogistic_lpdf", t(0.9), x(2.5), t([1.2, 0.3]))
edges("loglogistic_lpdf",
      (x(0.0), t(0.8), t(1.7)), (x(1.0), t(0.0), t(1.7)), (x(1.0), t(0.8), t(INF)))
for tail in ["lcdf", "lccdf"]:
    case(f"loglogistic_{tail}", x(1.9), t(0.8), t(1.7))
    case(f"loglogistic_{tail}", t(0.9), x(2.5), t(1.2))
    edges(f"loglogistic_{tail}", (x(1.0), t(0.0), t(1.7)), (x(1.0), t(0.8), t(INF)))
case("beta_neg_binomial_lpmf", C3, t(1.7), t(0.8), t(2.5))
case("beta_neg_binomial_lpmf", C3, t([1.7, 0.2, 5.0]), t(0.8), t([2.5, 1.0, 9.0]))
edges("beta_neg_binomial_lpmf",
      (n(-1), t(1.7), t(0.8), t(2.5)), (n(2), t(0.0), t(0.8), t(2.5)))

# ---- Tails that use the incomplete gamma and beta functions, Student's t and Owen's T.
for tail in ["lcdf", "lccdf"]:
    for name in ["gamma", "inv_gamma", "scaled_inv_chi_square"]:
        case(f"{name}_{tail}", P3, t(1.7), t(0.8))
        case(f"{name}_{tail}", x(0.4), t(0.3), t(2.5))
        case(f"{name}_{tail}", t(3.0), x(25.0), x(9.0))
        case(f"{name}_{tail}", x([0.7, 30.0]), t([3.0, 40.0]), t(1.2))
        edges(f"{name}_{tail}",
              (x(0.0), t(1.7), t(0.8)), (x(-1.0), t(1.7), t(0.8)), (x(1.0), t(0.0), t(0.8)),
              (x(1.0), t(1.7), t(INF)), (x(1.0), t(NAN), t(1.0)))
    for name in ["chi_square", "inv_chi_square"]:
        case(f"{name}_{tail}", P3, t(1.7))
        case(f"{name}_{tail}", t(0.9), t(4.5))
        edges(f"{name}_{tail}", (x(0.0), t(1.7)), (x(1.0), t(-1.0)))
    case(f"beta_{tail}", x([0.03, 0.5, 0.97]), t(1.7), t(0.8))
    case(f"beta_{tail}", x(0.4), t(12.0), t([30.0, 0.3]))
    case(f"beta_{tail}", t(0.6), x(2.0), t(5.0))
    edges(f"beta_{tail}",
          (x(1.2), t(1.7), t(0.8)), (x(-0.2), t(1.7), t(0.8)), (x(0.5), t(0.0), t(0.8)))
    case(f"beta_proportion_{tail}", x([0.03, 0.5, 0.97]), t(0.3), t(4.0))
    edges(f"beta_proportion_{tail}", (x(0.5), t(1.2), t(4.0)), (x(0.5), t(0.4), t(-1.0)))
    case(f"student_t_{tail}", Y3, t(3.5), t(0.3), t(1.4))
    case(f"student_t_{tail}", t(-4.0), x(4.0), t([0.3, 2.0]), x(0.8))
    case(f"student_t_{tail}", x(0.3), t(0.4), t(0.7), t(2.0))
    case(f"student_t_{tail}", x(12.0), t(40.0), t(0.7), t(2.0))
    edges(f"student_t_{tail}",
          (x(1.0), t(0.0), t(0.0), t(1.0)), (x(1.0), t(3.0), t(INF), t(1.0)),
          (x(1.0), t(3.0), t(0.0), t(-1.0)), (x(NAN), t(3.0), t(0.0), t(1.0)))
    case(f"skew_normal_{tail}", Y3, t(0.3), t(1.4), t(0.8))
    case(f"skew_normal_{tail}", t(0.2), x(0.3), t(1.4), t(-3.0))
    case(f"exp_mod_normal_{tail}", Y3, t(0.3), t(1.4), t(0.8))
    case(f"exp_mod_normal_{tail}", t(0.2), x(0.3), t(1.4), t(2.0))
    case(f"skew_double_exponential_{tail}", Y3, t(0.3), t(1.4), t(0.2))
    case(f"skew_double_exponential_{tail}", t(-2.0), x(0.3), t(1.4), t(0.9))
    case(f"poisson_{tail}", C3, t(2.3))
    case(f"poisson_{tail}", n([1, 40]), t([0.2, 30.0]))
    edges(f"poisson_{tail}", (n(-1), t(2.3)), (n(2), t(-1.0)), (n(2), t(NAN)))
    case(f"neg_binomial_{tail}", C3, t(1.7), t(0.8))
    case(f"neg_binomial_2_{tail}", C3, t(1.7), t(0.8))
    case(f"neg_binomial_2_{tail}", n(3), t(12.0), t(0.2))
    for name in ["neg_binomial", "neg_binomial_2"]:
        edges(f"{name}_{tail}", (n(-1), t(1.7), t(0.8)), (n(2), t(0.0), t(0.8)))
    case(f"binomial_{tail}", n(3), n(7), t(0.3))
    case(f"binomial_{tail}", n([0, 4]), n([2, 9]), t([0.8, 0.4]))
    edges(f"binomial_{tail}",
          (n(-1), n(5), t(0.4)), (n(5), n(5), t(0.4)), (n(8), n(5), t(0.4)), (n(2), n(5), t(1.2)))

# ---- Tails of counts with a beta distributed rate, on the circle, and of counts from 1 on.
for tail in ["lcdf", "lccdf"]:
    case(f"beta_binomial_{tail}", n([3, 0, 6]), n([10, 4, 7]), t(1.7), t(0.8))
    case(f"beta_binomial_{tail}", n(3), n(10), t([1.7, 0.6, 30.0]), t([0.8, 2.0, 1.5]))
    case(f"beta_binomial_{tail}", n(41), n(60), t(12.0), x(5.0))
    case(f"beta_binomial_{tail}", n(2), n(9), x(0.2), t(0.3))
    edges(f"beta_binomial_{tail}",
          (n(-1), n(5), t(1.7), t(0.8)), (n(5), n(5), t(1.7), t(0.8)), (n(8), n(5), t(1.7), t(0.8)),
          (n(0), n(0), t(1.7), t(0.8)), (n(2), n(-1), t(1.7), t(0.8)), (n(2), n(5), t(0.0), t(0.8)),
          (n(2), n(5), t(1.7), t(INF)), (n(-1), n(5), t(1.7), t(NAN)))
    case(f"beta_neg_binomial_{tail}", C3, t(1.7), t(2.8), t(2.5))
    case(f"beta_neg_binomial_{tail}", n(4), t([1.7, 5.0]), x(3.2), t([2.5, 1.0]))
    edges(f"beta_neg_binomial_{tail}",
          (n(-1), t(1.7), t(0.8), t(2.5)), (n(2), t(0.0), t(0.8), t(2.5)),
          (n(2), t(1.7), t(0.8), t(INF)))
    case(f"von_mises_{tail}", x([-1.3, 0.4, 2.2]), t(0.3), t(1.4))
    case(f"von_mises_{tail}", x([-3.0, -0.4, 2.4]), t([-2.5, 9.0, -41.5]), t([0.1, 20.0, 48.0]))
    case(f"von_mises_{tail}", t(0.4), x(0.3), t(49.4))
    case(f"von_mises_{tail}", t(0.4), t(0.3), t(60.0))
    case(f"von_mises_{tail}", t([-2.0, 2.0]), t(3.0), x(2.0))
    edges(f"von_mises_{tail}",
          (x(4.0), t(0.3), t(1.4)), (x(1.0), t(INF), t(1.4)), (x(1.0), t(0.3), t(0.0)),
          (x(1.0), t(0.3), t(-1.0)), (x(3.141592653589793), t(0.3), t(1.4)),
          (x(-3.141592653589793), t(0.3), t(1.4)))
    case(f"yule_simon_{tail}", n([1, 4, 20]), t(1.3))
    case(f"yule_simon_{tail}", n(3), t([0.2, 9.0]))
    edges(f"yule_simon_{tail}", (n(0), t(1.3)), (n(2), t(0.0)), (n(2), t(INF)))
    edges(f"discrete_range_{tail}",
          (n([2, 5]), n(1), n(7)), (n(8), n(1), n(7)), (n(7), n(1), n(7)), (n(0), n(1), n(7)),
          (n(3), n(4), n(2)))
case("yule_simon_lpmf", n([1, 4, 20]), t(1.3))
case("yule_simon_lpmf", n(3), t([0.2, 9.0]))
edges("yule_simon_lpmf", (n(0), t(1.3)), (n(2), t(0.0)), (n(2), t(INF)))
FIXED_CHOL = x([[1.5, 0.0, 0.0], [0.3, 1.0, 0.0], [0.1, -0.2, 0.7]])
for name in ["wishart_cholesky", "inv_wishart_cholesky"]:
    case(f"{name}_lpdf", CHOL, t(4.5), FIXED_CHOL)
    case(f"{name}_lpdf", FIXED_CHOL, t(4.25), CHOL)
    edges(f"{name}_lpdf",
          (FIXED_CHOL, t(2.0), CHOL), (t([[1.0, 0.0], [0.4, -1.0]]), t(3.0), x([[1.0, 0.0], [0.0, 1.0]])),
          (t([[1.0, 0.3], [0.4, 1.0]]), t(3.0), x([[1.0, 0.0], [0.0, 1.0]])))

# ---- Negative binomials close to Poisson: terms with large shapes cancel.
for shape in [900.0, 1500.0, 3e4]:
    case("neg_binomial_2_lpmf", C3, t(12.0), t(shape))
    case("neg_binomial_2_log_lpmf", C3, t(2.3), t(shape))
    case("neg_binomial_lpmf", C3, t(shape), t(shape / 8.0))
    case("beta_neg_binomial_lpmf", C3, t(1.7), t(2.8), t(shape))
case("exp_mod_normal_lpdf", x([1.0, 4.0]), t(0.3), t(0.9), t(30.0))

# ---- First passage times where the two series meet and at the limits.
for times in [[0.35, 0.9, 2.6], [0.31, 12.0, 40.0]]:
    case("wiener_lpdf", x(times), t(1.3), t(0.2), t(0.4), t(0.7))
    case("wiener_lpdf", x(times), t([1.3, 0.8, 2.2]), t([0.2, 0.1, 0.3]), t([0.4, 0.7, 0.05]),
         t([0.7, -1.5, 3.0]))
case("wiener_lpdf", t(0.9), x(1.0), x(0.3), x(0.95), x(-0.4))
edges("wiener_lpdf",
      (x(0.5), t(0.0), t(0.2), t(0.4), t(0.7)), (x(0.5), t(INF), t(0.2), t(0.4), t(0.7)),
      (x(0.5), t(1.3), t(0.0), t(0.4), t(0.7)), (x(0.5), t(1.3), t(0.5), t(0.4), t(0.7)),
      (x(0.5), t(1.3), t(0.6), t(0.4), t(0.7)), (x(0.5), t(1.3), t(0.2), t(1.5), t(0.7)),
      (x(0.5), t(1.3), t(0.2), t(-0.1), t(0.7)), (x(0.5), t(1.3), t(0.2), t(0.4), t(INF)),
      (x(0.5), t(1.3), t(0.2), t(0.4), t(NAN)), (x(NAN), t(1.3), t(0.2), t(0.4), t(0.7)),
      (x(-1.0), t(1.3), t(0.2), t(0.4), t(0.7)), (x([0.5, 0.1]), t(1.3), t(0.2), t(0.4), t(0.7)))
edges("uniform_lpdf", (x(NAN), t(0.0), t(1.0)), (t(NAN), x(0.0), x(1.0)),
      (x([0.5, NAN]), t(0.0), t(1.0)))

# ---- Infinite arguments, infinite scales and probabilities near 0.
for tail in ["lcdf", "lccdf"]:
    edges(f"exp_mod_normal_{tail}", (x(-INF), t(0.3), t(1.4), t(0.6)), (x(INF), t(0.3), t(1.4), t(0.6)))
    edges(f"bernoulli_{tail}", *((n(k), t(p)) for k in [-1, 0, 1, 2] for p in [0.0, 1.0]))
edges("normal_lcdf", (x(-INF), t(0.0), t(INF)), (x(INF), t(0.0), t(INF)), (x(-INF), t(0.0), t(1.0)))
edges("beta_lccdf", (x(1e-17), t(0.4), t(0.4)), (x(1e-17), t(0.4), t(3.0)), (x(1e-9), t(0.3), t(1.5)))
case("beta_proportion_lccdf", x(1e-17), t(0.3), t(0.4))
