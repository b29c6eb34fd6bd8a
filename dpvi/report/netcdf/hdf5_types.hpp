#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace dpvi {

// Datatype and dataspace messages of the HDF5 file format, as bytes.

std::string hdf5_double();
std::string hdf5_int32();
std::string hdf5_int8();
// The type that netCDF-4 gives to a dimension without values.
std::string hdf5_big_endian_float();
// UTF-8 text of a fixed number of bytes, at least 1.
std::string hdf5_text(std::size_t bytes);
// UTF-8 texts of any length. Each is its length, and its place in a heap.
std::string hdf5_texts();
// The address of an object.
std::string hdf5_reference();
// A list of references: its length, and its place in a heap.
std::string hdf5_reference_list();
// A reference `dataset` and an index `dimension`, 12 bytes together.
std::string hdf5_reference_and_index();

std::string hdf5_no_value();
// No size is a single value.
std::string hdf5_space(const std::vector<std::uint64_t>& sizes);

}  // namespace dpvi
