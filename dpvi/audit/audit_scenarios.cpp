#include <dpvi/audit/audit_scenarios.hpp>

#include <cmath>
#include <string>
#include <utility>

namespace dpvi {
namespace {

constexpr std::size_t kBlock = 16;  // records that are evaluated together

// A canary and its opposite, far beyond the clip bound.
constexpr double kLong = 100.0;

CanaryRecord row(std::vector<double> reals, std::int32_t outcome = 0) {
  return {{.reals = std::move(reals), .outcome = outcome}};
}

// The canary among `others`. In the neighbouring table it is absent or replaced.
struct Tables {
  std::vector<CanaryRecord> with_canary, neighbour;

  Tables(Adjacency adjacency, CanaryRecord canary, CanaryRecord replacement, bool canary_first,
         std::vector<CanaryRecord> others) {
    with_canary = neighbour = std::move(others);
    const auto put = [&](std::vector<CanaryRecord>& table, CanaryRecord record) {
      table.insert(canary_first ? table.begin() : table.end(), std::move(record));
    };
    put(with_canary, std::move(canary));
    if (adjacency == Adjacency::substitute) put(neighbour, std::move(replacement));
  }
};

CanarySetup setup_of(Tables tables) {
  CanarySetup setup;
  setup.with_canary = std::move(tables.with_canary);
  setup.neighbour = std::move(tables.neighbour);
  return setup;
}

// The canary is one number beyond the bound; all others contribute `others`.
CanarySetup one_number(Adjacency adjacency, std::size_t records, double others, bool canary_first) {
  return setup_of({adjacency, row({kLong}), row({-kLong}), canary_first,
                   std::vector<CanaryRecord>(records, row({others}))});
}

// The canary has rows that are each beyond the bound; the others have one row, with a gradient that
// missing rows would turn around and that is as long as there are rows.
CanarySetup units(Adjacency adjacency) {
  const auto others = static_cast<double>(kBlock - 1);
  CanarySetup setup = setup_of({adjacency, CanaryRecord(4, {{kLong}, 0}), row({-kLong}), false,
                                std::vector<CanaryRecord>(kBlock - 1, row({-others}))});
  setup.offset = 10.0;
  setup.units = true;
  return setup;
}

// The canary's rows, which the model uses together, are beyond the bound; the others have one row
// that is a fraction of it. Others lie on both sides of the canary.
CanarySetup joined_rows(Adjacency adjacency) {
  const CanaryRecord other = row({-0.25});
  CanarySetup setup = setup_of({adjacency, CanaryRecord(4, {{kLong}, 0}), row({-kLong}), false,
                                std::vector<CanaryRecord>(kBlock / 2, other)});
  for (auto* table : {&setup.with_canary, &setup.neighbour}) {
    table->insert(table->end(), kBlock / 2 - 1, other);
  }
  setup.units = true;
  setup.joined_rows = 4;
  return setup;
}

// At theta = 1 the canary has an unlikely outcome, hence the whole bound; the others have likely
// outcomes and a fraction of it, although their gradients are longer than the bound.
CanarySetup outcomes(Adjacency adjacency, std::int32_t number) {
  const double likely = std::log(4.0);
  CanarySetup setup = setup_of({adjacency, row({8.0}, 0), row({0.05}, number - 1), true,
                                std::vector<CanaryRecord>(kBlock - 1, row({likely}, number - 1))});
  setup.outcomes = number;
  setup.clip_bound = 0.01;
  setup.start = 1.0;
  return setup;
}

// A canary that is shortened to the bound and that rounding to the grid then lifts above it again:
// all its entries are half a grid step above a whole number.
CanarySetup rounded_up(Adjacency adjacency, const NoiseGrid& grid) {
  const double bound = static_cast<double>(grid.integer_bound());
  const double shortened = bound * (1.0 - std::ldexp(1.0, -20)) - 1.5;
  std::size_t dimension = 600;
  const auto fraction = [&] {
    const double entry = shortened / std::sqrt(static_cast<double>(dimension));
    return entry - std::floor(entry);
  };
  while (fraction() < 0.51 || fraction() > 0.57) ++dimension;
  CanarySetup setup = setup_of({adjacency,
                                row(std::vector<double>(dimension, kLong)),
                                row(std::vector<double>(dimension, -kLong)),
                                false,
                                {}});
  setup.dimension = dimension;
  setup.direction.assign(dimension, 1.0 / std::sqrt(static_cast<double>(dimension)));
  return setup;
}

class ScenarioList {
 public:
  explicit ScenarioList(Adjacency adjacency) : adjacency_(adjacency) {}

  // Under substitution a record moves a sum twice as far, so the runs have twice the noise and
  // about the same epsilon.
  GaussianRun run(GaussianRun stated) const {
    for (GaussianPhase& phase : stated) phase.noise_multiplier *= scale();
    return stated;
  }
  double scale() const { return adjacency_ == Adjacency::substitute ? 2.0 : 1.0; }

  void add(std::string name, GaussianRun stated, CanarySetup setup) {
    GaussianRun claimed = run(std::move(stated));
    auto loop = std::make_shared<CanaryLoop>(std::move(setup), claimed);
    scenarios_.push_back({std::move(name), adjacency_, std::move(claimed), std::move(loop)});
  }

  std::vector<AuditScenario> take() && { return std::move(scenarios_); }

 private:
  Adjacency adjacency_;
  std::vector<AuditScenario> scenarios_;
};

void add_gradient_scenarios(ScenarioList& list, Adjacency adjacency) {
  constexpr double kThird = 1.0 / 3.0;
  const CanarySetup alone = one_number(adjacency, 0, 0.0, false);
  list.add("one step, all records", {{1.0, kThird, 1}}, alone);
  list.add("ten steps, all records", {{1.0, 1.0, 10}}, alone);
  list.add("one sampled step", {{0.5, 0.25, 1}}, alone);
  list.add("four sampled steps", {{0.5, 1.0, 4}}, one_number(adjacency, 9, 0.0, false));
  // Rarely sampled records are protected by sampling more than by noise, under both adjacencies.
  list.add("200 sampled steps", {{0.05, 0.6 / list.scale(), 200}}, alone);
  list.add("among opposite records", {{1.0, 0.5, 1}}, one_number(adjacency, 15, -2.0, true));
  // The records are more than one thread takes at a time, and the canary is among the last.
  CanarySetup threads = one_number(adjacency, 5000, 0.0, false);
  threads.threads = 2;
  list.add("two threads", {{1.0, 1.0, 1}}, std::move(threads));
  CanarySetup adaptive = alone;
  adaptive.coordinate = ClipCoordinate{.size = 0.25, .unshortened_share = 0.9};
  adaptive.direction = {std::sqrt(1.0 - 0.0625), 0.25};
  list.add("adaptive clip bound", {{1.0, 2.0 * kThird, 4}}, adaptive);
  list.add("adaptive clip bound, sampled", {{0.5, 1.0, 4}}, std::move(adaptive));
}

void add_other_scenarios(ScenarioList& list, Adjacency adjacency) {
  list.add("unit of four rows", {{1.0, 0.5, 1}}, units(adjacency));
  list.add("rows used together", {{1.0, 0.5, 1}}, joined_rows(adjacency));
  list.add("law of two outcomes", {{1.0, 0.5, 1}}, outcomes(adjacency, 2));
  list.add("law of three outcomes", {{1.0, 0.5, 1}}, outcomes(adjacency, 3));
  list.add("rounded above the bound", {{1.0, 2.0, 1}},
           rounded_up(adjacency, NoiseGrid(2.0 * list.scale())));
  CanarySetup information = one_number(adjacency, 15, -2.0, true);
  information.information = true;
  list.add("information and gradients", {{1.0, 0.5, 1}, {1.0, 2.0, 3}}, std::move(information));
  CanarySetup planned = one_number(adjacency, 0, 0.0, false);
  planned.by_plan = true;
  list.add("planned fit, rate .9", {{0.9, 1.0 / 3.0, 1}}, planned);
  list.add("planned fit, rate .5", {{0.5, 0.25, 1}}, std::move(planned));
}

}  // namespace

std::vector<AuditScenario> audit_scenarios() {
  std::vector<AuditScenario> all;
  for (const Adjacency adjacency : {Adjacency::add_remove, Adjacency::substitute}) {
    ScenarioList list(adjacency);
    add_gradient_scenarios(list, adjacency);
    add_other_scenarios(list, adjacency);
    for (AuditScenario& scenario : std::move(list).take()) all.push_back(std::move(scenario));
  }
  return all;
}

}  // namespace dpvi
