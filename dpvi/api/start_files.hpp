#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace dpvi {

// What a person knows before any file but the table exists.
struct StartRequest {
  std::string table;            // CSV file, of which the header line is read
  std::string outcome = {};     // column; without a formula, one is proposed
  std::string formula = {};     // response ~ predictors
  std::string likelihood = {};  // of the formula; empty: follows from the schema
  std::string model = {};       // Stan program, in place of a formula
  std::string unit = {};        // column of ids
  std::optional<std::int64_t> rows = std::nullopt;  // approximate number of rows
};

// The files of a start.
struct StartFiles {
  std::string schema;
  std::vector<std::string> missing;  // keys of the schema to fill in
  std::string program = {};          // empty if the request names a program
  std::string formula = {};          // given or proposed; empty if the request names a program
  std::vector<std::string> left_out = {};  // columns that the proposed formula leaves out
  bool asks_for_unit = false;  // a name looks like an id, and the schema asks for a decision
};

// Drafts a schema, and a program where there is none, from the names of the table's header line.
//
// Reads no record: see read_header_line().
StartFiles draft_start(const StartRequest& request);

}  // namespace dpvi
