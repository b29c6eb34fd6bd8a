#pragma once

#include <cstdint>
#include <functional>

#include <dpvi/model/expression_functions.hpp>
#include <dpvi/tape/lanes/record_tape.hpp>
#include <dpvi/tape/lanes/uniform_function.hpp>

namespace dpvi {

// A model written as C++ functions of expressions (expression.hpp, formula.hpp). Such a function
// runs once, on expressions that record the operations applied to them. The result is the tape that
// a Stan program with the same formulas would give, and everything downstream is the same. Branches
// on a record are written with select(), because a C++ `if` never sees a record.

struct ModelShape {
  std::int32_t parameters = 0;  // unconstrained
  std::int32_t reals = 0;       // per record
  std::int32_t integers = 0;    // per record
};

// The contribution of one record to the log density, including all constants.
using RecordLogDensity =
    std::function<Expression(Expression theta, Expression reals, Expression integers)>;
RecordTape record_function(const ModelShape& shape, const RecordLogDensity& log_density);

// The log density without any records, including Jacobians.
using LogPrior = std::function<Expression(Expression theta)>;
UniformFunction record_prior(const ModelShape& shape, const LogPrior& log_prior);

}  // namespace dpvi
