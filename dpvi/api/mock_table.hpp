#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <dpvi/api/program.hpp>
#include <dpvi/fit/mock/mock_outcomes.hpp>

namespace dpvi {

// A table of mock records, made from the program and public facts. No record was read.
struct MockTable {
  std::string csv;
  std::vector<std::string> by_model;  // variables drawn from the law in the program's model block
  std::vector<Replicate> drawn;       // without such a law: those drawn by generated quantities
  std::optional<UnitColumn> unit;
};

MockTable make_mock_table(const Program& program, std::size_t rows, std::uint64_t seed);

}  // namespace dpvi
