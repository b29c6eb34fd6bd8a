#include <dpvi/report/chart/svg_canvas.hpp>

#include <fmt/format.h>

#include <dpvi/report/assets/assets.hpp>
#include <dpvi/report/markup.hpp>

namespace dpvi {
namespace {

// One decimal of a pixel, without a superfluous ".0".
std::string pixel(double value) {
  std::string text = fmt::format("{:.1f}", value);
  if (text.ends_with(".0")) text.resize(text.size() - 2);
  return text == "-0" ? "0" : text;
}

std::string class_attribute(std::string_view classes) {
  return classes.empty() ? "" : fmt::format(" class=\"{}\"", classes);
}

std::string list_of(const std::vector<SvgPoint>& points) {
  std::string list;
  for (const SvgPoint& point : points) {
    list += fmt::format("{}{},{}", list.empty() ? "" : " ", pixel(point.x), pixel(point.y));
  }
  return list;
}

std::string opacity_attribute(double opacity) {
  return opacity < 1.0 ? fmt::format(" opacity=\"{:.2f}\"", opacity) : "";
}

// Pixels that a title takes in the widest of common fonts, about.
double title_width(std::string_view words) {
  constexpr std::string_view kNarrow = " fijlrt.,:;'|!()[]/-\"", kWide = "mwMW<>=+%&@";
  double width = 0.0;
  for (const char letter : words) {
    const auto byte = static_cast<unsigned char>(letter);
    if (byte >= 0x80 && byte < 0xC0) continue;  // inside a letter
    const bool narrow = kNarrow.find(letter) != std::string_view::npos;
    const bool wide = byte >= 0xE0 || kWide.find(letter) != std::string_view::npos;
    width += narrow ? 5.6 : wide ? 12.6 : 9.0;
  }
  return width;
}

}  // namespace

std::string colour_class(std::string_view prefix, std::size_t kind) {
  return fmt::format("{}{}", prefix, kind % SvgCanvas::kColours);
}

void SvgCanvas::text(SvgPoint at, std::string_view anchor, std::string_view words,
                     std::string_view classes) {
  body_ += fmt::format("<text{} x=\"{}\" y=\"{}\" text-anchor=\"{}\">{}</text>\n",
                       class_attribute(classes), pixel(at.x), pixel(at.y), anchor,
                       escaped_markup(words));
}

void SvgCanvas::title(SvgPoint at, std::string_view words, double width) {
  constexpr std::size_t kFewest = 8;
  std::string shown(words);
  for (std::size_t letters = letter_count(words); letters > kFewest && title_width(shown) > width;
       --letters) {
    shown = shortened(words, letters);
  }
  text(at, "start", shown, "title");
}

void SvgCanvas::upright_text(SvgPoint at, std::string_view anchor, std::string_view words,
                             std::string_view classes) {
  body_ += fmt::format(
      "<text{} transform=\"translate({} {}) rotate(-90)\" text-anchor=\"{}\">{}</text>\n",
      class_attribute(classes), pixel(at.x), pixel(at.y), anchor, escaped_markup(words));
}

void SvgCanvas::line(SvgPoint from, SvgPoint to, std::string_view classes) {
  body_ +=
      fmt::format("<line{} x1=\"{}\" y1=\"{}\" x2=\"{}\" y2=\"{}\"/>\n", class_attribute(classes),
                  pixel(from.x), pixel(from.y), pixel(to.x), pixel(to.y));
}

void SvgCanvas::polyline(const std::vector<SvgPoint>& points, std::string_view classes) {
  body_ += fmt::format("<polyline{} points=\"{}\"/>\n", class_attribute(classes), list_of(points));
}

void SvgCanvas::polygon(const std::vector<SvgPoint>& points, std::string_view classes) {
  body_ += fmt::format("<polygon{} points=\"{}\"/>\n", class_attribute(classes), list_of(points));
}

void SvgCanvas::rectangle(const SvgBox& box, std::string_view classes, double opacity) {
  body_ += fmt::format("<rect{} x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\"{}/>\n",
                       class_attribute(classes), pixel(box.left), pixel(box.top), pixel(box.width),
                       pixel(box.height), opacity_attribute(opacity));
}

void SvgCanvas::circle(SvgPoint centre, double radius, std::string_view classes, double opacity) {
  body_ += fmt::format("<circle{} cx=\"{}\" cy=\"{}\" r=\"{}\"{}/>\n", class_attribute(classes),
                       pixel(centre.x), pixel(centre.y), pixel(radius), opacity_attribute(opacity));
}

void SvgCanvas::mark(SvgPoint at, std::size_t kind) {
  const std::string colour = colour_class("f", kind);
  switch (kind % 4) {
    case 0:
      return circle(at, 3.6, colour);
    case 1:
      return rectangle({at.x - 3.2, at.y - 3.2, 6.4, 6.4}, colour);
    case 2:
      return polygon({{at.x, at.y - 4.5}, {at.x + 4, at.y + 2.5}, {at.x - 4, at.y + 2.5}}, colour);
    default:
      return polygon(
          {{at.x, at.y - 4.5}, {at.x + 4.5, at.y}, {at.x, at.y + 4.5}, {at.x - 4.5, at.y}}, colour);
  }
}

void SvgCanvas::open_group(std::string_view tip, std::string_view name) {
  body_ += "<g";
  if (!name.empty()) body_ += fmt::format(" data-name=\"{}\"", escaped_markup(name));
  body_ += ">";
  if (!tip.empty()) body_ += fmt::format("<title>{}</title>", escaped_markup(tip));
  body_ += "\n";
}

void SvgCanvas::open_clipped_group(const SvgBox& box, std::string_view id) {
  body_ += fmt::format("<clipPath id=\"{}\">", escaped_markup(id));
  rectangle(box, "");
  body_ += fmt::format("</clipPath>\n<g clip-path=\"url(#{})\">\n", escaped_markup(id));
}

void SvgCanvas::store(std::string_view name, std::string_view text) {
  body_ += fmt::format("<g data-{}=\"{}\"></g>\n", name, escaped_markup(text));
}

std::string SvgCanvas::picture(std::string_view title, SvgUse use,
                               std::string_view description) const {
  const std::string label = escaped_markup(title);
  std::string out = fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"chart\" viewBox=\"0 0 {0:.0f} {1:.0f}\" "
      "width=\"{0:.0f}\" height=\"{1:.0f}\" role=\"img\" aria-label=\"{2}\">\n",
      width_, height_, label);
  if (use == SvgUse::file) {
    out += fmt::format("<title>{}</title>\n", label);
  }
  if (!description.empty()) out += fmt::format("<desc>{}</desc>\n", escaped_markup(description));
  if (use == SvgUse::file) out += fmt::format("<style>\n{}</style>\n", chart_style());
  out +=
      fmt::format("<rect class=\"page\" width=\"{:.0f}\" height=\"{:.0f}\"/>\n", width_, height_);
  return out + body_ + "</svg>\n";
}

}  // namespace dpvi
