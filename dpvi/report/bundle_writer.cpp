#include <dpvi/report/bundle_writer.hpp>

#include <exception>
#include <optional>
#include <utility>

#include <dpvi/base/sha256.hpp>
#include <dpvi/report/manifest.hpp>
#include <dpvi/report/page/report_page.hpp>
#include <dpvi/report/posterior_json.hpp>
#include <dpvi/report/posterior_netcdf.hpp>
#include <dpvi/report/stan_csv.hpp>
#include <dpvi/report/statement.hpp>

namespace dpvi {
namespace {

// The report is made from the other files as they will be written. It is for convenience: a result
// that has spent its budget is not lost because a page about it cannot be made.
std::optional<std::string> report_of(const std::vector<FolderFile>& files) {
  BundleTexts texts{"", {}};
  for (const FolderFile& file : files) texts.files[file.name] = file.text;
  try {
    return report_html(texts);
  } catch (const std::exception&) {
    return std::nullopt;
  }
}

}  // namespace

BundleFiles bundle_files(const FitResult& result, const ProgramVersion& program) {
  if (result.privacy) {
    result.privacy->require_result(result.site_mean.empty() ? result.fitted.parameters
                                                            : result.site_mean);
  }
  PrivacyStatement statement = privacy_statement(result, program);
  std::vector<FolderFile> files = {
      {"draws.csv", stan_csv(result)},
      {"posterior.json", posterior_json(result)},
      {"posterior.nc", posterior_netcdf(result, program)},
      {"statement.json", std::move(statement.json)},
      {"statement.md", std::move(statement.text)},
      {"run.json", run_json(result, program)},
      {"model.stan", result.model_text},
  };
  if (!result.schema_text.empty()) files.push_back({"schema.toml", result.schema_text});
  if (auto report = report_of(files)) files.push_back({"report.html", *std::move(report)});
  files.push_back({std::string(kManifestName), manifest_json(files)});
  std::string hash = sha256_hex(files.back().text);
  return {std::move(files), std::move(hash)};
}

void write_bundle(const FitResult& result, const ProgramVersion& program,
                  const std::filesystem::path& target) {
  write_folder(target, bundle_files(result, program).files);
}

}  // namespace dpvi
