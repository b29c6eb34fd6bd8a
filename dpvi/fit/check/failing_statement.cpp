#include <dpvi/fit/check/failing_statement.hpp>

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include <dpvi/data/number_parser.hpp>
#include <dpvi/model/stan_functions.hpp>
#include <dpvi/stan/run/model_terms.hpp>

namespace dpvi {

FailingStatement::FailingStatement(const CheckedProgram& program, const DataBlock& data,
                                   const StanModelOptions& options)
    : program_(program) {
  const RunSetting setting{program, data, stan_functions(), options, true};
  const ModelTerms terms(setting, builder_);
  latents_ = terms.latents();
  for (const SignedTerms* part : {&terms.prior_terms(), &terms.record_terms()}) {
    for (const Spot spot : part->spots()) {
      if (std::find(spots_.begin(), spots_.end(), spot) == spots_.end()) spots_.push_back(spot);
    }
  }
  std::vector<NodeId> prior, record;
  for (const Spot spot : spots_) {
    prior.push_back(terms.prior_terms().total(builder_, spot));
    record.push_back(terms.record_terms().total(builder_, spot));
  }
  prior_ = builder_.pack(prior);
  record_ = builder_.pack(record);
}

StatementFailure FailingStatement::in_prior(std::span<const double> theta) const {
  return explain(prior_, theta, {});
}

StatementFailure FailingStatement::in_record(std::span<const double> theta,
                                             RecordValues record) const {
  // With latent variables at zero.
  std::vector<double> reals(record.reals.begin(), record.reals.end());
  if (latents_.count > 0) {
    reals.resize(static_cast<std::size_t>(latents_.first + latents_.count), 0.0);
  }
  return explain(record_, theta, {reals, record.ints});
}

StatementFailure FailingStatement::explain(NodeId node, std::span<const double> theta,
                                           RecordValues record) const {
  const std::vector<double> values = reference_values(builder_.graph(), node, theta, record);
  const auto failing =
      std::find_if(values.begin(), values.end(), [](double value) { return std::isnan(value); });
  if (failing == values.end()) return {{}, "the density is not a number"};
  const Spot spot = spots_[static_cast<std::size_t>(failing - values.begin())];
  constexpr std::size_t kShown = 60;
  std::string_view text = program_.source.line(spot.line);
  text = without_blanks(text.substr(std::min<std::size_t>(spot.column - 1, text.size())));
  return {spot,
          fmt::format(
              "line {}: '{}{}' has no value here: an argument is invalid, or reject() was called",
              spot.line, text.substr(0, kShown), text.size() > kShown ? "..." : "")};
}

}  // namespace dpvi
