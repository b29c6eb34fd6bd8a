#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string_view>

#include <dpvi/tape/lanes/frame.hpp>

namespace dpvi {

struct LanePlan;

// The form of gradients that a backend writes.
enum class GradientForm : std::uint8_t {
  rows,    // every row of the plan is written
  factors  // the first row of each product holds its factor; its other rows are unspecified
};

// Executes one lane plan for blocks of records, in lanes of precision T (float or double). The plan
// is data and does not depend on the backend. Frames name the memory of each block: uniform values,
// prepared columns, lane values, adjoints and the caller's gradient.
//
// A backend must keep these rules:
// - It computes every lane by the same operations in the same order. The result for a record is
//   then a bit-exact function of the record, theta and the plan, in every lane, beside any
//   neighbours and whatever lanes without a record hold.
// - It rounds each operation of the plan as the plan states it, without contraction. Elementary
//   functions may differ between backends in their last bits.
// - A zero adjoint contributes exactly zero, even where a derivative is infinite or NaN.
// - It reads and writes only what the frames and arguments name. It is immutable, so threads share
//   it.
// Calls are virtual: there is one for a few blocks of kLanes records.
template <class T>
class TapeBackend {
 public:
  virtual ~TapeBackend() = default;
  TapeBackend(const TapeBackend&) = delete;
  TapeBackend& operator=(const TapeBackend&) = delete;

  // Writes kLanes log densities for each frame.
  virtual void evaluate_value(std::span<const Frame<T>> frames, T* log_density) const = 0;

  // Writes the gradients, too. A lane whose log density is not finite gets a gradient of zeros.
  // `own` receives the lanes' coordinates in own rows (RecordTape::evaluate_rows).
  virtual void evaluate(std::span<const Frame<T>> frames, GradientForm form, T* log_density,
                        std::int32_t* own) const = 0;

 protected:
  TapeBackend() = default;
};

enum class BackendKind : std::uint8_t {
  portable,  // for any processor of the architecture
  avx2       // for processors with AVX2 and FMA
};
// All backends, slowest first.
inline constexpr BackendKind kBackends[] = {BackendKind::portable, BackendKind::avx2};

std::string_view name_of(BackendKind kind);
bool is_available(BackendKind kind);
// The fastest backend for this processor. It is the same for every thread and every run on one
// machine.
BackendKind best_backend();

// The plan must outlive the backend. Throws InternalError if the processor lacks the instructions.
template <class T>
std::unique_ptr<const TapeBackend<T>> make_backend(BackendKind kind, const LanePlan& plan);

}  // namespace dpvi
