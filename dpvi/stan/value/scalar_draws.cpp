#include <dpvi/stan/value/scalar_draws.hpp>

#include <cmath>
#include <limits>
#include <numbers>
#include <span>
#include <string_view>

#include <dpvi/tape/math/special_functions.hpp>

namespace dpvi {
namespace {

using Source = UniformSource;
using Parameters = std::span<const double>;

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kInfinity = std::numeric_limits<double>::infinity();
// Stan also rejects larger counts, because they no longer fit an int.
constexpr double kLargestCount = 1073741824.0;

bool positive(double x) { return x > 0.0 && x < kInfinity; }
bool probability(double x) { return x >= 0.0 && x <= 1.0; }
double inv_logit(double x) { return 1.0 / (1.0 + std::exp(-x)); }

double draw_exponential(const Source& uniform) { return -std::log(uniform()); }
double draw_chi_square(const Source& uniform, double nu) {
  return 2.0 * draw_gamma(uniform, 0.5 * nu);
}

double draw_beta(const Source& uniform, double a, double b) {
  const double x = draw_gamma(uniform, a);
  return x / (x + draw_gamma(uniform, b));
}

// Ahrens and Dieter (1974): draws the waiting time of many events at once, then handles the
// remaining rate.
double draw_poisson(const Source& uniform, double rate) {
  if (!(rate >= 0.0) || rate > kLargestCount) return kNan;
  double count = 0.0;
  constexpr double kFew = 12.0;
  while (rate > kFew) {
    const double events = std::floor(0.875 * rate);
    const double time = draw_gamma(uniform, events);
    if (time > rate) return count + draw_binomial(uniform, events - 1.0, rate / time);
    count += events;
    rate -= time;
  }
  const double floor = std::exp(-rate);
  for (double product = uniform(); product > floor; product *= uniform()) ++count;
  return count;
}

// Best and Fisher (1979).
double draw_von_mises(const Source& uniform, double mu, double kappa) {
  if (kappa < 1e-8) return std::numbers::pi * (2.0 * uniform() - 1.0);
  const double tau = 1.0 + std::sqrt(1.0 + 4.0 * kappa * kappa);
  const double rho = (tau - std::sqrt(2.0 * tau)) / (2.0 * kappa);
  const double r = (1.0 + rho * rho) / (2.0 * rho);
  while (true) {
    const double z = std::cos(std::numbers::pi * uniform());
    const double f = (1.0 + r * z) / (r + z);
    const double c = kappa * (r - f);
    const double u = uniform();
    if (c * (2.0 - c) <= u && std::log(c / u) + 1.0 < c) continue;
    const double angle = std::acos(std::fmax(-1.0, std::fmin(1.0, f)));
    return std::remainder(mu + (uniform() < 0.5 ? -angle : angle), 2.0 * std::numbers::pi);
  }
}

double draw_hypergeometric(const Source& uniform, double draws, double white, double black) {
  constexpr double kMaxDraws = 1e6;
  if (!(draws >= 0.0 && draws <= white + black) || white < 0.0 || black < 0.0) return kNan;
  if (draws > kMaxDraws) return kNan;
  double found = 0.0;
  for (; draws > 0.0; --draws) {
    const bool is_white = uniform() * (white + black) < white;
    (is_white ? white : black) -= 1.0;
    found += is_white ? 1.0 : 0.0;
  }
  return found;
}

double draw_skew_normal(const Source& uniform, Parameters p) {
  const double delta = p[2] / std::sqrt(1.0 + p[2] * p[2]);
  const double half = std::fabs(draw_standard_normal(uniform));
  const double rest = std::sqrt(1.0 - delta * delta) * draw_standard_normal(uniform);
  return p[1] > 0.0 ? p[0] + p[1] * (delta * half + rest) : kNan;
}

double draw_skew_double_exponential(const Source& uniform, Parameters p) {
  if (!positive(p[1]) || !(p[2] > 0.0 && p[2] < 1.0)) return kNan;
  const bool below = uniform() < p[2];
  const double distance = 0.5 * p[1] * draw_exponential(uniform);
  return below ? p[0] - distance / (1.0 - p[2]) : p[0] + distance / p[2];
}

struct NamedDraw {
  std::string_view name;
  double (*draw)(const Source&, Parameters);
};

double located(double location, double scale, double standard) {
  return positive(scale) ? location + scale * standard : kNan;
}

constexpr NamedDraw kContinuousDraws[] = {
    {"normal",
     [](const Source& u, Parameters p) { return located(p[0], p[1], draw_standard_normal(u)); }},
    {"std_normal", [](const Source& u, Parameters) { return draw_standard_normal(u); }},
    {"student_t",
     [](const Source& u, Parameters p) {
       if (!(p[0] > 0.0)) return kNan;
       const double z = draw_standard_normal(u);
       return located(p[1], p[2], z / std::sqrt(draw_chi_square(u, p[0]) / p[0]));
     }},
    {"cauchy",
     [](const Source& u, Parameters p) {
       return located(p[0], p[1], std::tan(std::numbers::pi * (u() - 0.5)));
     }},
    {"double_exponential",
     [](const Source& u, Parameters p) {
       const double size = draw_exponential(u);
       return located(p[0], p[1], u() < 0.5 ? -size : size);
     }},
    {"logistic",
     [](const Source& u, Parameters p) {
       const double x = u();
       return located(p[0], p[1], std::log(x) - std::log1p(-x));
     }},
    {"gumbel", [](const Source& u,
                  Parameters p) { return located(p[0], p[1], -std::log(draw_exponential(u))); }},
    {"lognormal",
     [](const Source& u, Parameters p) {
       return std::exp(located(p[0], p[1], draw_standard_normal(u)));
     }},
    {"loglogistic",
     [](const Source& u, Parameters p) {
       const double x = u();
       if (!positive(p[0]) || !positive(p[1])) return kNan;
       return p[0] * std::exp((std::log(x) - std::log1p(-x)) / p[1]);
     }},
    {"chi_square", [](const Source& u,
                      Parameters p) { return positive(p[0]) ? draw_chi_square(u, p[0]) : kNan; }},
    {"inv_chi_square",
     [](const Source& u, Parameters p) {
       return positive(p[0]) ? 1.0 / draw_chi_square(u, p[0]) : kNan;
     }},
    {"scaled_inv_chi_square",
     [](const Source& u, Parameters p) {
       if (!positive(p[0]) || !positive(p[1])) return kNan;
       return p[0] * p[1] * p[1] / draw_chi_square(u, p[0]);
     }},
    {"exponential",
     [](const Source& u, Parameters p) {
       return positive(p[0]) ? draw_exponential(u) / p[0] : kNan;
     }},
    {"gamma",
     [](const Source& u, Parameters p) {
       return positive(p[0]) && positive(p[1]) ? draw_gamma(u, p[0]) / p[1] : kNan;
     }},
    {"inv_gamma",
     [](const Source& u, Parameters p) {
       return positive(p[0]) && positive(p[1]) ? p[1] / draw_gamma(u, p[0]) : kNan;
     }},
    {"weibull",
     [](const Source& u, Parameters p) {
       if (!positive(p[0]) || !positive(p[1])) return kNan;
       return p[1] * std::pow(draw_exponential(u), 1.0 / p[0]);
     }},
    {"frechet",
     [](const Source& u, Parameters p) {
       if (!positive(p[0]) || !positive(p[1])) return kNan;
       return p[1] * std::pow(draw_exponential(u), -1.0 / p[0]);
     }},
    {"rayleigh",
     [](const Source& u, Parameters p) {
       return positive(p[0]) ? p[0] * std::sqrt(2.0 * draw_exponential(u)) : kNan;
     }},
    {"pareto",
     [](const Source& u, Parameters p) {
       if (!positive(p[0]) || !positive(p[1])) return kNan;
       return p[0] * std::exp(draw_exponential(u) / p[1]);
     }},
    {"pareto_type_2",
     [](const Source& u, Parameters p) {
       if (!positive(p[1]) || !positive(p[2])) return kNan;
       return p[0] + p[1] * std::expm1(draw_exponential(u) / p[2]);
     }},
    {"beta",
     [](const Source& u, Parameters p) {
       return positive(p[0]) && positive(p[1]) ? draw_beta(u, p[0], p[1]) : kNan;
     }},
    {"beta_proportion",
     [](const Source& u, Parameters p) {
       if (!(p[0] > 0.0 && p[0] < 1.0) || !positive(p[1])) return kNan;
       return draw_beta(u, p[0] * p[1], (1.0 - p[0]) * p[1]);
     }},
    {"uniform",
     [](const Source& u, Parameters p) { return p[0] < p[1] ? p[0] + (p[1] - p[0]) * u() : kNan; }},
    {"von_mises",
     [](const Source& u, Parameters p) {
       return p[1] >= 0.0 && std::isfinite(p[0]) ? draw_von_mises(u, p[0], p[1]) : kNan;
     }},
    {"skew_normal", draw_skew_normal},
    {"skew_double_exponential", draw_skew_double_exponential},
    {"exp_mod_normal",
     [](const Source& u, Parameters p) {
       if (!positive(p[2])) return kNan;
       return located(p[0], p[1], draw_standard_normal(u)) + draw_exponential(u) / p[2];
     }},
};

double draw_negative_binomial(const Source& u, double shape, double mean) {
  if (!positive(shape) || !positive(mean)) return kNan;
  return draw_poisson(u, draw_gamma(u, shape) * mean / shape);
}

double draw_trials(const Source& u, double trials, double p) {
  return trials >= 0.0 && probability(p) ? draw_binomial(u, trials, p) : kNan;
}

double draw_once(const Source& u, double p) {
  if (!probability(p)) return kNan;
  return u() < p ? 1.0 : 0.0;
}

constexpr NamedDraw kDiscreteDraws[] = {
    {"bernoulli", [](const Source& u, Parameters p) { return draw_once(u, p[0]); }},
    {"bernoulli_logit",
     [](const Source& u, Parameters p) { return draw_once(u, inv_logit(p[0])); }},
    {"binomial", [](const Source& u, Parameters p) { return draw_trials(u, p[0], p[1]); }},
    {"binomial_logit",
     [](const Source& u, Parameters p) { return draw_trials(u, p[0], inv_logit(p[1])); }},
    {"beta_binomial",
     [](const Source& u, Parameters p) {
       if (!positive(p[1]) || !positive(p[2])) return kNan;
       return draw_trials(u, p[0], draw_beta(u, p[1], p[2]));
     }},
    {"hypergeometric",
     [](const Source& u, Parameters p) { return draw_hypergeometric(u, p[0], p[1], p[2]); }},
    {"poisson", [](const Source& u, Parameters p) { return draw_poisson(u, p[0]); }},
    {"poisson_log", [](const Source& u, Parameters p) { return draw_poisson(u, std::exp(p[0])); }},
    {"neg_binomial",
     [](const Source& u, Parameters p) { return draw_negative_binomial(u, p[0], p[0] / p[1]); }},
    {"neg_binomial_2",
     [](const Source& u, Parameters p) { return draw_negative_binomial(u, p[1], p[0]); }},
    {"neg_binomial_2_log",
     [](const Source& u, Parameters p) { return draw_negative_binomial(u, p[1], std::exp(p[0])); }},
    {"beta_neg_binomial",
     [](const Source& u, Parameters p) {
       if (!positive(p[0]) || !positive(p[1]) || !positive(p[2])) return kNan;
       const double share = draw_beta(u, p[1], p[2]);
       return draw_negative_binomial(u, p[0], p[0] * (1.0 - share) / share);
     }},
    {"yule_simon",
     [](const Source& u, Parameters p) {
       if (!positive(p[0])) return kNan;
       const double success = std::pow(u(), 1.0 / p[0]);
       return 1.0 + std::floor(std::log(u()) / std::log1p(-success));
     }},
    {"discrete_range",
     [](const Source& u, Parameters p) {
       return p[0] <= p[1] ? p[0] + std::floor(u() * (p[1] - p[0] + 1.0)) : kNan;
     }},
};

const NamedDraw* find_draw(std::string_view distribution) {
  for (const std::span<const NamedDraw> table :
       {std::span<const NamedDraw>(kContinuousDraws), std::span<const NamedDraw>(kDiscreteDraws)}) {
    for (const NamedDraw& row : table) {
      if (row.name == distribution) return &row;
    }
  }
  return nullptr;
}

}  // namespace

double draw_standard_normal(const UniformSource& uniform) {
  return standard_normal_quantile(uniform());
}

// Marsaglia and Tsang (2000). A shape below 1 is increased by one and corrected by a power of a
// uniform number.
double draw_gamma(const UniformSource& uniform, double shape) {
  if (shape < 1.0) return draw_gamma(uniform, shape + 1.0) * std::pow(uniform(), 1.0 / shape);
  const double d = shape - 1.0 / 3.0;
  const double c = 1.0 / std::sqrt(9.0 * d);
  while (true) {
    const double z = draw_standard_normal(uniform);
    const double root = 1.0 + c * z;
    if (root <= 0.0) continue;
    const double v = root * root * root;
    if (std::log(uniform()) < 0.5 * z * z + d * (1.0 - v + std::log(v))) return d * v;
  }
}

// Splits the trials at the median of their uniform numbers until few are left (Devroye 1986, X.4).
double draw_binomial(const UniformSource& uniform, double trials, double probability) {
  if (trials > kLargestCount) return kNan;
  double count = 0.0;
  constexpr double kFew = 16.0;
  while (trials > kFew) {
    const double lower = 1.0 + std::floor(0.5 * trials);
    const double split = draw_beta(uniform, lower, trials + 1.0 - lower);
    if (split >= probability) {
      trials = lower - 1.0;
      probability /= split;
    } else {
      count += lower;
      trials -= lower;
      probability = (probability - split) / (1.0 - split);
    }
  }
  for (; trials > 0.0; --trials) count += uniform() < probability ? 1.0 : 0.0;
  return count;
}

bool has_scalar_draw(std::string_view distribution) { return find_draw(distribution) != nullptr; }

double draw_scalar(const UniformSource& uniform, std::string_view distribution,
                   std::span<const double> parameters) {
  const NamedDraw* found = find_draw(distribution);
  return found == nullptr ? kNan : found->draw(uniform, parameters);
}

}  // namespace dpvi
