#include <dpvi/ledger/ledger_summary.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>

#include <dpvi/ledger/internal/ledger_json.hpp>
#include <dpvi/privacy/dp_event_json.hpp>
#include <dpvi/privacy/pld.hpp>

namespace dpvi {
namespace {

// Prices runs at the ledger's delta and adjacency; equal runs are priced once.
class EntryPrices {
 public:
  explicit EntryPrices(const LedgerTerms& terms) : terms_(terms) {}

  double epsilon_of(const GaussianRun& run) {
    const auto known = std::ranges::find(prices_, run, &std::pair<GaussianRun, double>::first);
    if (known != prices_.end()) return known->second;
    prices_.emplace_back(run, pld_epsilon(run, terms_.adjacency, terms_.delta).upper);
    return prices_.back().second;
  }

 private:
  const LedgerTerms& terms_;
  std::vector<std::pair<GaussianRun, double>> prices_;
};

LedgerJson entry_json(const LedgerEntry& entry, const GaussianRun& run, double epsilon) {
  const bool one_phase = entry.run.mechanisms.size() == 1 &&
                         std::holds_alternative<GaussianPhase>(entry.run.mechanisms[0]);
  LedgerJson json = {
      {"id", entry.id},
      {"state", name_of(entry.state)},
      {"started", entry.started},
      {"time", entry.time + " UTC"},
      {"model_sha256", entry.run.model_sha256},
      {"plan_sha256", entry.run.plan_sha256},
      {"data_version", entry.data_version},
      {"q", one_phase ? LedgerJson(run[0].sampling_rate) : LedgerJson()},
      {"noise_multiplier", one_phase ? LedgerJson(run[0].noise_multiplier) : LedgerJson()},
      {"steps", total_steps(run)},
      {"clip_bound", entry.run.clip_bound},
      {"epsilon", epsilon},
      {"mechanisms", json_of(std::span<const Mechanism>(entry.run.mechanisms))}};
  if (!entry.manifest_sha256.empty()) json["manifest_sha256"] = entry.manifest_sha256;
  if (entry.state == EntryState::forgiven) {
    json["forgiven"] = {{"who", entry.forgiven_by}, {"why", entry.forgiven_because}};
  }
  return json;
}

// Amounts are added up in another order than when the run was admitted.
bool within_rounding(const PrivacyFilter& filter, FilterAmount total) {
  constexpr double kRounding = 1 - 1e-9;
  for (double& amount : total) amount *= kRounding;
  return filter.admits(total);
}

// The amounts of entries that are charged while the lines of a ledger are read in order. Equal runs
// are computed once, and the total is only added up again after an amount was taken back.
class ChargedAmounts {
 public:
  explicit ChargedAmounts(const PrivacyFilter& filter)
      : filter_(filter), total_(filter.nothing()) {}

  std::size_t entries() const { return charged_.size(); }

  void charge(const GaussianRun& run) {
    const auto known =
        std::ranges::find(amounts_, run, &std::pair<GaussianRun, FilterAmount>::first);
    const std::size_t place = static_cast<std::size_t>(known - amounts_.begin());
    if (known == amounts_.end()) amounts_.emplace_back(run, filter_.amount_of(run));
    charged_.push_back(place);
    if (!taken_back_) total_ = sum_of(std::move(total_), amounts_[place].second);
  }

  void take_back(std::size_t entry) {
    charged_[entry].reset();
    taken_back_ = true;
  }

  const FilterAmount& total() {
    if (std::exchange(taken_back_, false)) {
      total_ = filter_.nothing();
      for (const auto& place : charged_) {
        if (place) total_ = sum_of(std::move(total_), amounts_[*place].second);
      }
    }
    return total_;
  }

 private:
  const PrivacyFilter& filter_;
  std::vector<std::pair<GaussianRun, FilterAmount>> amounts_;
  std::vector<std::optional<std::size_t>> charged_;  // by entry: a place in amounts_
  FilterAmount total_;
  bool taken_back_ = false;  // since total_ was added up
};

// Repeats every decision of the filter, in the order of the lines.
void find_overspending(const LedgerState& state, std::vector<std::string>& differences) {
  const PrivacyFilter filter(state.terms);
  ChargedAmounts charged(filter);
  for (const LedgerLine& line : state.lines) {
    if (line.kind == "void" || line.kind == "forgive") {
      charged.take_back(parse_body(line.body).at("id").get<std::size_t>() - 1);
    }
    if (line.kind != "reserve") continue;
    const LedgerEntry& entry = state.entries[charged.entries()];
    charged.charge(equivalent_run(entry.run.mechanisms, state.terms.adjacency));
    if (!within_rounding(filter, charged.total())) {
      differences.push_back(fmt::format("entry {} exceeds the budget.", entry.id));
    }
  }
}

}  // namespace

LedgerSummary summarise(const LedgerState& state) {
  const PrivacyFilter filter(state.terms);
  LedgerSummary summary;
  const GaussianRun all = charged_run(state);
  summary.spent_epsilon = filter.spent_epsilon(all);
  summary.left_epsilon = std::max(0.0, state.terms.epsilon - summary.spent_epsilon);
  EntryPrices prices(state.terms);
  summary.pld_epsilon = all.empty() ? 0.0 : prices.epsilon_of(all);
  for (const LedgerEntry& entry : state.entries) {
    summary.entry_epsilon.push_back(
        prices.epsilon_of(equivalent_run(entry.run.mechanisms, state.terms.adjacency)));
  }
  return summary;
}

std::string ledger_json(const LedgerState& state) {
  const LedgerSummary summary = summarise(state);
  LedgerJson document = {{"ledger", state.id}};
  document.update(json_of(state.terms));
  document["spent_epsilon"] = summary.spent_epsilon;
  document["left_epsilon"] = summary.left_epsilon;
  document["pld_epsilon"] = summary.pld_epsilon;
  document["condition"] =
      "The guarantee is the budget. spent_epsilon and pld_epsilon are valid only if no run "
      "depended "
      "on an earlier result.";
  document["head"] = state.head().hash;
  document["position"] = state.head().position;
  LedgerJson versions = LedgerJson::array();
  for (const DataVersion& version : state.data) versions.push_back(version.name);
  document["data_versions"] = versions;
  document["entries"] = LedgerJson::array();
  for (std::size_t i = 0; i < state.entries.size(); ++i) {
    const LedgerEntry& entry = state.entries[i];
    document["entries"].push_back(
        entry_json(entry, equivalent_run(entry.run.mechanisms, state.terms.adjacency),
                   summary.entry_epsilon[i]));
  }
  return document.dump(2) + "\n";
}

std::string ledger_dp_event(const LedgerState& state) {
  return LedgerJson::parse(dp_event_json(charged_run(state))).dump(2) + "\n";
}

std::vector<std::string> ledger_differences(const LedgerState& state,
                                            const std::vector<LedgerHead>& heads) {
  std::vector<std::string> differences;
  find_overspending(state, differences);
  for (const LedgerHead& head : heads) {
    if (state.had(head)) continue;
    if (head.ledger != state.id) {
      differences.push_back(
          fmt::format("a bundle was counted by another ledger, {}.", head.ledger));
    } else {
      differences.push_back(fmt::format(
          "line {}, which a bundle names, is missing or another: this is an older or altered copy.",
          head.position));
    }
  }
  return differences;
}

}  // namespace dpvi
