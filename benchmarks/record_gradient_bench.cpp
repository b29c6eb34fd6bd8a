// Time per record gradient, clipped to the grid and summed, of a tape recorded from Stan source.
// The reference is the best hand-written code for the same model in the same precision, with its
// own clipper. Both use blocks of 16 records in memory and one thread. Before timing, the gradients
// are compared, and the two clippers must give equal integers for the same gradients.
//
//   record_gradient [--json] [MODEL]

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <functional>
#include <random>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <benchmarks/best_time.hpp>
#include <benchmarks/record_gradient_models.hpp>
#include <dpvi/gradient/grid_clipper.hpp>
#include <dpvi/gradient/product_terms.hpp>
#include <dpvi/model/stan_functions.hpp>
#include <dpvi/privacy/collective.hpp>
#include <dpvi/privacy/unprotected_mechanism.hpp>
#include <dpvi/stan/run/stan_model.hpp>
#include <dpvi/tape/lanes/record_tape.hpp>

namespace dpvi {
namespace {

constexpr std::size_t kLaneCount = kLanes;
constexpr std::uint32_t kAllLanes = 0xffff;
constexpr double kNoiseMultiplier = 2.0;
constexpr double kClipBound = 1.0;
constexpr double kIntegerBound = 0x1p24 / kNoiseMultiplier;

HandTarget hand_target(std::size_t dimension) {
  const double length =
      kIntegerBound * (1.0 - 0x1p-20) - 1.5 - static_cast<double>(dimension) / 24.0 / kIntegerBound;
  const auto nearest = static_cast<float>(length);
  return {kIntegerBound / kClipBound, kIntegerBound,
          nearest > length ? std::nextafter(nearest, 0.0F) : nearest};
}

StanModel read_model(const BenchModel& bench) {
  CheckedProgram checked = read_stan_program(bench.name, bench.program, stan_functions());
  throw_if_errors(checked.findings, checked.source);
  StanModelOptions options;
  for (const auto& [name, value] : bench.sizes) options.known[name] = {{}, {value}};
  const DataBlock data = describe_data_block(checked.program, "N", checked.findings);
  return build_stan_model(checked, data, stan_functions(), options);
}

// Consecutive blocks of 16 records.
template <class T>
class Blocks {
 public:
  Blocks(std::size_t columns, std::size_t integers, std::size_t records)
      : columns_(columns),
        integer_columns_(integers),
        reals_(columns * records),
        integers_(integers * records) {}

  void put(std::size_t record, const double* reals, const std::int32_t* integers) {
    const std::size_t block = record / kLaneCount;
    const std::size_t lane = record % kLaneCount;
    for (std::size_t c = 0; c < columns_; ++c) {
      reals_.data()[(block * columns_ + c) * kLaneCount + lane] = static_cast<T>(reals[c]);
    }
    for (std::size_t c = 0; c < integer_columns_; ++c) {
      integers_[(block * integer_columns_ + c) * kLaneCount + lane] = integers[c];
    }
  }
  LaneBlock<T> block(std::size_t number) {
    return {reals_.data() + number * columns_ * kLaneCount,
            integers_.data() + number * integer_columns_ * kLaneCount};
  }

 private:
  std::size_t columns_, integer_columns_;
  LaneBuffer<T> reals_;
  std::vector<std::int32_t> integers_;
};

// Log densities and gradient rows of consecutive blocks.
template <class T>
struct Output {
  Output(const GradientRows& rows, std::size_t blocks)
      : log_density(blocks * kLaneCount),
        gradient(blocks * static_cast<std::size_t>(rows.size()) * kLaneCount),
        own(blocks * static_cast<std::size_t>(rows.per_lane_rows) * kLaneCount),
        active(blocks, kAllLanes),
        count(blocks) {}

  void clip(GridClipper& clipper, std::size_t blocks) {
    clipper.add(std::span<const T>(gradient.data(), blocks * (gradient.size() / count)),
                std::span<const std::uint32_t>(active).first(blocks),
                std::span<const std::int32_t>(own).first(blocks * (own.size() / count)));
  }

  // Returns the part that belongs to one block.
  template <class Number>
  std::span<Number> part(Number* all, std::size_t size, std::size_t block) const {
    return {all + block * (size / count), size / count};
  }

  LaneBuffer<T> log_density;
  LaneBuffer<T> gradient;
  std::vector<std::int32_t> own;
  std::vector<std::uint32_t> active;
  std::size_t count;
};

template <class T>
double largest_difference(LaneBuffer<T>& a, LaneBuffer<T>& b) {
  double largest = 0.0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    const double expected = static_cast<double>(b.data()[i]);
    const double difference = std::fabs(static_cast<double>(a.data()[i]) - expected);
    const double relative = difference / std::fmax(1.0, std::fabs(expected));
    largest = std::isnan(relative) ? HUGE_VAL : std::fmax(largest, relative);
  }
  return largest;
}

// CPU time per record in nanoseconds, as the 10 % quantile over passes. The two codes alternate and
// slow passes are ignored, so that other programs on the machine hardly affect the ratio.
struct Times {
  double tape;
  double by_hand;
};

Times time_both(const std::function<void()>& tape, const std::function<void()>& by_hand,
                std::size_t records) {
  const auto once = [&](const std::function<void()>& code) {
    const double start = processor_time();
    code();
    return (processor_time() - start) / static_cast<double>(records);
  };
  std::vector<double> tape_times;
  std::vector<double> hand_times;
  constexpr double kLongEnough = 3e8;
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

// Evaluates one model at one theta, by tape and by hand.
template <class T>
class Contest {
 public:
  Contest(const BenchModel& model, const RecordTape& tape, std::size_t records)
      : tape_(tape),
        workspace_(tape),
        by_hand_(model.by_hand<T>()),
        records_(records),
        group_(tape.blocks_at_once<T>()),
        out_(tape.rows(), group_),
        expected_(tape.rows(), group_),
        clipper_({.grid = NoiseGrid(kNoiseMultiplier),
                  .clip_bound = kClipBound,
                  .dimension = static_cast<std::size_t>(tape.theta_size()),
                  .max_records = std::uint64_t{1} << 32},
                 tape.rows()),
        target_(hand_target(static_cast<std::size_t>(tape.theta_size()))),
        hand_sums_(4 * static_cast<std::size_t>(tape.rows().size())),
        hand_own_(static_cast<std::size_t>(tape.theta_size())),
        products_(tape, Coordinates::identity(static_cast<std::size_t>(tape.theta_size()))) {
    std::mt19937_64 random(7);
    std::normal_distribution<double> normal(0.0, 0.3);
    std::vector<double> theta(static_cast<std::size_t>(tape.theta_size()));
    for (double& x : theta) x = normal(random);
    tape.begin_draw(workspace_, theta);
    products_.set_centres(tape, workspace_);
    draw_ = by_hand_.begin(model.dim, theta);
    invent_records(model, random);
  }

  double largest_difference_of_answers() {
    double worst = largest_difference_of_sums();
    for_each_group([&](std::size_t first) {
      run_tape(first);
      for (std::size_t b = 0; b < group_; ++b) run_by_hand(first + b, b);
      if (out_.own != expected_.own) worst = HUGE_VAL;
      worst = std::max({worst, largest_difference(out_.log_density, expected_.log_density),
                        largest_difference(out_.gradient, expected_.gradient)});
    });
    return worst;
  }

  Times time() {
    return time_both([&] { for_each_group([&](std::size_t first) { clip_tape(first); }); },
                     [&] { add_by_hand(); }, records_);
  }

  // Returns whether both clippers give the same integers for the hand-written gradients.
  bool clippers_agree() {
    clipper_.take_sum();
    for (std::size_t b = 0; b < records_ / kLaneCount; ++b) {
      run_by_hand(b, 0, by_hand_.products != nullptr);
      if (by_hand_.products != nullptr) {
        clip_products(expected_, 0, by_hand_.products(draw_, hand_blocks_[0].block(b).reals));
      } else {
        expected_.clip(clipper_, 1);
      }
    }
    const auto ours = UnprotectedMechanism().release(Collective().reduce(clipper_.take_sum()));
    std::ranges::fill(hand_sums_, 0);
    std::ranges::fill(hand_own_, 0);
    if (!add_by_hand()) return false;
    const std::vector<std::int64_t> by_hand = integers_by_hand();
    for (std::size_t j = 0; j < by_hand.size(); ++j) {
      const double integer = ours.values()[j] * (kIntegerBound / kClipBound);
      if (integer != static_cast<double>(by_hand[j])) return false;
    }
    return true;
  }

 private:
  // Largest difference of the clipped sums, per record and relative to the bound.
  double largest_difference_of_sums() {
    clipper_.take_sum();
    for_each_group([&](std::size_t first) { clip_tape(first); });
    const auto tape = UnprotectedMechanism().release(Collective().reduce(clipper_.take_sum()));
    std::ranges::fill(hand_sums_, 0);
    std::ranges::fill(hand_own_, 0);
    add_by_hand();
    const std::vector<std::int64_t> by_hand = integers_by_hand();
    double worst = 0.0;
    for (std::size_t j = 0; j < by_hand.size(); ++j) {
      const double hand = static_cast<double>(by_hand[j]) * (kClipBound / kIntegerBound);
      worst = std::max(worst, std::fabs(tape.values()[j] - hand) / static_cast<double>(records_));
    }
    return worst;
  }

  // Returns whether every record was within the bound.
  bool add_by_hand() {
    bool within = true;
    for (std::size_t b = 0; b < records_ / kLaneCount; ++b) {
      const LaneBlock<T> block = hand_blocks_[0].block(b);
      within &= by_hand_.add(draw_, target_, block.reals, block.ints,
                             {hand_sums_.data(), hand_own_.data()});
    }
    return within;
  }

  // The sums of one add_by_hand(), by coordinate.
  std::vector<std::int64_t> integers_by_hand() const {
    std::vector<std::int64_t> integers = hand_own_;
    const std::vector<std::int32_t>& coordinates = tape_.rows().coordinates;
    for (std::size_t row = 0; row < coordinates.size(); ++row) {
      if (coordinates[row] == GradientRows::kOwn) continue;
      std::uint64_t sum = 0;
      for (std::size_t part = 0; part < 4; ++part) {
        sum += static_cast<std::uint64_t>(hand_sums_[4 * row + part]);
      }
      sum -= static_cast<std::uint64_t>(kHandRounder) * records_;
      integers[static_cast<std::size_t>(coordinates[row])] = static_cast<std::int64_t>(sum);
    }
    return integers;
  }

  // Calls each(first block) for each group of blocks that the tape evaluates together.
  template <class Each>
  void for_each_group(const Each& each) {
    for (std::size_t b = 0; b < records_ / kLaneCount; b += group_) each(b);
  }

  void run_tape(std::size_t first) {
    tape_.evaluate_rows(workspace_, tape_blocks_[0].block(first), out_.log_density.data(),
                        out_.gradient.data(), out_.own.data(), group_);
  }

  // Clips record gradients as in a fit.
  void clip_tape(std::size_t first) {
    if (has_products()) {
      tape_.evaluate_factors(workspace_, tape_blocks_[0].block(first), out_.log_density.data(),
                             out_.gradient.data(), out_.own.data(), group_);
      for (std::size_t b = 0; b < group_; ++b) {
        clip_products(out_, b, products_.runs_of(tape_blocks_[0].block(first + b).reals));
      }
    } else {
      run_tape(first);
      out_.clip(clipper_, group_);
    }
  }

  bool has_products() const { return !tape_.products().empty(); }

  void clip_products(Output<T>& out, std::size_t b, std::span<const ProductRun<T>> runs) {
    clipper_.add_products(out.template part<T>(out.gradient.data(), out.gradient.size(), b), runs,
                          kAllLanes,
                          out.template part<const std::int32_t>(out.own.data(), out.own.size(), b));
  }

  void run_by_hand(std::size_t b, std::size_t place, bool factors = false) {
    const LaneBlock<T> block = hand_blocks_[0].block(b);
    Output<T>& out = expected_;
    by_hand_.evaluate(
        draw_,
        {block.reals, block.ints,
         out.template part<T>(out.log_density.data(), out.log_density.size(), place).data(),
         out.template part<T>(out.gradient.data(), out.gradient.size(), place).data(),
         out.template part<std::int32_t>(out.own.data(), out.own.size(), place).data(), factors});
  }

  void invent_records(const BenchModel& model, std::mt19937_64& random) {
    RecordPreparer preparer(tape_);
    std::vector<double> reals(static_cast<std::size_t>(tape_.real_columns()));
    std::vector<std::int32_t> integers(static_cast<std::size_t>(tape_.int_columns()));
    for (std::size_t i = 0; i < records_; ++i) {
      const BenchRecord record = model.invent(model.dim, random);
      if (i == 0) {
        tape_blocks_.emplace_back(reals.size(), integers.size(), records_);
        hand_blocks_.emplace_back(record.by_hand.size(), record.groups.size(), records_);
      }
      preparer.prepare({record.reals, record.integers}, reals.data(), integers.data());
      tape_blocks_[0].put(i, reals.data(), integers.data());
      hand_blocks_[0].put(i, record.by_hand.data(), record.groups.data());
    }
  }

  const RecordTape& tape_;
  TapeWorkspace<T> workspace_;
  HandModel<T> by_hand_;
  HandDraw<T> draw_;
  std::size_t records_;
  std::vector<Blocks<T>> tape_blocks_, hand_blocks_;  // one each
  std::size_t group_;  // blocks that the tape evaluates together; divides the blocks of a batch
  Output<T> out_, expected_;
  GridClipper clipper_;
  HandTarget target_;
  std::vector<std::int64_t> hand_sums_, hand_own_;
  ProductTerms<T> products_;
};

template <class T>
bool measure(const BenchModel& model, const RecordTape& tape, std::size_t records,
             nlohmann::json& rows) {
  const bool single = sizeof(T) == sizeof(float);
  Contest<T> contest(model, tape, records);
  const double difference = contest.largest_difference_of_answers();
  if (!(difference < (single ? 2e-4 : 1e-10))) {
    fmt::print(stderr, "{} of size {}: answers differ by {}\n", model.name, model.dim, difference);
    return false;
  }
  if (!contest.clippers_agree()) {
    fmt::print(stderr, "{} of size {}: the clipper by hand gives other integers\n", model.name,
               model.dim);
    return false;
  }
  const Times times = contest.time();
  rows.push_back({{"model", model.name},
                  {"dim", model.dim},
                  {"batch", records},
                  {"precision", single ? "single" : "double"},
                  {"ns", times.tape},
                  {"hand_ns", times.by_hand},
                  {"ratio", times.tape / times.by_hand}});
  return true;
}

void show(const nlohmann::json& row) {
  fmt::print(
      "{:12} {:>4}  batch {:<6} {}  {:7.1f} ns a record gradient, by hand {:7.1f}, ratio {:.2f}\n",
      row["model"].get<std::string>(), row["dim"].get<int>(), row["batch"].get<int>(),
      row["precision"].get<std::string>(), row["ns"].get<double>(), row["hand_ns"].get<double>(),
      row["ratio"].get<double>());
  std::fflush(stdout);
}

int run(bool json, const std::string& only) {
  nlohmann::json rows = nlohmann::json::array();
  for (const BenchModel& model : bench_models()) {
    if (!only.empty() && model.name != only) continue;
    const StanModel stan = read_model(model);
    const RecordTape tape(*stan.graph, stan.record, stan.free_size);
    for (const std::size_t records : {2048u, 16384u}) {
      for (const auto measure_in : {&measure<float>, &measure<double>}) {
        if (!measure_in(model, tape, records, rows)) return 1;
        if (!json) show(rows.back());
      }
    }
  }
  if (json) fmt::print("{}\n", rows.dump(2));
  return 0;
}

}  // namespace
}  // namespace dpvi

int main(int argc, char** argv) {
  bool json = false;
  std::string only;
  for (int i = 1; i < argc; ++i) {
    const std::string argument = argv[i];
    if (argument == "--json") {
      json = true;
    } else if (argument.starts_with("-") || !only.empty()) {
      fmt::print(stderr, "usage: record_gradient [--json] [MODEL]\n");
      return 64;
    } else {
      only = argument;
    }
  }
  if (!dpvi::is_available(dpvi::BackendKind::avx2)) {
    fmt::print(stderr, "the code written by hand needs AVX2 and FMA, which this machine lacks\n");
    return 70;
  }
  return dpvi::run(json, only);
}
