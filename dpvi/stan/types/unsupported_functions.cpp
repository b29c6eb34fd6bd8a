#include <dpvi/stan/types/unsupported_functions.hpp>

#include <array>
#include <utility>

#include <fmt/format.h>

#include <dpvi/stan/types/density_table.hpp>

namespace dpvi {
namespace {

struct Reason {
  std::string_view prefix;  // of the function's name
  bool whole = false;       // matches the whole name only
  std::string_view why;
};

constexpr std::string_view kOde =
    "A differential equation would have to be solved for every record and draw, which is not "
    "supported. Write a closed form if there is one.";
constexpr std::string_view kSolver = "Algebraic solvers are not supported.";
constexpr std::string_view kParallel =
    "Parallel evaluation is done by dpvi itself. Write the loop out.";
constexpr std::string_view kComplex = "Complex values are not supported.";
constexpr std::string_view kDecomposition = "This matrix decomposition is not supported.";
constexpr std::string_view kWiener =
    "Only the density of the Wiener first passage time with four parameters is supported.";
constexpr std::string_view kSeries =
    "A time series couples each record to the next. If a record holds a whole series, write its "
    "recursion.";

constexpr auto kReasons = std::to_array<Reason>({
    {"ode_", false, kOde},
    {"integrate_ode", false, kOde},
    {"dae", false, kOde},
    {"integrate_1d", true, "Numerical integration is not supported."},
    {"algebra_solver", false, kSolver},
    {"solve_newton", false, kSolver},
    {"solve_powell", false, kSolver},
    {"reduce_sum", false, kParallel},
    {"map_rect", true, kParallel},
    {"laplace_", false, "Embedded Laplace approximations are not supported."},
    {"embedded_laplace", false, "Embedded Laplace approximations are not supported."},
    {"hmm_", false,
     "A hidden Markov chain couples each record to the next. If a record holds a whole chain, "
     "write the forward recursion."},
    {"gaussian_dlm_obs", false, kSeries},
    {"multi_gp", false, "It is one joint density of all its points, so it would couple records."},
    {"hypergeometric_1F0", true, "Write '(1 - z)^(-a)'."},
    {"hypergeometric_", false, "Hypergeometric functions are not supported."},
    {"inv_inc_beta", true, "The inverse of the incomplete beta function is not supported."},
    {"lkj_cov", false,
     "Write the scales and the correlations as parameters of their own, with 'lkj_corr'."},
    {"wiener_full_", false, kWiener},
    {"wiener_lcdf", false, kWiener},
    {"wiener_lccdf", false, kWiener},
    {"fft", false, kComplex},
    {"inv_fft", false, kComplex},
    {"to_complex", true, kComplex},
    {"get_real", true, kComplex},
    {"get_imag", true, kComplex},
    {"arg", true, kComplex},
    {"conj", true, kComplex},
    {"norm", true, kComplex},
    {"polar", true, kComplex},
    {"proj", true, kComplex},
    {"complex_schur", false, kComplex},
    {"eigendecompose", true, kComplex},
    {"eigenvalues", true, kComplex},
    {"eigenvectors", true, kComplex},
    {"generalized_inverse", true, kDecomposition},
    {"get_lp", true, "Write 'target()'."},
    {"if_else", true, "Write 'condition ? a : b'."},
});

// normal_log is supported. This message is for suffixes of densities on names that are no
// distribution.
std::string old_ending(std::string_view function) {
  for (const std::string_view old : {"_ccdf_log", "_cdf_log", "_log"}) {
    if (!function.ends_with(old)) continue;
    return fmt::format(
        "In older versions of Stan, a function ending in {} belonged to a distribution. No "
        "distribution is called '{}'.",
        old, function.substr(0, function.size() - old.size()));
  }
  return {};
}

}  // namespace

std::string why_unsupported(std::string_view function) {
  for (const Reason& reason : kReasons) {
    if (reason.whole ? function == reason.prefix : function.starts_with(reason.prefix)) {
      return std::string(reason.why);
    }
  }
  return old_ending(function);
}

}  // namespace dpvi
