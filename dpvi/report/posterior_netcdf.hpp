#pragma once

#include <string>

#include <dpvi/fit/fit_result.hpp>
#include <dpvi/report/run_json.hpp>

namespace dpvi {

// posterior.nc: the draws as NetCDF-4, as ArviZ and xarray open them: a group `posterior` with
// dimensions chain (one) and draw before each variable's own, and the privacy facts as attributes.
std::string posterior_netcdf(const FitResult& result, const ProgramVersion& program);

// Throws CannotCreateError where the library that writes it is missing: to be called before
// anything is spent.
void require_netcdf();

}  // namespace dpvi
