#include <dpvi/report/netcdf/netcdf_file.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <functional>
#include <numeric>
#include <string_view>
#include <utility>

#include <dpvi/report/netcdf/hdf5_file.hpp>
#include <dpvi/report/netcdf/hdf5_types.hpp>
#include <dpvi/report/netcdf/little_endian.hpp>

namespace dpvi {
namespace {

Hdf5Attribute text_attribute(std::string name, std::string text) {
  if (text.empty()) return {std::move(name), hdf5_text(1), hdf5_no_value(), std::string()};
  std::string type = hdf5_text(text.size());
  return {std::move(name), std::move(type), hdf5_space({}), std::move(text)};
}

// A single number is a list of one, as in files of the netCDF library.
Hdf5Attribute number_attribute(std::string name, const std::vector<double>& numbers) {
  std::string bytes;
  for (const double number : numbers) append_double(bytes, number);
  return {std::move(name), hdf5_double(), hdf5_space({numbers.size()}), std::move(bytes)};
}

std::vector<Hdf5Attribute> encoded(const std::vector<NetcdfAttribute>& attributes) {
  std::vector<Hdf5Attribute> result;
  for (const auto& [name, value] : attributes) {
    const auto* text = std::get_if<std::string>(&value);
    result.push_back(text != nullptr
                         ? text_attribute(name, *text)
                         : number_attribute(name, std::get<std::vector<double>>(value)));
  }
  return result;
}

// HDF5's own attributes of a dimension scale end with a null byte.
Hdf5Attribute terminated_attribute(std::string name, std::string text) {
  text.push_back('\0');
  return text_attribute(std::move(name), std::move(text));
}

// Called like its dimension, which makes it the coordinates of netCDF.
Hdf5Object coordinates(const NetcdfDimension& dimension) {
  constexpr std::size_t kTextSize = 16;
  std::vector<Hdf5Attribute> attributes = {terminated_attribute("CLASS", "DIMENSION_SCALE"),
                                           terminated_attribute("NAME", dimension.name)};
  const std::string space = hdf5_space({dimension.size});
  if (dimension.places == NetcdfPlaces::named) {
    return {Hdf5Dataset{hdf5_texts(), space, dimension.size * kTextSize, "", dimension.names},
            std::move(attributes)};
  }
  std::string numbers;
  for (std::size_t i = 0; i < dimension.size; ++i) {
    append_signed(numbers, static_cast<std::int32_t>(i));
  }
  const std::uint64_t size = numbers.size();
  return {Hdf5Dataset{hdf5_int32(), space, size, std::move(numbers)}, std::move(attributes)};
}

// A dimension is a dataset without values, unless its places have names. Other datasets refer to it
// as their dimension scale.
Hdf5Object dimension_scale(const NetcdfDimension& dimension) {
  if (dimension.places != NetcdfPlaces::unnamed) return coordinates(dimension);
  constexpr std::size_t kValueSize = 4;
  const std::string note =
      fmt::format("This is a netCDF dimension but not a netCDF variable.{:10}", dimension.size);
  return {Hdf5Dataset{hdf5_big_endian_float(), hdf5_space({dimension.size}),
                      dimension.size * kValueSize, ""},
          {terminated_attribute("CLASS", "DIMENSION_SCALE"), terminated_attribute("NAME", note)}};
}

std::string type_of(NetcdfType type) {
  switch (type) {
    case NetcdfType::int32:
      return hdf5_int32();
    case NetcdfType::int8:
      return hdf5_int8();
    case NetcdfType::float64:
      break;
  }
  return hdf5_double();
}

std::string values_of(const NetcdfVariable& variable) {
  std::string bytes;
  bytes.reserve(variable.values.size() * sizeof(double));
  for (const double value : variable.values) {
    switch (variable.type) {
      case NetcdfType::float64:
        append_double(bytes, value);
        break;
      case NetcdfType::int32:
        append_signed(bytes, static_cast<std::int32_t>(value));
        break;
      case NetcdfType::int8:
        append_signed(bytes, static_cast<std::int8_t>(value));
        break;
    }
  }
  return bytes;
}

// The dimension, without coordinates if a variable of another kind has its name.
NetcdfDimension written_dimension(const NetcdfGroup& group, NetcdfDimension dimension) {
  if (std::ranges::find(group.variables, dimension.name, &NetcdfVariable::name) !=
      group.variables.end()) {
    dimension.places = NetcdfPlaces::unnamed;
  }
  return dimension;
}

// netCDF's name for a variable that is not the coordinate of the dimension of its name.
std::string link_name(const NetcdfGroup& group, const NetcdfVariable& variable) {
  const bool taken = std::any_of(
      group.dimensions.begin(), group.dimensions.end(),
      [&](const NetcdfDimension& dimension) { return dimension.name == variable.name; });
  return taken ? "_nc4_non_coord_" + variable.name : variable.name;
}

// Adds a group and everything in it to the file.
class GroupWriter {
 public:
  GroupWriter(Hdf5File& file, const NetcdfGroup& group) : file_(file), group_(group) {}

  ObjectReference write() {
    const ObjectReference self = add({Hdf5Group{}, encoded(group_.attributes)});
    for (const NetcdfDimension& dimension : group_.dimensions) {
      scales_.push_back(add(dimension_scale(written_dimension(group_, dimension))));
      links_.push_back({dimension.name, scales_.back()});
    }
    uses_.resize(scales_.size());
    for (const NetcdfVariable& variable : group_.variables) add_variable(variable);
    for (std::size_t i = 0; i < scales_.size(); ++i) add_uses(i);
    for (const NetcdfGroup& inner : group_.groups) {
      links_.push_back({inner.name, GroupWriter(file_, inner).write()});
    }
    std::get<Hdf5Group>(file_.objects[self.object].content).links = std::move(links_);
    return self;
  }

 private:
  ObjectReference add(Hdf5Object object) {
    file_.objects.push_back(std::move(object));
    return {file_.objects.size() - 1};
  }

  void add_variable(const NetcdfVariable& variable) {
    std::vector<std::uint64_t> sizes;
    ReferenceLists scales;
    for (const std::size_t dimension : variable.dimensions) {
      sizes.push_back(group_.dimensions[dimension].size);
      scales.push_back(scales_[dimension]);
    }
    std::string values = values_of(variable);
    const std::uint64_t size = values.size();
    const ObjectReference added =
        add({Hdf5Dataset{type_of(variable.type), hdf5_space(sizes), size, std::move(values)},
             encoded(variable.attributes)});
    if (!scales.empty()) {
      file_.objects[added.object].attributes.push_back(
          {"DIMENSION_LIST", hdf5_reference_list(), hdf5_space({scales.size()}), scales});
    }
    for (std::uint32_t i = 0; i < variable.dimensions.size(); ++i) {
      uses_[variable.dimensions[i]].push_back({added, i});
    }
    links_.push_back({link_name(group_, variable), added});
  }

  // The way back from a dimension to its variables. Readers of netCDF do not need it.
  void add_uses(std::size_t dimension) {
    constexpr std::size_t kUseSize = 12;
    DimensionUses& uses = uses_[dimension];
    if (uses.empty() || uses.size() * kUseSize > kLargestAttribute) return;
    const std::uint64_t count = uses.size();
    file_.objects[scales_[dimension].object].attributes.push_back(
        {"REFERENCE_LIST", hdf5_reference_and_index(), hdf5_space({count}), std::move(uses)});
  }

  Hdf5File& file_;
  const NetcdfGroup& group_;
  std::vector<Hdf5Link> links_;
  std::vector<ObjectReference> scales_;  // by dimension
  std::vector<DimensionUses> uses_;      // by dimension
};

}  // namespace

std::string netcdf_bytes(const NetcdfGroup& root) {
  Hdf5File file;
  GroupWriter(file, root).write();
  return hdf5_bytes(file);
}

}  // namespace dpvi
