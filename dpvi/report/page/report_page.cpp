#include <dpvi/report/page/report_page.hpp>

#include <dpvi/report/assets/assets.hpp>
#include <dpvi/report/page/report_sections.hpp>

namespace dpvi {

std::string report_html(const BundleTexts& texts) {
  const ReportContent content = read_report_content(texts);
  Page page{.title = report_title(content) + " (dpvi report)",
            .head = report_head(content),
            .sections = {},
            .script = report_script()};
  const auto add = [&](std::optional<PageSection> section) {
    if (section) page.sections.push_back(std::move(*section));
  };
  add(verdict_section(content));
  add(privacy_section(content));
  add(parameters_section(content));
  add(densities_section(content));
  add(correlations_section(content));
  add(iterates_section(content));
  add(forecast_section(content));
  add(model_section(content));
  add(dropped_section(content));
  add(loading_section(content));
  add(citation_section(content));
  return page_html(page);
}

}  // namespace dpvi
