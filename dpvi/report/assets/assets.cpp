#include <dpvi/report/assets/assets.hpp>

#include <dpvi_page_assets.hpp>

namespace dpvi {

std::string_view chart_style() { return kChartStyle; }
std::string_view page_style() { return kPageStyle; }
std::string_view report_script() { return kReportScript; }
std::string_view explorer_script() { return kExplorerScript; }

}  // namespace dpvi
