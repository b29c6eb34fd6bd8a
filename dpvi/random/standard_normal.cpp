#include <dpvi/random/standard_normal.hpp>

#include <dpvi/random/internal/gaussian_draw.hpp>

namespace dpvi {
namespace {

template <WordSource Source>
double draw_middle(Source& source) {
  static_assert(kGaussianFractionBits == 25);
  const GaussianDraw draw = draw_gaussian(source);
  const double magnitude = (static_cast<double>(draw.magnitude) + 0.5) * 0x1p-25;
  return draw.negative ? -magnitude : magnitude;
}

}  // namespace

double standard_normal(SecureStream& stream) { return draw_middle(stream); }
double standard_normal(SeededStream& stream) { return draw_middle(stream); }

void fill_standard_normal(SecureStream& stream, std::span<double> draws) {
  for (double& draw : draws) draw = draw_middle(stream);
}

void fill_standard_normal(SeededStream& stream, std::span<double> draws) {
  for (double& draw : draws) draw = draw_middle(stream);
}

}  // namespace dpvi
