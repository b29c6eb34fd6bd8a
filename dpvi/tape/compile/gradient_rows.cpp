#include <dpvi/tape/compile/gradient_rows.hpp>

#include <algorithm>

#include <dpvi/tape/compile/lane_program.hpp>

namespace dpvi {

template <class T>
void spread_rows(const GradientRows& rows, const T* gradient, const std::int32_t* own, T* all,
                 std::int32_t theta_size) {
  std::fill_n(all, static_cast<std::ptrdiff_t>(theta_size) * kLanes, T{0});
  for (const std::int32_t coordinate : rows.coordinates) {
    if (coordinate != GradientRows::kOwn) {
      std::copy_n(gradient, kLanes, all + static_cast<std::ptrdiff_t>(coordinate) * kLanes);
    } else {
      for (int lane = 0; lane < kLanes; ++lane) {
        if (own[lane] == kNoCoordinate) continue;
        all[static_cast<std::ptrdiff_t>(own[lane]) * kLanes + lane] = gradient[lane];
      }
      own += kLanes;
    }
    gradient += kLanes;
  }
}

template void spread_rows(const GradientRows&, const float*, const std::int32_t*, float*,
                          std::int32_t);
template void spread_rows(const GradientRows&, const double*, const std::int32_t*, double*,
                          std::int32_t);

}  // namespace dpvi
