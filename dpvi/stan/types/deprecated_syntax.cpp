#include <dpvi/stan/types/deprecated_syntax.hpp>

#include <dpvi/stan/types/density_table.hpp>
#include <dpvi/stan/types/function_table.hpp>

namespace dpvi {
namespace {

constexpr std::string_view kDensity = "_log";

struct OldTail {
  std::string_view ending;
  std::string_view today;
};
constexpr OldTail kTails[] = {{"_ccdf_log", "_lccdf"}, {"_cdf_log", "_lcdf"}};

std::string without(std::string_view name, std::string_view ending) {
  return std::string(name.substr(0, name.size() - ending.size()));
}

// The current name of an old density function; empty for any other name.
std::string density_of_today(std::string_view name) {
  for (const OldTail& tail : kTails) {
    if (!name.ends_with(tail.ending)) continue;
    const std::string density = without(name, tail.ending);
    if (find_density(density) != nullptr) return density + std::string(tail.today);
  }
  if (!name.ends_with(kDensity)) return {};
  const std::string density = without(name, kDensity);
  const DensityRow* row = find_density(density);
  if (row == nullptr) return {};
  return density + (row->discrete ? "_lpmf" : "_lpdf");
}

}  // namespace

void spell_as_today(StanExpression& call) {
  // binomial_coefficient_log and multiply_log are separate functions, not densities.
  if (find_function(call.name) != nullptr) return;
  if (call.name == "if_else" && call.operands.size() == 3) {
    call.kind = ExpressionKind::conditional;
  } else if (call.name == "get_lp" && call.operands.empty()) {
    call.kind = ExpressionKind::target_value;
  } else if (call.name == "cov_exp_quad") {
    call.name = "gp_exp_quad_cov";
  } else if (std::string today = density_of_today(call.name); !today.empty()) {
    call.name = std::move(today);
    call.with_bar = true;
  }
}

}  // namespace dpvi
