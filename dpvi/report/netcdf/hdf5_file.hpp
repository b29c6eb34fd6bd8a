#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace dpvi {

// The part of the HDF5 file format that posterior.nc needs: groups with few links, contiguous
// datasets and attributes, in format version 2 (HDF5 1.8 and later). Section numbers in
// hdf5_file.cpp are those of the "HDF5 File Format Specification Version 3.0".

// Names an object of the file by its place in Hdf5File::objects.
struct ObjectReference {
  std::size_t object;
};

// A use of a dimension: dimension `index` of a dataset.
struct DimensionUse {
  ObjectReference dataset;
  std::uint32_t index;
};

// One reference for each dimension of a dataset. Each is a list of one entry in the file.
using ReferenceLists = std::vector<ObjectReference>;
using DimensionUses = std::vector<DimensionUse>;

struct Hdf5Attribute {
  std::string name;
  std::string type;                                                // see hdf5_types.hpp
  std::string space;                                               // see hdf5_types.hpp
  std::variant<std::string, ReferenceLists, DimensionUses> value;  // text: the bytes of the value
};

// An attribute fits into a file if its value has at most this many bytes. Other parts of its
// message take less than the rest of the 65535 bytes.
inline constexpr std::size_t kLargestAttribute = 64000;

struct Hdf5Link {
  std::string name;
  ObjectReference object;
};

struct Hdf5Group {
  std::vector<Hdf5Link> links;
};

struct Hdf5Dataset {
  std::string type;
  std::string space;
  std::uint64_t size;                   // bytes of all values
  std::string values;                   // empty: not stored, all values are 0
  std::vector<std::string> texts = {};  // instead of `values`, for hdf5_texts()
};

struct Hdf5Object {
  std::variant<Hdf5Group, Hdf5Dataset> content;
  std::vector<Hdf5Attribute> attributes;
};

struct Hdf5File {
  std::vector<Hdf5Object> objects;  // the first one is the root group
};

// The whole file. Every byte follows from `file`: nothing depends on time, place or machine.
std::string hdf5_bytes(const Hdf5File& file);

}  // namespace dpvi
