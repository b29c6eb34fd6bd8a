#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace dpvi {

// One section of a page, with a heading that the table of contents links to.
struct PageSection {
  std::string id;       // letters and hyphens
  std::string heading;  // text
  std::string body;     // HTML
};

struct Page {
  std::string title;  // text
  std::string head;   // HTML above the table of contents
  std::vector<PageSection> sections;
  std::string_view script = {};
};

// A self-contained page: it loads nothing, and its content security policy allows only the styles
// and the script that it was written with.
std::string page_html(const Page& page);

// Numbers for a reader: four significant figures, "–" for NaN.
std::string shown_number(double value);

// A list with one item for each text.
std::string bullet_list(const std::vector<std::string>& texts);

// A block of code, or of text whose lines are wrapped, with a button that copies it.
std::string code_block(std::string_view label, std::string_view code);
std::string text_block(std::string_view label, std::string_view text);

// A picture with a caption.
std::string figure_with(const std::string& picture, std::string_view caption);

}  // namespace dpvi
