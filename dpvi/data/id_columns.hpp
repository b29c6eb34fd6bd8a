#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include <dpvi/data/schema.hpp>

namespace dpvi {

// Whether the name of a column says that its cells identify somebody or something that may have
// several rows. Decided by whole words: `patient_id`, `PatientID`, `subjid` and `id` are names of
// ids; `void`, `covid`, `width` and `idle` are not. Ids of places and things (`hospital_id`,
// `item_id`) are groups, not persons.
enum class IdName {
  none,
  id,     // id, record_id, uuid
  person  // patient_id, ssn, subject
};

IdName id_name(std::string_view column);

// True for names of persons, their addresses, and remarks: columns of texts that nearly all differ.
bool is_free_text_name(std::string_view column);

// The position of the first column whose name looks like an id although the schema says neither
// which column is the unit nor that no person has two rows. A category whose levels are declared is
// a group, unless its name says that it is a person. The cells of the table are not looked at.
std::optional<std::size_t> undecided_id_column(std::span<const std::string> names,
                                               const Schema& schema);

// Refuses (DP342) a table with such a column, with the two lines to choose from. The name is quoted
// only if it is in the schema or in `known`: the first line of a table may be a record.
void require_decided_unit(std::span<const std::string> names, const Schema& schema,
                          std::span<const std::string> known, const std::string& table);

}  // namespace dpvi
