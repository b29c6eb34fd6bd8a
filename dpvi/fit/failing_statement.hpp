#pragma once

#include <span>
#include <string>
#include <vector>

#include <dpvi/stan/checked_program.hpp>
#include <dpvi/stan/stan_model.hpp>
#include <dpvi/tape/graph_builder.hpp>
#include <dpvi/tape/reference_evaluator.hpp>

namespace dpvi {

// The statement and, for people, its line and text.
struct StatementFailure {
  Spot spot;
  std::string words;
};

// Finds the statement that makes a density no number: where Stan would stop with an exception.
class FailingStatement {
 public:
  FailingStatement(const CheckedProgram& program, const DataBlock& data,
                   const StanModelOptions& options);

  StatementFailure in_prior(std::span<const double> theta) const;
  StatementFailure in_record(std::span<const double> theta, RecordValues record) const;

 private:
  StatementFailure explain(NodeId node, std::span<const double> theta, RecordValues record) const;

  const CheckedProgram& program_;
  GraphBuilder builder_;
  std::vector<Spot> spots_;
  NodeId prior_, record_;  // one number for each of spots_
};

}  // namespace dpvi
