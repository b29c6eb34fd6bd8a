#include <dpvi/report/chart/svg_heat_map.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include <dpvi/report/markup.hpp>

namespace dpvi {

std::string svg_correlations(const std::string& title, const std::vector<std::string>& names,
                             const std::vector<std::vector<double>>& correlations, SvgUse use) {
  constexpr double kTop = 34, kLetter = 7.3;
  constexpr std::size_t kLongest = 16;
  std::size_t letters = 4;
  for (const std::string& name : names)
    letters = std::max(letters, std::min(letter_count(name), kLongest));
  const double left = 12 + kLetter * static_cast<double>(letters);
  const double side = std::clamp(310.0 / static_cast<double>(names.size() + 1), 18.0, 36.0);
  const double size = side * static_cast<double>(names.size());
  SvgCanvas canvas(std::max(left + size + 12, 320.0), kTop + size + left);
  canvas.text({4, 18}, "start", title, "title");
  for (std::size_t i = 0; i < names.size(); ++i) {
    const double top = kTop + side * static_cast<double>(i);
    canvas.text({left - 6, top + 0.5 * side + 4}, "end", shortened(names[i], kLongest));
    for (std::size_t j = 0; j < names.size(); ++j) {
      const double value = correlations[i][j];
      if (!std::isfinite(value)) continue;
      const SvgBox box{left + side * static_cast<double>(j), top, side - 1, side - 1};
      canvas.open_group(fmt::format("{} and {}: {:.2f}", names[i], names[j], value));
      canvas.rectangle(box, "blank");
      canvas.rectangle(box, value < 0.0 ? "minus" : "plus", std::min(0.6, 0.7 * std::abs(value)));
      if (side >= 24 && i != j) {
        canvas.text({box.centre(), top + 0.5 * side + 4}, "middle",
                    std::abs(value) < 0.05 ? "0" : fmt::format("{:.1f}", value));
      }
      canvas.close_group();
    }
  }
  for (std::size_t j = 0; j < names.size(); ++j) {
    const double x = left + side * (static_cast<double>(j) + 0.5) + 4;
    canvas.upright_text({x, kTop + size + 6}, "end", shortened(names[j], kLongest));
  }
  return canvas.picture(title, use);
}

}  // namespace dpvi
