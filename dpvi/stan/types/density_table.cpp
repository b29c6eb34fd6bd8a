#include <dpvi/stan/types/density_table.hpp>

#include <algorithm>
#include <array>

namespace dpvi {
namespace {

constexpr bool kContinuous = false;
constexpr bool kDiscrete = true;
constexpr bool kTogether = false;
constexpr bool kOneByOne = true;

// `random` is empty for a distribution over scalars: the signature of its _rng function follows
// from the arguments (function_lookup.cpp).
constexpr auto kRows = std::to_array<DensityRow>({
    {"normal", kContinuous, kTogether, "reals reals reals", ""},
    {"std_normal", kContinuous, kTogether, "reals", ""},
    {"student_t", kContinuous, kTogether, "reals reals reals reals", ""},
    {"cauchy", kContinuous, kTogether, "reals reals reals", ""},
    {"double_exponential", kContinuous, kTogether, "reals reals reals", ""},
    {"logistic", kContinuous, kTogether, "reals reals reals", ""},
    {"gumbel", kContinuous, kTogether, "reals reals reals", ""},
    {"lognormal", kContinuous, kTogether, "reals reals reals", ""},
    {"loglogistic", kContinuous, kTogether, "reals reals reals", ""},
    {"chi_square", kContinuous, kTogether, "reals reals", ""},
    {"inv_chi_square", kContinuous, kTogether, "reals reals", ""},
    {"scaled_inv_chi_square", kContinuous, kTogether, "reals reals reals", ""},
    {"exponential", kContinuous, kTogether, "reals reals", ""},
    {"gamma", kContinuous, kTogether, "reals reals reals", ""},
    {"inv_gamma", kContinuous, kTogether, "reals reals reals", ""},
    {"weibull", kContinuous, kTogether, "reals reals reals", ""},
    {"frechet", kContinuous, kTogether, "reals reals reals", ""},
    {"rayleigh", kContinuous, kTogether, "reals reals", ""},
    {"pareto", kContinuous, kTogether, "reals reals reals", ""},
    {"pareto_type_2", kContinuous, kTogether, "reals reals reals reals", ""},
    {"beta", kContinuous, kTogether, "reals reals reals", ""},
    {"beta_proportion", kContinuous, kTogether, "reals reals reals", ""},
    {"uniform", kContinuous, kTogether, "reals reals reals", ""},
    {"von_mises", kContinuous, kTogether, "reals reals reals", ""},
    {"skew_normal", kContinuous, kTogether, "reals reals reals reals", ""},
    {"skew_double_exponential", kContinuous, kTogether, "reals reals reals reals", ""},
    {"exp_mod_normal", kContinuous, kTogether, "reals reals reals reals", ""},
    {"wiener", kContinuous, kTogether, "reals reals reals reals reals", ""},
    {"bernoulli", kDiscrete, kTogether, "ints reals", ""},
    {"bernoulli_logit", kDiscrete, kTogether, "ints reals", ""},
    {"binomial", kDiscrete, kTogether, "ints ints reals", ""},
    {"binomial_logit", kDiscrete, kTogether, "ints ints reals", ""},
    {"beta_binomial", kDiscrete, kTogether, "ints ints reals reals", ""},
    {"hypergeometric", kDiscrete, kTogether, "ints ints ints ints", ""},
    {"poisson", kDiscrete, kTogether, "ints reals", ""},
    {"poisson_log", kDiscrete, kTogether, "ints reals", ""},
    {"neg_binomial", kDiscrete, kTogether, "ints reals reals", ""},
    {"neg_binomial_2", kDiscrete, kTogether, "ints reals reals", ""},
    {"neg_binomial_2_log", kDiscrete, kTogether, "ints reals reals", ""},
    {"beta_neg_binomial", kDiscrete, kTogether, "ints reals reals reals", ""},
    {"yule_simon", kDiscrete, kTogether, "ints reals", ""},
    {"discrete_range", kDiscrete, kTogether, "ints ints ints", ""},
    {"bernoulli_logit_glm", kDiscrete, kTogether, "ints design reals vector",
     "matrix vector vector -> int[];row_vector vector vector -> int[]"},
    {"poisson_log_glm", kDiscrete, kTogether, "ints design reals vector", ""},
    {"binomial_logit_glm", kDiscrete, kTogether, "ints ints design reals vector", ""},
    {"neg_binomial_2_log_glm", kDiscrete, kTogether, "ints design reals vector reals", ""},
    {"normal_id_glm", kContinuous, kTogether, "reals design reals vector reals", ""},
    {"categorical_logit_glm", kDiscrete, kTogether, "ints design vector matrix", ""},
    {"ordered_logistic_glm", kDiscrete, kTogether, "ints design vector vector", ""},
    {"categorical", kDiscrete, kOneByOne, "ints vector", "vector -> int"},
    {"categorical_logit", kDiscrete, kOneByOne, "ints vector", "vector -> int"},
    {"ordered_logistic", kDiscrete, kOneByOne, "ints reals vectors", "real vector -> int"},
    {"ordered_probit", kDiscrete, kOneByOne, "ints reals vectors", "real vector -> int"},
    {"dirichlet", kContinuous, kOneByOne, "vectors vectors", "vector -> vector"},
    {"multinomial", kDiscrete, kOneByOne, "int[] vector", "vector int -> int[]"},
    {"multinomial_logit", kDiscrete, kOneByOne, "int[] vector", "vector int -> int[]"},
    {"dirichlet_multinomial", kDiscrete, kOneByOne, "int[] vector", "vector int -> int[]"},
    {"multi_normal", kContinuous, kOneByOne, "vectors vectors matrix",
     "vector matrix -> vector;row_vector matrix -> vector;vector[] matrix -> vector[];row_vector[] "
     "matrix -> vector[]"},
    {"multi_normal_cholesky", kContinuous, kOneByOne, "vectors vectors matrix",
     "vector matrix -> vector;row_vector matrix -> vector;vector[] matrix -> vector[];row_vector[] "
     "matrix -> vector[]"},
    {"multi_normal_prec", kContinuous, kOneByOne, "vectors vectors matrix",
     "vector matrix -> vector;row_vector matrix -> vector;vector[] matrix -> vector[];row_vector[] "
     "matrix -> vector[]"},
    {"multi_student_t", kContinuous, kOneByOne, "vectors real vectors matrix",
     "real vector matrix -> vector;real row_vector matrix -> vector;real vector[] matrix -> "
     "vector[];real row_vector[] matrix -> "
     "vector[]"},
    {"multi_student_t_cholesky", kContinuous, kOneByOne, "vectors real vectors matrix",
     "real vector matrix -> vector;real row_vector matrix -> vector;real vector[] matrix -> "
     "vector[];real row_vector[] matrix -> "
     "vector[]"},
    {"multi_gp", kContinuous, kOneByOne, "matrix matrix vector", ""},
    {"multi_gp_cholesky", kContinuous, kOneByOne, "matrix matrix vector", ""},
    {"lkj_corr", kContinuous, kOneByOne, "matrix real", "int real -> matrix"},
    {"lkj_corr_cholesky", kContinuous, kOneByOne, "matrix real", "int real -> matrix"},
    {"wishart", kContinuous, kOneByOne, "matrix real matrix", "real matrix -> matrix"},
    {"wishart_cholesky", kContinuous, kOneByOne, "matrix real matrix", "real matrix -> matrix"},
    {"inv_wishart", kContinuous, kOneByOne, "matrix real matrix", "real matrix -> matrix"},
    {"inv_wishart_cholesky", kContinuous, kOneByOne, "matrix real matrix", "real matrix -> matrix"},
    {"hmm_marginal", kContinuous, kOneByOne, "matrix matrix vector", ""},
});

constexpr std::array<std::string_view, 7> kSuffixes = {"_lpdf", "_lpmf",  "_lupdf", "_lupmf",
                                                       "_lcdf", "_lccdf", "_cdf"};

}  // namespace

std::span<const DensityRow> density_rows() { return kRows; }

const DensityRow* find_density(std::string_view name) {
  const auto found = std::find_if(kRows.begin(), kRows.end(),
                                  [&](const DensityRow& row) { return row.name == name; });
  return found == kRows.end() ? nullptr : &*found;
}

bool has_density_suffix(std::string_view function) {
  return std::any_of(kSuffixes.begin(), kSuffixes.end(), [&](std::string_view suffix) {
    return function.size() > suffix.size() && function.ends_with(suffix);
  });
}

DensityName split_density_name(std::string_view function) {
  for (const std::string_view suffix : kSuffixes) {
    if (!function.ends_with(suffix)) continue;
    const DensityRow* row = find_density(function.substr(0, function.size() - suffix.size()));
    if (row == nullptr) continue;
    const bool mass = suffix == "_lpmf" || suffix == "_lupmf";
    const bool density = suffix == "_lpdf" || suffix == "_lupdf";
    if ((mass && !row->discrete) || (density && row->discrete)) return {};
    return {row, suffix};
  }
  return {};
}

}  // namespace dpvi
