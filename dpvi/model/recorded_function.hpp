#pragma once

#include <cstdint>
#include <functional>

#include <dpvi/model/formula.hpp>
#include <dpvi/tape/record_tape.hpp>
#include <dpvi/tape/uniform_function.hpp>

namespace dpvi {

// A model written as C++ functions of values (expression.hpp, formula.hpp). Such a function runs
// once, on values that record what is done with them; what it leaves is the tape that a Stan
// program with the same formulas becomes, and everything after that is the same. Branches on a
// record are written with select(): an `if` of C++ sees no record.

struct ModelShape {
  std::int32_t parameters = 0;  // unconstrained
  std::int32_t reals = 0;       // of a record
  std::int32_t integers = 0;
};

// What one record adds to the log density, constants and all.
using RecordLogDensity =
    std::function<Expression(Expression theta, Expression reals, Expression integers)>;
RecordTape record_function(const ModelShape& shape, const RecordLogDensity& log_density);

// The log density on no record, Jacobians included.
using LogPrior = std::function<Expression(Expression theta)>;
UniformFunction record_prior(const ModelShape& shape, const LogPrior& log_prior);

}  // namespace dpvi
