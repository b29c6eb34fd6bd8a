#pragma once

#include <netcdf.h>
#include <netcdf_mem.h>

namespace dpvi {

// The functions of the netCDF library that dpvi calls. The library is loaded on first use. It
// brings in some forty other libraries, which would cost ten milliseconds in commands that write no
// bundle.
struct NetcdfLibrary {
  decltype(&nc_create_mem) create_mem;
  decltype(&nc_close_memio) close_memio;
  decltype(&nc_abort) abort;
  decltype(&nc_def_grp) def_grp;
  decltype(&nc_def_dim) def_dim;
  decltype(&nc_def_var) def_var;
  decltype(&nc_put_var_double) put_var_double;
  decltype(&nc_put_att_text) put_att_text;
  decltype(&nc_put_att_double) put_att_double;
  decltype(&nc_strerror) strerror;

  // Throws CannotCreateError if the library is not installed.
  static const NetcdfLibrary& get();
};

}  // namespace dpvi
