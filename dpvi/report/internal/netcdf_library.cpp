#include <dpvi/report/internal/netcdf_library.hpp>

#include <dlfcn.h>
#include <fmt/format.h>

#include <dpvi/base/error.hpp>

namespace dpvi {
namespace {

[[noreturn]] void refuse() {
  throw CannotCreateError(
      kLibraryMissing,
      fmt::format("the library {} cannot be loaded; posterior.nc needs it.", DPVI_NETCDF_LIBRARY),
      "On Debian: apt-get install libnetcdf19.");
}

template <class Function>
void load(void* library, const char* name, Function& function) {
  function = reinterpret_cast<Function>(dlsym(library, name));
  if (function == nullptr) refuse();
}

NetcdfLibrary load_all() {
  // Never closed: the library registers handlers that run when the process ends.
  void* library = dlopen(DPVI_NETCDF_LIBRARY, RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) refuse();
  NetcdfLibrary result{};
  load(library, "nc_create_mem", result.create_mem);
  load(library, "nc_close_memio", result.close_memio);
  load(library, "nc_abort", result.abort);
  load(library, "nc_def_grp", result.def_grp);
  load(library, "nc_def_dim", result.def_dim);
  load(library, "nc_def_var", result.def_var);
  load(library, "nc_put_var_double", result.put_var_double);
  load(library, "nc_put_att_text", result.put_att_text);
  load(library, "nc_put_att_double", result.put_att_double);
  load(library, "nc_strerror", result.strerror);
  return result;
}

}  // namespace

const NetcdfLibrary& NetcdfLibrary::get() {
  static const NetcdfLibrary kLibrary = load_all();
  return kLibrary;
}

}  // namespace dpvi
