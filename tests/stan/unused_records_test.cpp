#include <algorithm>
#include <bit>
#include <cmath>
#include <map>
#include <random>
#include <string>
#include <vector>

#include <dpvi/stan/run/generated_draws.hpp>
#include <dpvi/stan/run/row_program.hpp>

#include "model_reading.hpp"

// Whatever is built from a program must be the same whether the values of records are at hand or
// not. These tests offer the values of a whole table beside the public data.

namespace dpvi {
namespace {

// Reads records in every block.
constexpr const char* kReadsRecords = R"(
data { int<lower=0> N; int K; vector[N] x; array[N] int<lower=0, upper=1> y; }
transformed data { vector[N] shifted = x + K; }
parameters { real a; real<lower=0> s; }
transformed parameters { vector[N] mu = a + s * shifted; }
model { a ~ normal(0, 1); y ~ bernoulli_logit(mu); }
generated quantities {
  real fresh = normal_rng(a, s);
  real total = sum(x);
  int seen = N;
  vector[N] p = inv_logit(mu);
  vector[N] noisy;
  for (n in 1:N) noisy[n] = normal_rng(mu[n], s);
}
)";

// Cannot run without records, since it reads the first one.
constexpr const char* kNeedsARecord = R"(
data { int<lower=0> N; int K; vector[N] x; array[N] int<lower=0, upper=1> y; }
transformed data { real first = x[1]; }
parameters { real a; real<lower=0> s; }
model { a ~ normal(0, 1 + 0 * first); y ~ bernoulli_logit(a + s * x); }
generated quantities { real fresh = normal_rng(a, s); real copied = first; }
)";

StanModelOptions public_data() { return {.known = {{"K", known_scalar(2)}}}; }

StanModelOptions public_data_and_records() {
  StanModelOptions options = public_data();
  options.known["N"] = known_scalar(3);
  options.known["x"] = known_list({8675.309, 8675.309, -8675.309});
  options.known["y"] = known_list({1, 1, 1});
  return options;
}

bool same_node(const Node& a, const Node& b) {
  return a.op == b.op && a.length == b.length && a.attributes == b.attributes &&
         std::ranges::equal(a.arguments, b.arguments) &&
         std::ranges::equal(a.values, b.values, [](double one, double other) {
           return std::bit_cast<std::uint64_t>(one) == std::bit_cast<std::uint64_t>(other);
         });
}

void expect_same_graph(const Graph& a, const Graph& b) {
  ASSERT_EQ(a.size(), b.size());
  for (std::uint32_t i = 0; i < a.size(); ++i) {
    EXPECT_TRUE(same_node(a[NodeId{i}], b[NodeId{i}])) << "node " << i;
  }
}

// Guarantee: no private data are used; the declaration is all that is known about records.
TEST(StanModel, IsTheSameWhetherRecordsAreAtHandOrNot) {
  for (const char* text : {kReadsRecords, kNeedsARecord}) {
    const StanModel without = ReadModel(text, public_data()).build();
    const StanModel with = ReadModel(text, public_data_and_records()).build();
    EXPECT_EQ(without.prior_from_mock_record, text == kNeedsARecord);
    EXPECT_EQ(with.prior, without.prior);
    EXPECT_EQ(with.record, without.record);
    expect_same_graph(*with.graph, *without.graph);
  }
}

// Guarantee: no record is used to build it; mock records test that rows do not mix.
TEST(RowProgram, IsTheSameWhetherRecordsAreAtHandOrNot) {
  const auto rows_of_table = [](ReadModel& read) {
    throw_if_errors(read.checked.findings, read.checked.source);
    return build_row_program(read.checked, read.data, stan_functions(), read.options);
  };
  for (const char* text : {kReadsRecords, kNeedsARecord}) {
    ReadModel public_only(text, public_data());
    ReadModel with_records(text, public_data_and_records());
    const RowProgram without = rows_of_table(public_only);
    const RowProgram with = rows_of_table(with_records);
    ASSERT_EQ(with.quantities.size(), without.quantities.size());
    for (std::size_t i = 0; i < with.quantities.size(); ++i) {
      EXPECT_EQ(with.quantities[i].entries, without.quantities[i].entries);
      EXPECT_EQ(with.quantities[i].refusal, without.quantities[i].refusal);
    }
    expect_same_graph(*with.graph, *without.graph);
  }
}

// The numbers drawn at one point, by name.
std::map<std::string, std::vector<double>> drawn(ReadModel& read, const ProgramRecord* record) {
  throw_if_errors(read.checked.findings, read.checked.source);
  const GeneratedDraws generated(read.checked, read.data, stan_functions(), read.options);
  std::mt19937_64 engine(3);
  const UniformSource uniform = [&] {
    return (static_cast<double>(engine() >> 11) + 0.5) * 0x1p-53;
  };
  const std::vector<double> theta = {0.3, std::log(2.0)};
  std::map<std::string, std::vector<double>> numbers;
  for (const DrawnQuantity& quantity : record == nullptr
                                           ? generated.without_records(theta, uniform)
                                           : generated.on_record(theta, *record, uniform)) {
    numbers[quantity.name] = quantity.numbers;
  }
  return numbers;
}

// Guarantee: no private record is used; a run reads no record, a mock record, or a record that the
// caller declares public.
TEST(GeneratedDraws, AreTheSameWhetherRecordsAreAtHandOrNot) {
  const ProgramRecord declared_public{{1.5}, {0}};
  for (const char* text : {kReadsRecords, kNeedsARecord}) {
    ReadModel public_only(text, public_data());
    ReadModel with_records(text, public_data_and_records());
    const auto free_of_records = drawn(with_records, nullptr);
    EXPECT_EQ(free_of_records, drawn(public_only, nullptr));
    EXPECT_EQ(free_of_records.size(), 1u);
    EXPECT_TRUE(free_of_records.contains("fresh"));
    EXPECT_EQ(drawn(with_records, &declared_public), drawn(public_only, &declared_public));
  }
  ReadModel with_records(kReadsRecords, public_data_and_records());
  EXPECT_EQ(drawn(with_records, &declared_public).at("total"), std::vector<double>{1.5});
}

}  // namespace
}  // namespace dpvi
