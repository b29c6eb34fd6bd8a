#pragma once

#include <optional>
#include <string>

#include <dpvi/report/page/page_frame.hpp>
#include <dpvi/report/page/report_content.hpp>

namespace dpvi {

// A larger epsilon is called weak protection.
inline constexpr double kWeakEpsilon = 3.0;

// Sections of the report. Those that a bundle may not be able to fill are nullopt then.
std::string report_title(const ReportContent& content);
std::string report_head(const ReportContent& content);
PageSection verdict_section(const ReportContent& content);
std::optional<PageSection> privacy_section(const ReportContent& content);
PageSection parameters_section(const ReportContent& content);
PageSection densities_section(const ReportContent& content);
std::optional<PageSection> correlations_section(const ReportContent& content);
std::optional<PageSection> iterates_section(const ReportContent& content);
std::optional<PageSection> forecast_section(const ReportContent& content);
std::optional<PageSection> model_section(const ReportContent& content);
std::optional<PageSection> dropped_section(const ReportContent& content);
PageSection loading_section(const ReportContent& content);
PageSection citation_section(const ReportContent& content);

}  // namespace dpvi
