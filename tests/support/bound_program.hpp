#pragma once

#include <string>
#include <utility>

#include <dpvi/data/schema.hpp>
#include <dpvi/fit/prepare/program_data.hpp>
#include <dpvi/fit/prepare/record_model.hpp>
#include <dpvi/fit/prepare/release_model.hpp>
#include <dpvi/model/stan_functions.hpp>

namespace dpvi {

// A program and the binding of its record variables, without a table.
struct BoundProgram {
  Binding binding;
  RecordModel model;
  ReleaseModel release;
};

inline BoundProgram bind_program(const std::string& text, const std::string& schema = "",
                                 PublicData known = {}) {
  CheckedProgram checked = read_stan_program("m.stan", text, stan_functions());
  throw_if_errors(checked.findings, checked.source);
  const DataBlock data = describe_data_block(checked.program, "N", checked.findings);
  BindingRequest request;
  request.variables = data_variables(data, "m.stan");
  request.schema = parse_schema(schema, "s.toml");
  request.public_data = std::move(known);
  Binding binding = bind_columns(request);
  StanModelOptions options;
  options.known = known_data(binding.public_data);
  options.facts = record_facts(binding);
  RecordModel model(build_stan_model(checked, data, stan_functions(), options));
  options.keep_gathered_vectors = true;
  ReleaseModel release(build_stan_model(checked, data, stan_functions(), options));
  return {std::move(binding), std::move(model), std::move(release)};
}

inline constexpr const char* kLogisticProgram = R"(
data { int N; vector[N] a; vector[N] b; array[N] int<lower=0, upper=1> y; }
parameters { real alpha; vector[2] beta; }
model {
  alpha ~ normal(0, 2);
  beta ~ normal(0, 2);
  y ~ bernoulli_logit(alpha + beta[1] * a + beta[2] * b);
}
)";

// One mean with known sd: its posterior is known in closed form.
inline constexpr const char* kMeanProgram = R"(
data { int N; vector[N] y; }
parameters { real mu; }
model { mu ~ normal(0, 3); y ~ normal(mu, 2); }
)";

}  // namespace dpvi
