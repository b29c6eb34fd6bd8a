#include <dpvi/tape/lanes/tape_backend.hpp>

#include <iterator>
#include <type_traits>

#include <dpvi/base/cpu_features.hpp>
#include <dpvi/base/error.hpp>
#include <dpvi/tape/lanes/kernel_backend.hpp>

namespace dpvi {
namespace {

bool always() { return true; }

struct BackendRow {
  std::string_view name;
  bool (*is_available)();
  const LaneKernels<float>& (*float_kernels)();
  const LaneKernels<double>& (*double_kernels)();
};

// One row for each backend, in the order of BackendKind.
constexpr BackendRow kRows[] = {
    {"portable", &always, &portable_float_kernels, &portable_double_kernels},
    {"avx2", &cpu_has_avx2_and_fma, &avx2_float_kernels, &avx2_double_kernels}};
static_assert(std::size(kRows) == std::size(kBackends));

const BackendRow& row_of(BackendKind kind) { return kRows[static_cast<std::size_t>(kind)]; }

}  // namespace

std::string_view name_of(BackendKind kind) { return row_of(kind).name; }

bool is_available(BackendKind kind) { return row_of(kind).is_available(); }

BackendKind best_backend() {
  BackendKind best = BackendKind::portable;
  for (const BackendKind kind : kBackends) {
    if (is_available(kind)) best = kind;
  }
  return best;
}

template <class T>
std::unique_ptr<const TapeBackend<T>> make_backend(BackendKind kind, const LanePlan& plan) {
  if (!is_available(kind)) {
    throw InternalError(kInternal, "This processor lacks the instructions of the chosen backend.",
                        "Report this.");
  }
  if constexpr (std::is_same_v<T, float>) {
    return std::make_unique<const KernelBackend<T>>(plan, row_of(kind).float_kernels());
  } else {
    return std::make_unique<const KernelBackend<T>>(plan, row_of(kind).double_kernels());
  }
}

template std::unique_ptr<const TapeBackend<float>> make_backend(BackendKind, const LanePlan&);
template std::unique_ptr<const TapeBackend<double>> make_backend(BackendKind, const LanePlan&);

}  // namespace dpvi
