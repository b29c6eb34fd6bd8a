#include <fmt/format.h>

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <dpvi/api/ledger_account.hpp>
#include <dpvi/base/error.hpp>
#include <dpvi/ledger/ledger.hpp>
#include <dpvi/ledger/ledger_summary.hpp>
#include <dpvi/privacy/adjacency_names.hpp>
#include <dpvi/report/bundle_verification.hpp>

#include "budget_output.hpp"
#include "command.hpp"
#include "console.hpp"
#include "json.hpp"
#include "numbers.hpp"
#include "privacy_flags.hpp"

namespace dpvi::cli {
namespace {

const std::vector<std::string> kActions = {"init", "show", "verify", "export", "forgive"};
const std::vector<std::string> kFormats = {"json", "dp-event", "text"};

template <class Choices>
auto named(const std::string& flag, const std::string& name, const Choices& choices) {
  std::vector<std::string> names;
  for (const auto choice : choices) {
    if (name == name_of(choice)) return choice;
    names.emplace_back(name_of(choice));
  }
  refuse_name(flag, name, names);
}

const std::string& required(const std::string& flag, const std::optional<std::string>& value) {
  if (!value || value->empty()) {
    throw UsageError(kContradiction, fmt::format("{} is missing.", flag),
                     "See 'dpvi budget --help'.");
  }
  return *value;
}

// Says so if nothing beside the ledger shows that it is the newest copy.
std::string witness_text(const LedgerState& state) {
  if (state.witnessed == state.head().position) return "";
  return fmt::format("; {}, so only bundles can show that this is the newest copy",
                     state.witnessed == 0
                         ? "no head is beside it"
                         : fmt::format("the head beside it is of line {}", state.witnessed));
}

class BudgetCommand : public Command {
 public:
  void declare(CLI::App& app) override {
    app.description(
        "Keeps the account of what a data set has spent. ACTION is one of\n"
        "  init            make a ledger with a budget that never changes\n"
        "  show            what is spent, and the runs\n"
        "  verify [BUNDLE] whether the ledger was altered; bundles prove that it is the newest\n"
        "  export          the runs for other programs\n"
        "  forgive ID      take back the charge of a run whose result has never left");
    app.add_option("LEDGER", ledger_, "file of the ledger")->required();
    app.add_option("ACTION", action_, "init, show, verify, export or forgive")->required();
    app.add_option("ARGS", arguments_, "bundles to verify with, or the entry to forgive");
    app.add_option("--epsilon", epsilon_, "init: budget of the data set");
    app.add_option("--delta", delta_, "init: probability that the bound fails (default 1e-6)");
    app.add_option("--adjacency", adjacency_, "init: substitute or add-remove");
    app.add_option("--unit", unit_, "init: column of the ids, or row (default)");
    app.add_option("--filter", filter_, "init: mixed (default) or full-participation");
    app.add_option("--data", data_,
                   "init: table that the ledger is for (default: the first fit's)");
    app.add_option("--format", format_, "export: json (default), dp-event or text");
    app.add_option("--who", who_, "forgive: the person who declares that no result left");
    app.add_option("--why", why_, "forgive: the reason");
    declare_common(app);
    app.footer("Example:\n  dpvi budget study.ledger init --epsilon 2 --delta 1e-6");
  }

  std::string run() override {
    const bool takes_arguments = action_ == "verify" || action_ == "forgive";
    if (!takes_arguments && !arguments_.empty()) {
      throw UsageError(
          kUnknownFlag,
          fmt::format("budget {}: unknown argument '{}'.", action_, arguments_.front()),
          "See 'dpvi budget --help'.");
    }
    if (action_ == "init") return init();
    if (action_ == "show") return shown(Ledger::current(ledger_));
    if (action_ == "verify") return verify();
    if (action_ == "export") return exported();
    if (action_ == "forgive") return forgive();
    refuse_name("ACTION", action_, kActions);
  }

 private:
  std::string shown(const LedgerState& state) const {
    return json ? ledger_json(state) : ledger_text(ledger_, state);
  }

  std::string init() const;
  std::string verify();
  std::string exported() const;
  std::string forgive() const;

  std::string ledger_, action_;
  std::vector<std::string> arguments_;
  std::optional<std::string> epsilon_, delta_, adjacency_, unit_, filter_, data_, format_, who_,
      why_;
};

std::string BudgetCommand::init() const {
  LedgerTerms terms;
  terms.epsilon = parse_real("--epsilon", required("--epsilon", epsilon_));
  terms.delta = delta_ ? parse_real("--delta", *delta_) : kDefaultDelta;
  if (adjacency_) terms.adjacency = named("--adjacency", *adjacency_, kAdjacencies);
  if (filter_) terms.filter = named("--filter", *filter_, kFilterKinds);
  if (unit_) terms.unit = *unit_;
  create_ledger(ledger_, with_orders(std::move(terms)), data_.value_or(""));
  const LedgerState state = Ledger::read(ledger_);
  if (!quiet) show_message(large_epsilon_warning(state.terms.epsilon));
  return shown(state);
}

std::string BudgetCommand::verify() {
  const LedgerState state = Ledger::read(ledger_);
  std::vector<LedgerHead> heads;
  for (const std::string& bundle : arguments_) {
    const BundleVerification found = verify_bundle(bundle);
    require_verified(bundle, found);
    if (found.ledger) {
      heads.push_back({found.ledger->ledger, found.ledger->position, found.ledger->head});
    }
  }
  const std::vector<std::string> differences = ledger_differences(state, heads);
  if (!differences.empty()) exit_code = cli::exit_code(kDamagedLedger.kind);
  if (json) {
    const Json document = {{"ok", differences.empty()},         {"head", state.head().hash},
                           {"position", state.head().position}, {"entries", state.entries.size()},
                           {"witnessed", state.witnessed},      {"bundles", heads.size()},
                           {"differences", differences}};
    return document.dump(2) + "\n";
  }
  std::string text;
  for (const std::string& difference : differences) {
    text += fmt::format("error[{}] {}: {}\n", kDamagedLedger.id, ledger_, difference);
  }
  if (!text.empty()) return text;
  return fmt::format(
      "intact: {} lines, {} entries within the budget; {} bundles name its lines{}\n",
      state.lines.size(), state.entries.size(), heads.size(), witness_text(state));
}

std::string BudgetCommand::exported() const {
  const std::string format = format_.value_or("json");
  const LedgerState state = Ledger::current(ledger_);
  if (format == "json") return ledger_json(state);
  if (format == "dp-event") return ledger_dp_event(state);
  if (format == "text") return ledger_text(ledger_, state);
  refuse_name("--format", format, kFormats);
}

std::string BudgetCommand::forgive() const {
  if (arguments_.size() != 1) {
    throw UsageError(kContradiction, "forgive needs the id of one entry.",
                     "'dpvi budget LEDGER show' lists the entries.");
  }
  const std::int64_t id = parse_whole("ID", arguments_.front());
  Ledger ledger(ledger_);
  ledger.forgive(id, required("--who", who_), required("--why", why_));
  return shown(ledger.state());
}

}  // namespace

std::unique_ptr<Command> make_budget_command() { return std::make_unique<BudgetCommand>(); }

}  // namespace dpvi::cli
