#include <dpvi/privacy/fourier.hpp>

#include <kissfft/kissfft.hh>

#include <cmath>
#include <limits>

namespace dpvi {

std::size_t good_fourier_length(std::size_t wanted) {
  for (std::size_t length = wanted < 2 ? 2 : wanted;; ++length) {
    std::size_t rest = length;
    for (const std::size_t factor : {2, 3, 5})
      while (rest % factor == 0) rest /= factor;
    if (rest == 1) return length;
  }
}

void fourier_transform(std::span<const std::complex<double>> in,
                       std::span<std::complex<double>> out, bool inverse) {
  const kissfft<double> transform(in.size(), inverse);
  transform.transform(in.data(), out.data());
}

double fourier_error(std::size_t length) {
  constexpr double unit = std::numeric_limits<double>::epsilon() / 2;
  return 24 * unit * std::log2(static_cast<double>(length));
}

}  // namespace dpvi
