#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace dpvi {

// Where a picture is shown. A page has the style of all its charts once; a file has its own.
enum class SvgUse { in_page, file };

struct SvgPoint {
  double x = 0.0;
  double y = 0.0;
};

struct SvgBox {
  double left = 0.0;
  double top = 0.0;
  double width = 0.0;
  double height = 0.0;

  double right() const { return left + width; }
  double bottom() const { return top + height; }
  double centre() const { return left + 0.5 * width; }
};

// Collects the elements of one SVG picture. Texts are escaped. `classes` are those of
// assets/chart.css, which has all colours: s0 to s5 are strokes, f0 to f5 fills.
class SvgCanvas {
 public:
  static constexpr std::size_t kColours = 6;

  SvgCanvas(double width, double height) : width_(width), height_(height) {}

  void text(SvgPoint at, std::string_view anchor, std::string_view words,
            std::string_view classes = "");
  // A heading, shortened to this width.
  void title(SvgPoint at, std::string_view words, double width);
  // Reads upwards.
  void upright_text(SvgPoint at, std::string_view anchor, std::string_view words,
                    std::string_view classes = "");
  void line(SvgPoint from, SvgPoint to, std::string_view classes);
  void polyline(const std::vector<SvgPoint>& points, std::string_view classes);
  void polygon(const std::vector<SvgPoint>& points, std::string_view classes);
  void rectangle(const SvgBox& box, std::string_view classes, double opacity = 1.0);
  void circle(SvgPoint centre, double radius, std::string_view classes, double opacity = 1.0);
  // Marks of different kinds differ in shape and in colour.
  void mark(SvgPoint at, std::size_t kind);

  // A group shows `tip` when the pointer rests on it. `name`, if any, is stored for scripts.
  void open_group(std::string_view tip, std::string_view name = "");
  // A group of which only the part inside the box is drawn. `id` must be unique in a page.
  void open_clipped_group(const SvgBox& box, std::string_view id);
  void close_group() { body_ += "</g>\n"; }
  // Stores a text for scripts, as attribute data-NAME of an empty group.
  void store(std::string_view name, std::string_view text);

  // The whole picture. Screen readers read the title and the description.
  std::string picture(std::string_view title, SvgUse use, std::string_view description = "") const;

 private:
  double width_, height_;
  std::string body_;
};

// Class names of colour `kind`, with "s" for strokes and "f" for fills.
std::string colour_class(std::string_view prefix, std::size_t kind);

}  // namespace dpvi
