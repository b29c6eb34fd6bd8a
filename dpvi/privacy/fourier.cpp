#include <dpvi/privacy/fourier.hpp>

#include <kissfft/kissfft.hh>

#include <cmath>
#include <deque>
#include <limits>
#include <memory>
#include <mutex>
#include <utility>

namespace dpvi {
namespace {

using Tables = std::shared_ptr<const kissfft<double>>;

// Computing the roots of unity costs as much as a transform, and the same length is often used
// again.
Tables tables_for(std::size_t length) {
  constexpr std::size_t kKept = 4, kLargestKept = std::size_t{1} << 18;
  static std::mutex mutex;
  static std::deque<std::pair<std::size_t, Tables>> recent;
  {
    const std::lock_guard lock(mutex);
    for (const auto& [known, tables] : recent)
      if (known == length) return tables;
  }
  auto made = std::make_shared<const kissfft<double>>(length, false);
  if (length <= kLargestKept) {
    const std::lock_guard lock(mutex);
    recent.emplace_front(length, made);
    if (recent.size() > kKept) recent.pop_back();
  }
  return made;
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
  ComplexVector result(values.size());
  tables_for(values.size())->transform(values.data(), result.data());
  return result;
}

ComplexVector inverse_fourier_transform(ComplexVector values) {
  for (auto& value : values) value = std::conj(value);
  ComplexVector result = fourier_transform(values);
  for (auto& value : result) value = std::conj(value);
  return result;
}

double fourier_error(std::size_t length) {
  constexpr double kUnit = std::numeric_limits<double>::epsilon() / 2;
  return 24 * kUnit * std::log2(static_cast<double>(length));
}

}  // namespace dpvi
