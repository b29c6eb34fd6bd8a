#include <dpvi/report/bundle_writer.hpp>

#include <dpvi/report/atomic_folder.hpp>
#include <dpvi/report/posterior_json.hpp>
#include <dpvi/report/posterior_netcdf.hpp>
#include <dpvi/report/stan_csv.hpp>
#include <dpvi/report/statement.hpp>

namespace dpvi {

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
  write_folder(target, files);
}

}  // namespace dpvi
