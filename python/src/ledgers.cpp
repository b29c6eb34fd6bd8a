#include <utility>

#include <dpvi/api/ledger_account.hpp>
#include <dpvi/api/number_texts.hpp>
#include <dpvi/ledger/ledger.hpp>
#include <dpvi/ledger/ledger_summary.hpp>
#include <dpvi/privacy/adjacency_names.hpp>
#include <dpvi/report/bundle_verification.hpp>

#include "bindings.hpp"

namespace dpvi::python {
namespace {

FilterKind filter_named(const std::string& text) {
  std::vector<std::string> names;
  for (const FilterKind kind : kFilterKinds) {
    if (text == name_of(kind)) return kind;
    names.emplace_back(name_of(kind));
  }
  refuse_name("filter", text, names);
}

void create(const std::string& path, const std::map<std::string, std::string>& terms) {
  LedgerTerms made;
  made.epsilon = parse_real("epsilon", terms.at("epsilon"));
  made.delta = parse_real("delta", terms.at("delta"));
  made.adjacency = adjacency_setting("adjacency", terms.at("adjacency"));
  made.filter = filter_named(terms.at("filter"));
  made.unit = terms.at("unit");
  create_ledger(path, with_orders(std::move(made)), terms.at("data"));
}

std::vector<std::string> differences(const std::string& path,
                                     const std::vector<std::string>& bundles) {
  std::vector<LedgerHead> heads;
  for (const std::string& bundle : bundles) {
    const BundleVerification found = verify_bundle(bundle);
    require_verified(bundle, found);
    if (!found.ledger) continue;
    heads.push_back({found.ledger->ledger, found.ledger->position, found.ledger->head});
  }
  return ledger_differences(Ledger::read(path), heads);
}

}  // namespace

void bind_ledgers(nb::module_& module) {
  module.def("ledger_create", &create);
  module.def("ledger_json",
             [](const std::string& path) { return ledger_json(Ledger::current(path)); });
  module.def("ledger_dp_event",
             [](const std::string& path) { return ledger_dp_event(Ledger::read(path)); });
  module.def("ledger_differences", &differences);
  module.def("ledger_forgive", [](const std::string& path, std::int64_t id, const std::string& who,
                                  const std::string& why) { Ledger(path).forgive(id, who, why); });
}

}  // namespace dpvi::python
