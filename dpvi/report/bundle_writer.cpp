#include <dpvi/report/bundle_writer.hpp>

#include <exception>
#include <optional>

#include <dpvi/report/atomic_folder.hpp>
#include <dpvi/report/page/report_page.hpp>
#include <dpvi/report/posterior_json.hpp>
#include <dpvi/report/posterior_netcdf.hpp>
#include <dpvi/report/stan_csv.hpp>
#include <dpvi/report/statement.hpp>

namespace dpvi {
namespace {

// The report is made from the other files as they will be written. It is for convenience: a result
// that has spent its budget is not lost because a page about it cannot be made.
std::optional<std::string> report_of(const std::vector<FolderFile>& files,
                                     const std::filesystem::path& target) {
  BundleTexts texts{target, {}};
  for (const FolderFile& file : files) texts.files[file.name] = file.text;
  try {
    return report_html(texts);
  } catch (const std::exception&) {
    return std::nullopt;
  }
}

}  // namespace

void write_bundle(const FitResult& result, const ProgramVersion& program,
                  const std::filesystem::path& target) {
  if (result.privacy) result.privacy->require_result(result.fitted.parameters);
  std::vector<FolderFile> files = {
      {"draws.csv", stan_csv(result)},
      {"posterior.json", posterior_json(result)},
      {"posterior.nc", posterior_netcdf(result, program)},
      {"statement.json", statement_json(result)},
      {"statement.md", statement_text(result)},
      {"run.json", run_json(result, program)},
      {"model.stan", result.model_text},
  };
  if (!result.schema_text.empty()) files.push_back({"schema.toml", result.schema_text});
  if (auto report = report_of(files, target)) files.push_back({"report.html", std::move(*report)});
  write_folder(target, files);
}

}  // namespace dpvi
