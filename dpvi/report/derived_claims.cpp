#include <dpvi/report/derived_claims.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include <dpvi/privacy/adjacency_names.hpp>
#include <dpvi/privacy/pld.hpp>
#include <dpvi/report/cost_facts.hpp>
#include <dpvi/report/number_text.hpp>
#include <dpvi/report/page/belief.hpp>

namespace dpvi {
namespace {

constexpr double kTolerance = 1.01;

bool about_equal(double a, double b) {
  constexpr double kRounding = 1e-6;
  return a == b || std::abs(a - b) <= kRounding * std::min(std::abs(a), std::abs(b));
}

class DerivedClaims {
 public:
  DerivedClaims(const JsonFile& statement, const std::string& text, const ClaimBasis& basis,
                std::span<const GaussianPhase> run)
      : statement_(statement),
        text_(text),
        basis_(basis),
        run_(run),
        epsilon_(statement.number("/epsilon")) {}

  std::vector<std::string> differences() && {
    compare_other_adjacency();
    compare_lower_end();
    compare_groups();
    compare_beliefs();
    compare_registry();
    return std::move(differences_);
  }

 private:
  void differ(std::string sentence) { differences_.push_back(std::move(sentence)); }

  void require_line(const std::string& line, const char* claim) {
    if (text_.find("\n" + line + "\n") != std::string::npos) return;
    differ(fmt::format("{} differs between statement.md and statement.json.", claim));
  }

  // null: the accountant makes no claim there.
  void compare_other_adjacency() {
    constexpr const char* kPointer = "/epsilon_other_adjacency";
    if (statement_.at(kPointer).is_null()) return;
    ClaimBasis other = basis_;
    other.adjacency =
        basis_.adjacency == Adjacency::substitute ? Adjacency::add_remove : Adjacency::substitute;
    const double claimed = statement_.number(kPointer);
    differ_if(recompute_epsilon("epsilon_other_adjacency", claimed, other, run_).difference);
    require_line(
        fmt::format("| epsilon under {} | {} |", name_of(other.adjacency), rounded_up(claimed)),
        "epsilon under the other adjacency");
  }

  void differ_if(std::string sentence) {
    if (!sentence.empty()) differ(std::move(sentence));
  }

  // null: the plan has no certified lower end.
  void compare_lower_end() {
    constexpr const char* kPointer = "/epsilon_lower";
    if (statement_.at(kPointer).is_null()) return;
    const double claimed = statement_.number(kPointer);
    const double most = pld_epsilon(run_, basis_.adjacency, basis_.delta).upper;
    if (claimed <= most * kTolerance) return;
    differ(fmt::format("epsilon_lower is {} in statement.json; its event tree costs at most {}.",
                       exact_text(claimed), exact_text(most)));
  }

  // Where epsilon protects nobody, that of several records would only take long to compute.
  void compare_groups() {
    constexpr double kNoProtection = 100;
    if (epsilon_ > kNoProtection) return;
    const JsonFile::Json& groups = statement_.at("/groups");
    const std::vector<GroupEpsilon> costs = group_costs(run_, basis_.adjacency, basis_.delta);
    if (!groups.is_array() || groups.size() != costs.size()) {
      return differ("statement.json lacks epsilon of several records.");
    }
    for (std::size_t i = 0; i < costs.size(); ++i) {
      const auto [records, cost] = costs[i];
      const double claimed = entry(groups[i], "epsilon");
      if (entry(groups[i], "records") != records || !(cost <= claimed * kTolerance)) {
        differ(fmt::format("epsilon of {} records is not {} in statement.json.", records,
                           exact_text(cost)));
      }
      require_line(fmt::format("| {} | {} | {} |", records, rounded_up(claimed),
                               percentage(highest_belief(claimed, 0.5))),
                   "epsilon of several records");
    }
  }

  void compare_beliefs() {
    const JsonFile::Json& beliefs = statement_.at("/beliefs");
    const std::vector<BeliefRange> ranges = belief_ranges(epsilon_);
    bool same = beliefs.is_array() && beliefs.size() == ranges.size();
    for (std::size_t i = 0; same && i < ranges.size(); ++i) {
      const BeliefRange& range = ranges[i];
      same = about_equal(entry(beliefs[i], "before"), range.before) &&
             about_equal(entry(beliefs[i], "at_least"), range.at_least) &&
             about_equal(entry(beliefs[i], "at_most"), range.at_most);
    }
    const double guesses = statement_.number("/right_guesses");
    if (!same || !about_equal(guesses, right_guesses(epsilon_, basis_.delta))) {
      differ("beliefs in statement.json do not follow from epsilon.");
    }
    for (const BeliefRange& range : ranges) {
      require_line(fmt::format("| {} | {} | {} |", percentage(range.before),
                               percentage(range.at_least), percentage(range.at_most)),
                   "beliefs");
    }
  }

  void compare_registry() {
    const auto is = [&](const std::string& place, const JsonFile::Json& value) {
      return statement_.at(("/registry/deployment/" + place).c_str()) == value;
    };
    const bool same = is("privacy_loss/privacy_parameters/epsilon", statement_.at("/epsilon")) &&
                      is("privacy_loss/privacy_parameters/delta", statement_.at("/delta")) &&
                      is("privacy_loss/privacy_unit_description", statement_.at("/unit")) &&
                      is("dp_flavor/bound_on_output_distance",
                         fmt::format("({}, {})", rounded_up(epsilon_), rounded_up(basis_.delta)));
    if (!same) differ("the fields of the registry are not those of statement.json itself.");
  }

  double entry(const JsonFile::Json& object, const char* key) const {
    if (!object.is_object() || !object.contains(key)) statement_.refuse("/groups", "lacks a key");
    return statement_.number_in(object.at(key), key);
  }

  const JsonFile& statement_;
  const std::string& text_;
  const ClaimBasis& basis_;
  std::span<const GaussianPhase> run_;
  double epsilon_;
  std::vector<std::string> differences_;
};

}  // namespace

RecomputedEpsilon recompute_epsilon(const std::string& name, double claimed,
                                    const ClaimBasis& basis, std::span<const GaussianPhase> run) {
  const Bracket truth = pld_epsilon(run, basis.adjacency, basis.delta);
  RecomputedEpsilon found{.epsilon = truth.upper, .difference = {}};
  if (const auto reason = why_no_claim(basis.accountant, run, basis.adjacency, basis.delta)) {
    found.difference = fmt::format("the accountant '{}' makes no claim about the event tree: {}",
                                   name_of(basis.accountant), *reason);
    return found;
  }
  if (basis.accountant != Accountant::pld) {
    found.epsilon = epsilon_bound(basis.accountant, run, basis.adjacency, basis.delta);
  }
  // The lower end alone would not do: it may say nothing.
  if (!(claimed >= truth.lower)) {
    found.difference = fmt::format("{} is {} in statement.json; its event tree costs at least {}.",
                                   name, exact_text(claimed), exact_text(truth.lower));
  } else if (!(found.epsilon <= claimed * kTolerance)) {
    found.difference =
        fmt::format("{} is {} in statement.json; recomputed from its event tree it is {}.", name,
                    exact_text(claimed), exact_text(found.epsilon));
  }
  return found;
}

std::vector<std::string> derived_claim_differences(const JsonFile& statement,
                                                   const std::string& text, const ClaimBasis& basis,
                                                   std::span<const GaussianPhase> run) {
  return DerivedClaims(statement, text, basis, run).differences();
}

}  // namespace dpvi
