#include <dpvi/report/chart/svg_map.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace dpvi {
namespace {

constexpr double kSide = 340, kMapGap = 24, kHead = 56, kReach = 5.0;

void draw_panel(SvgCanvas& canvas, const SvgBox& box, const MapPanel& panel, std::size_t number) {
  const double unit = box.width / (2.0 * kReach);
  const auto at = [&](const SvgPoint& point) {
    return SvgPoint{box.left + (point.x + kReach) * unit, box.top + (kReach - point.y) * unit};
  };
  canvas.title({box.left, box.top - 24}, panel.title, box.width);
  canvas.text({box.left, box.top - 8}, "start", panel.subtitle, "small");
  canvas.polygon({{box.left, box.top},
                  {box.right(), box.top},
                  {box.right(), box.bottom()},
                  {box.left, box.bottom()}},
                 "grid");
  canvas.open_clipped_group(box, fmt::format("panel{}", number));
  for (const SvgPoint& point : panel.points) {
    canvas.circle(at({std::clamp(point.x, -kReach, kReach), std::clamp(point.y, -kReach, kReach)}),
                  1.1, "dot");
  }
  for (std::size_t k = 0; k < panel.circles.size(); ++k) {
    const auto& [centre, radius, weight] = panel.circles[k];
    if (!std::isfinite(radius + centre.x + centre.y)) continue;
    canvas.circle(at(centre), radius * unit, colour_class("s", k), std::clamp(weight, 0.15, 1.0));
  }
  canvas.close_group();
}

}  // namespace

std::string svg_map(const std::string& title, const std::vector<MapPanel>& panels, SvgUse use) {
  const double rows = std::ceil(static_cast<double>(panels.size()) / 2.0);
  SvgCanvas canvas(2 * (kSide + kMapGap) + kMapGap, 60 + (kSide + kHead) * rows);
  canvas.text({kMapGap, 24}, "start", title, "title");
  for (std::size_t i = 0; i < panels.size(); ++i) {
    const std::size_t row = i / 2, column = i % 2;
    const double left = kMapGap + static_cast<double>(column) * (kSide + kMapGap);
    const double top = 36 + kHead + static_cast<double>(row) * (kSide + kHead);
    draw_panel(canvas, {left, top, kSide, kSide}, panels[i], i + 1);
  }
  return canvas.picture(title, use);
}

}  // namespace dpvi
