#include <dpvi/stan/run/run_failure.hpp>

#include <algorithm>
#include <iterator>

namespace dpvi {
namespace {

RunFailureKind kind_of(const ErrorCode& code) {
  struct Kind {
    const ErrorCode& code;
    RunFailureKind kind;
  };
  static constexpr Kind kKinds[] = {{kModelFails, RunFailureKind::fails},
                                    {kModelTooLarge, RunFailureKind::too_large},
                                    {kModelUnsupported, RunFailureKind::unsupported},
                                    {kModelFact, RunFailureKind::missing_fact}};
  const auto found = std::find_if(std::begin(kKinds), std::end(kKinds),
                                  [&](const Kind& one) { return one.code.id == code.id; });
  return found == std::end(kKinds) ? RunFailureKind::other : found->kind;
}

}  // namespace

std::optional<RunFailure> run_failure(const std::function<void()>& part) {
  try {
    part();
    return std::nullopt;
  } catch (const InputError& error) {
    return RunFailure{kind_of(error.code()), error};
  }
}

bool runs(const std::function<void()>& part) {
  const std::optional<RunFailure> failure = run_failure(part);
  if (failure && failure->kind != RunFailureKind::fails) throw failure->error;
  return !failure;
}

}  // namespace dpvi
