// Time per record gradient of a tape against the best code written by hand for the same model, in
// the same layout: blocks of 16 records, log density and gradient of every record written out.
// Answers are compared before anything is timed.
//
//   record_gradient [--json]

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <ctime>
#include <functional>
#include <nlohmann/json.hpp>
#include <random>
#include <string>
#include <vector>

#include <benchmarks/record_gradient_by_hand.hpp>
#include <dpvi/tape/fused_densities.hpp>
#include <dpvi/tape/graph_builder.hpp>
#include <dpvi/tape/record_tape.hpp>

namespace dpvi {
namespace {

constexpr int kComponents = 5;

// One draw of a model written by hand: evaluates one block of records.
using ByHand = std::function<void(const double* block, double* log_density, double* gradient)>;

struct Model {
  std::string name;
  int dim;
  int theta_size;
  NodeId root;
  ByHand (*begin_by_hand)(int dim, const std::vector<double>& theta);
};

ByHand logistic_by_hand(int dim, const std::vector<double>& theta) {
  return [dim, &theta](const double* block, double* log_density, double* gradient) {
    logistic_block(dim, theta.data(), block, log_density, gradient);
  };
}

ByHand mixture_by_hand(int dim, const std::vector<double>& theta) {
  return [dim, &theta, draw = begin_mixture(dim, theta.data())](
             const double* block, double* log_density, double* gradient) {
    mixture_block(dim, draw, theta.data(), block, log_density, gradient);
  };
}

// Parameters: intercept, dim coefficients. Record: outcome, dim covariates.
Model logistic(GraphBuilder& g, int dim) {
  const NodeId eta = g.add(g.theta(0), g.dot(g.record_real(1, dim), g.theta(1, dim)));
  return {"logistic", dim, dim + 1, bernoulli_logit_log_density_sum(g, g.record_real(0), eta),
          &logistic_by_hand};
}

// Parameters: log weights before the softmax, log standard deviations, means. Record: a point.
Model mixture(GraphBuilder& g, int dim) {
  const NodeId log_weights = g.log_softmax(g.theta(0, kComponents));
  const NodeId sigmas = g.exp(g.theta(kComponents, kComponents));
  std::vector<NodeId> terms;
  for (int k = 0; k < kComponents; ++k) {
    const NodeId mean = g.theta(2 * kComponents + k * dim, dim);
    terms.push_back(
        g.add(g.element(log_weights, k),
              normal_log_density_sum(g, g.record_real(0, dim), mean, g.element(sigmas, k))));
  }
  return {"mixture", dim, kComponents * (2 + dim), g.log_sum_exp(g.pack(terms)), &mixture_by_hand};
}

// Blocks of prepared records, one after the other.
struct Batch {
  int records;
  std::size_t block_numbers;
  LaneBuffer reals;
};

Batch random_batch(const RecordTape& tape, const Model& model, int records) {
  const auto columns = static_cast<std::size_t>(tape.real_columns());
  const std::size_t block = columns * kLanes;
  Batch batch{records, block, LaneBuffer(block * static_cast<std::size_t>(records / kLanes))};
  std::mt19937_64 random(7);
  std::normal_distribution<double> normal;
  RecordPreparer preparer(tape);
  std::vector<double> raw(static_cast<std::size_t>(model.dim + 1));
  std::vector<double> prepared(columns);
  for (int i = 0; i < records; ++i) {
    for (double& x : raw) x = normal(random);
    if (model.name == "logistic") raw[0] = raw[0] > 0.0 ? 1.0 : 0.0;
    preparer.prepare({raw, {}}, prepared.data(), nullptr);
    double* lane = batch.reals.data() + static_cast<std::size_t>(i / kLanes) * block + i % kLanes;
    for (std::size_t c = 0; c < columns; ++c) lane[c * kLanes] = prepared[c];
  }
  return batch;
}

struct Output {
  explicit Output(int theta_size)
      : log_density(kLanes), gradient(static_cast<std::size_t>(theta_size) * kLanes) {}
  LaneBuffer log_density;
  LaneBuffer gradient;
};

// One pass over the batch; `visit` may look at every block's result.
using Visit = std::function<void(int block)>;

void run_tape(const RecordTape& tape, TapeWorkspace& workspace, Batch& batch, Output& out,
              const Visit& visit = {}) {
  for (int b = 0; b < batch.records / kLanes; ++b) {
    const double* block = batch.reals.data() + static_cast<std::size_t>(b) * batch.block_numbers;
    tape.evaluate_block(workspace, {block, nullptr}, out.log_density.data(), out.gradient.data());
    if (visit) visit(b);
  }
}

void run_by_hand(const ByHand& by_hand, Batch& batch, Output& out) {
  for (int b = 0; b < batch.records / kLanes; ++b) {
    const double* block = batch.reals.data() + static_cast<std::size_t>(b) * batch.block_numbers;
    by_hand(block, out.log_density.data(), out.gradient.data());
  }
}

double largest_difference(LaneBuffer& a, LaneBuffer& b) {
  double largest = 0.0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    const double scale = std::fmax(1.0, std::fabs(b.data()[i]));
    const double difference = std::fabs(a.data()[i] - b.data()[i]) / scale;
    largest = std::isnan(difference) ? HUGE_VAL : std::fmax(largest, difference);
  }
  return largest;
}

double processor_time() {
  timespec time{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) * 1e9 + static_cast<double>(time.tv_nsec);
}

// Nanoseconds of processor time a record, in the pass that one in ten beats. The two codes take
// turns and the slower passes do not count, so that other programs on the machine disturb the ratio
// little.
struct Times {
  double tape;
  double by_hand;
};

Times time_both(const std::function<void()>& tape, const std::function<void()>& by_hand,
                int records) {
  const auto once = [&](const std::function<void()>& code) {
    const double start = processor_time();
    code();
    return (processor_time() - start) / records;
  };
  std::vector<double> tape_times;
  std::vector<double> hand_times;
  constexpr double kLongEnough = 4e8;
  const double end = processor_time() + kLongEnough;
  while (processor_time() < end || tape_times.size() < 11) {
    tape_times.push_back(once(tape));
    hand_times.push_back(once(by_hand));
  }
  const auto fast_pass = [](std::vector<double>& times) {
    const auto tenth = times.begin() + static_cast<std::ptrdiff_t>(times.size() / 10);
    std::ranges::nth_element(times, tenth);
    return *tenth;
  };
  return {fast_pass(tape_times), fast_pass(hand_times)};
}

bool measure(const Model& model, const GraphBuilder& builder, int records, nlohmann::json& rows) {
  const RecordTape tape(builder.graph(), model.root, model.theta_size);
  TapeWorkspace workspace(tape);
  Batch batch = random_batch(tape, model, records);
  std::mt19937_64 random(11);
  std::normal_distribution<double> normal(0.0, 0.3);
  std::vector<double> theta(static_cast<std::size_t>(model.theta_size));
  for (double& x : theta) x = normal(random);
  Output out(model.theta_size);
  Output expected(model.theta_size);
  tape.begin_draw(workspace, theta);
  const ByHand by_hand = model.begin_by_hand(model.dim, theta);

  double worst = 0.0;
  run_tape(tape, workspace, batch, out, [&](int b) {
    const double* block = batch.reals.data() + static_cast<std::size_t>(b) * batch.block_numbers;
    by_hand(block, expected.log_density.data(), expected.gradient.data());
    worst = std::max({worst, largest_difference(out.log_density, expected.log_density),
                      largest_difference(out.gradient, expected.gradient)});
  });
  if (!(worst < 1e-11)) {
    fmt::print(stderr, "{} D={}: answers differ by {}\n", model.name, model.dim, worst);
    return false;
  }
  const Times times = time_both([&] { run_tape(tape, workspace, batch, out); },
                                [&] { run_by_hand(by_hand, batch, out); }, records);
  rows.push_back({{"model", model.name},
                  {"dim", model.dim},
                  {"batch", records},
                  {"precision", "double"},
                  {"ns", times.tape},
                  {"hand_ns", times.by_hand},
                  {"ratio", times.tape / times.by_hand}});
  return true;
}

int run(bool json) {
  nlohmann::json rows = nlohmann::json::array();
  for (const auto make : {&logistic, &mixture}) {
    for (const int dim : {10, 100}) {
      for (const int records : {2048, 16384}) {
        GraphBuilder builder;
        const Model model = make(builder, dim);
        if (!measure(model, builder, records, rows)) return 1;
        if (json) continue;
        const nlohmann::json& row = rows.back();
        fmt::print(
            "{:9} D={:<4} batch {:<6} {:7.1f} ns a record gradient, by hand {:7.1f}, ratio "
            "{:.2f}\n",
            model.name, dim, records, row["ns"].get<double>(), row["hand_ns"].get<double>(),
            row["ratio"].get<double>());
      }
    }
  }
  if (json) fmt::print("{}\n", rows.dump(2));
  return 0;
}

}  // namespace
}  // namespace dpvi

int main(int argc, char** argv) {
  if (argc > 2 || (argc == 2 && std::string(argv[1]) != "--json")) {
    fmt::print(stderr, "usage: record_gradient [--json]\n");
    return 64;
  }
  if (!dpvi::is_available(dpvi::InstructionSet::avx2)) {
    fmt::print(stderr, "the code written by hand needs AVX2 and FMA, which this machine lacks\n");
    return 70;
  }
  return dpvi::run(argc == 2);
}
