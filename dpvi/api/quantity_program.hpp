#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include <dpvi/api/opened_bundle.hpp>
#include <dpvi/api/program.hpp>

namespace dpvi {

// Another program with the parameters of a bundle, for its generated quantities.
struct QuantityProgram : OpenedProgram {
  // Entry i of the program's unconstrained parameters is entry order[i] of the bundle's.
  std::vector<std::size_t> order;

  // The bundle's points in the order of this program.
  std::vector<std::vector<double>> points(std::span<const std::vector<double>> thetas) const;
};

// Reads the program for rows that the schema, columns and public values of the bundle describe.
// Public values of its own come with `source`; its own columns are read by their names.
//
// Refuses (DP203) a program whose parameters differ in name, type, size or bounds, and names them.
// They may be declared in another order.
QuantityProgram open_quantity_program(const OpenedBundle& opened, const ProgramSource& source);

}  // namespace dpvi
