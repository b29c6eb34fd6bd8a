#include <dpvi/report/bundle_writer.hpp>

#include <utility>

#include <dpvi/base/sha256.hpp>
#include <dpvi/report/manifest.hpp>
#include <dpvi/report/posterior_json.hpp>
#include <dpvi/report/posterior_netcdf.hpp>
#include <dpvi/report/stan_csv.hpp>
#include <dpvi/report/statement.hpp>

namespace dpvi {

BundleFiles bundle_files(const FitResult& result, const ProgramVersion& program) {
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
  files.push_back({std::string(kManifestName), manifest_json(files)});
  std::string hash = sha256_hex(files.back().text);
  return {std::move(files), std::move(hash)};
}

void write_bundle(const FitResult& result, const ProgramVersion& program,
                  const std::filesystem::path& target) {
  write_folder(target, bundle_files(result, program).files);
}

}  // namespace dpvi
