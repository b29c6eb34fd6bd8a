#include <dpvi/privacy/mu_filter.hpp>

#include <dpvi/base/error.hpp>

namespace dpvi {
namespace {

[[noreturn]] void refuse(const char* message) {
  throw InternalError(kInternal, message,
                      "Nothing was written; count the plan's budget as spent, and please report "
                      "this.");
}

}  // namespace

MuFilter::Wide MuFilter::cost(const NoiseGrid& grid) {
  const auto bound = static_cast<Wide>(grid.integer_bound());
  return bound * bound;
}

void MuFilter::allow(const NoiseGrid& grid, std::int64_t releases) {
  if (started_) refuse("the budget of a run was raised after its first release.");
  if (releases > 0) allowed_ += cost(grid) * static_cast<Wide>(releases);
}

void MuFilter::spend(const NoiseGrid& grid) {
  started_ = true;
  if (cost(grid) > allowed_ - spent_) refuse("a release would exceed the budget of the run.");
  spent_ += cost(grid);
}

}  // namespace dpvi
