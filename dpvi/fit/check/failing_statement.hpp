#pragma once

#include <span>
#include <string>
#include <vector>

#include <dpvi/model/marginal_record.hpp>
#include <dpvi/stan/run/stan_model.hpp>
#include <dpvi/stan/types/checked_program.hpp>
#include <dpvi/tape/graph/graph_builder.hpp>
#include <dpvi/tape/reference/reference_evaluator.hpp>

namespace dpvi {

// A statement, with its line and text for messages.
struct StatementFailure {
  Spot spot;
  std::string words;
};

// Finds the statement that makes a density undefined: the one at which Stan would throw.
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
  LatentColumns latents_;
  NodeId prior_, record_;  // vectors with one number for each of spots_
};

}  // namespace dpvi
