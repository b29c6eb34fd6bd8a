#pragma once

#include <cstddef>
#include <string>
#include <variant>
#include <vector>

namespace dpvi {

// A netCDF-4 file as plain data. It is an HDF5 file that follows netCDF's conventions.

struct NetcdfAttribute {
  std::string name;
  std::variant<std::string, std::vector<double>> value;  // at most kLargestAttribute bytes
};

// What the places of a dimension are called, for readers that choose by it.
enum class NetcdfPlaces { unnamed, numbered, named };  // numbers start at 0

struct NetcdfDimension {
  std::string name;
  std::size_t size;  // at least 1
  NetcdfPlaces places = NetcdfPlaces::unnamed;
  std::vector<std::string> names = {};  // as many as the size if `named`
};

enum class NetcdfType { float64, int32, int8 };

struct NetcdfVariable {
  std::string name;
  std::vector<std::size_t> dimensions;  // places in the dimensions of its group
  std::vector<double> values;           // the last index varies fastest
  std::vector<NetcdfAttribute> attributes = {};
  NetcdfType type = NetcdfType::float64;
};

struct NetcdfGroup {
  std::string name;  // that of the root group is not used
  std::vector<NetcdfDimension> dimensions = {};
  std::vector<NetcdfVariable> variables = {};
  std::vector<NetcdfAttribute> attributes = {};
  std::vector<NetcdfGroup> groups = {};
};

std::string netcdf_bytes(const NetcdfGroup& root);

}  // namespace dpvi
