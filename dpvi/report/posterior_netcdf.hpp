#pragma once

#include <string>

#include <dpvi/fit/train/fit_result.hpp>
#include <dpvi/report/run_json.hpp>

namespace dpvi {

// posterior.nc: the draws as NetCDF-4, which ArviZ and xarray open. The group `posterior` has the
// dimensions chain and draw before each variable's own, and the privacy facts as attributes. Draws
// that are no Markov chains are one chain. The statistics of Markov chains are in the group
// `sample_stats`, under ArviZ's names. Every byte is written by dpvi itself
// (netcdf/netcdf_file.hpp): no other library runs while a process holds records.
std::string posterior_netcdf(const FitResult& result, const ProgramVersion& program);

}  // namespace dpvi
