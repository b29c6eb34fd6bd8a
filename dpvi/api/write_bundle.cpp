#include <dpvi/api/write_bundle.hpp>

#include <dpvi/api/version.hpp>
#include <dpvi/report/atomic_folder.hpp>
#include <dpvi/report/bundle_writer.hpp>
#include <dpvi/report/posterior_netcdf.hpp>

namespace dpvi {

void check_can_write_bundle(const std::filesystem::path& folder) {
  check_can_create(folder);
  require_netcdf();
}

void write_bundle(const FitResult& result, const std::filesystem::path& folder) {
  write_bundle(result, library_version(), folder);
}

}  // namespace dpvi
