#pragma once

#include <string_view>

namespace dpvi {

// Styles and scripts that pages contain. The build copies the files of this folder into the
// library.
std::string_view chart_style();
std::string_view page_style();
std::string_view report_script();
std::string_view explorer_script();

}  // namespace dpvi
