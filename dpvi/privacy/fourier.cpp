#include <dpvi/privacy/fourier.hpp>

#include <cmath>
#include <deque>
#include <limits>
#include <memory>
#include <mutex>
#include <numbers>
#include <utility>

#include <dpvi/base/cpu_features.hpp>
#include <dpvi/base/thread_room.hpp>
#include <dpvi/privacy/fourier_stage.hpp>

namespace dpvi {
namespace {

// e^(-2 pi i k / length). Angles are mirrored into the first eighth of the circle, where their
// rounding and that of sine and cosine are small: the error is at most 3 units.
std::complex<double> root_of_unity(std::size_t k, std::size_t length) {
  std::size_t eighths = 8 * k;  // of a turn, times the length
  const bool upper = eighths <= 4 * length;
  if (!upper) eighths = 8 * length - eighths;
  const bool left = eighths > 2 * length;
  if (left) eighths = 4 * length - eighths;
  const bool steep = eighths > length;
  if (steep) eighths = 2 * length - eighths;
  const double angle =
      std::numbers::pi / 4 * (static_cast<double>(eighths) / static_cast<double>(length));
  double cosine = std::cos(angle), sine = std::sin(angle);
  if (steep) std::swap(cosine, sine);
  return {left ? -cosine : cosine, upper ? -sine : sine};
}

using Stages = std::vector<FourierStage>;

// The stages of a length without prime factors above 5.
Stages stages_of(std::size_t length) {
  ComplexVector roots(length);
  for (std::size_t k = 0; k < length; ++k) roots[k] = root_of_unity(k, length);
  Stages stages;
  std::size_t left = length, stride = 1;
  // Long strides suit the processor, and fours are cheapest.
  for (const std::size_t radix : {4u, 2u, 3u, 5u}) {
    for (; left % radix == 0; left /= radix, stride *= radix) {
      FourierStage stage{radix, left / radix, stride, {}, {}};
      for (std::size_t k = 1; k < radix; ++k) {
        for (std::size_t block = 0; block < stage.blocks; ++block) {
          const std::complex<double> root = roots[k * block * stride];
          stage.root_re.push_back(root.real());
          stage.root_im.push_back(root.imag());
        }
      }
      stages.push_back(std::move(stage));
    }
  }
  return stages;
}

using SharedStages = std::shared_ptr<const Stages>;

// Computing the roots of unity costs as much as a transform, and the same length is often used
// again.
SharedStages stages_for(std::size_t length) {
  constexpr std::size_t kKept = 4, kLargestKept = std::size_t{1} << 18;
  static std::mutex mutex;
  static std::deque<std::pair<std::size_t, SharedStages>> recent;
  {
    const std::lock_guard lock(mutex);
    for (const auto& [known, stages] : recent)
      if (known == length) return stages;
  }
  auto made = std::make_shared<const Stages>(stages_of(length));
  if (length <= kLargestKept) {
    const std::lock_guard lock(mutex);
    recent.emplace_front(length, made);
    if (recent.size() > kKept) recent.pop_back();
  }
  return made;
}

enum class Turn { forward, backward };

// Exchanging real and imaginary parts before and after a transform inverts its direction.
ComplexVector transformed(const ComplexVector& values, Turn turn) {
  const std::size_t length = values.size();
  const bool forward = turn == Turn::forward;
  static const ThreadRoom kRoom;
  double* const room = kRoom.numbers(4 * length);
  FourierValues from{room, room + length};
  FourierValues to{from.re + 2 * length, from.im + 2 * length};
  for (std::size_t k = 0; k < length; ++k) {
    (forward ? from.re : from.im)[k] = values[k].real();
    (forward ? from.im : from.re)[k] = values[k].imag();
  }
  const auto run_stage = cpu_has_avx2_and_fma() ? &run_stage_avx2 : &run_stage_portable;
  const SharedStages stages = stages_for(length);
  for (const FourierStage& stage : *stages) {
    run_stage(stage, from, to);
    std::swap(from, to);
  }
  ComplexVector result(length);
  for (std::size_t k = 0; k < length; ++k) {
    result[k] =
        forward ? std::complex(from.re[k], from.im[k]) : std::complex(from.im[k], from.re[k]);
  }
  return result;
}

}  // namespace

std::size_t good_fourier_length(std::size_t wanted) {
  for (std::size_t length = wanted < 2 ? 2 : wanted;; ++length) {
    std::size_t rest = length;
    for (const std::size_t factor : {2, 3, 5})
      while (rest % factor == 0) rest /= factor;
    if (rest == 1) return length;
  }
}

ComplexVector fourier_transform(const ComplexVector& values) {
  return transformed(values, Turn::forward);
}

ComplexVector inverse_fourier_transform(const ComplexVector& values) {
  return transformed(values, Turn::backward);
}

double fourier_error(std::size_t length) {
  constexpr double kUnit = std::numeric_limits<double>::epsilon() / 2;
  return 24 * kUnit * std::log2(static_cast<double>(length));
}

}  // namespace dpvi
