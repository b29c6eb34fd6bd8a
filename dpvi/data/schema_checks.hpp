#pragma once

#include <span>
#include <string>

#include <dpvi/data/binding.hpp>

namespace dpvi {

// Refuses a schema that speaks of variables the program lacks (DP311, DP340) or of columns the
// table lacks (DP321): most likely a slip, and its facts would silently not apply.
void check_schema_fits(const BindingRequest& request);

// Refuses (DP321) a column that is not in the header. `place` is where it was asked for; the header
// line if that is nowhere in particular. No name of the header is shown: see header_words.
void require_column(const BindingRequest& request, const std::string& name,
                    const SourcePlace& place);

// Names one after the other, cut short where there are too many to read.
std::string list_names(std::span<const std::string> names);

// Which column has a similar name, by its position; empty if none has.
std::string similar_words(const std::string& name, std::span<const std::string> header);

// How many names the header has, or that it is separated by something else than commas.
// Guarantee: none of its names is shown. In a table without a header line they are a record.
std::string header_words(std::span<const std::string> header);

}  // namespace dpvi
