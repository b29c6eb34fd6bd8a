#include <fmt/format.h>

#include <memory>
#include <string>
#include <vector>

#include <dpvi/api/counted_bundle.hpp>
#include <dpvi/api/version.hpp>
#include <dpvi/base/error.hpp>
#include <dpvi/report/bundle_verification.hpp>
#include <dpvi/report/number_text.hpp>
#include <dpvi/report/page/page_check.hpp>
#include <dpvi/report/statement.hpp>

#include "command.hpp"
#include "console.hpp"
#include "json.hpp"

namespace dpvi::cli {
namespace {

std::string claim_text(const BundleVerification& found) {
  if (!found.is_private) return std::string(kNotPrivateNotice);
  return fmt::format("epsilon {} at delta {} ({}), recomputed {}",
                     rounded_up(*found.epsilon_claimed), rounded_up(*found.delta), found.adjacency,
                     rounded_up(*found.epsilon_recomputed));
}

std::string files_text(const BundleVerification& found) {
  if (!found.has_manifest) return "no manifest (version 0.2 or earlier): files not compared";
  return fmt::format("{} files as written", found.files.size());
}

class VerifyCommand : public Command {
 public:
  void declare(CLI::App& app) override {
    app.description(
        "Verifies a bundle: its files, its claims and, with --ledger, that the ledger counts it.");
    app.add_option("BUNDLE", bundle_, "folder that 'dpvi fit' wrote")->required();
    app.add_option("--ledger", ledger_, "ledger that should count the bundle");
    declare_common(app);
    app.footer("Example:\n  dpvi verify result --ledger study.ledger");
  }

  std::string run() override {
    BundleVerification found = verify_bundle(bundle_);
    std::string counted = found.ledger ? fmt::format("counted by ledger {}", found.ledger->ledger)
                                       : "no ledger counts it";
    if (!ledger_.empty()) {
      const CountedBundle entry = find_in_ledger(found, ledger_);
      counted = entry.text;
      found.differences.insert(found.differences.end(), entry.differences.begin(),
                               entry.differences.end());
    }
    compare_page(found);
    for (const auto& path : leftovers_beside(bundle_)) leftovers_.push_back(path.string());
    if (!leftovers_.empty() && !json) show_message(leftovers_text());
    if (!found.differences.empty()) exit_code = cli::exit_code(kUnverifiedBundle.kind);
    return json ? json_output(found, counted) : printable(text_output(found, counted));
  }

 private:
  // A page that is damaged has been named already, and bundles without a manifest are of earlier
  // versions.
  void compare_page(BundleVerification& found) {
    if (!found.differences.empty() || !found.has_manifest) return;
    const PageCheck page = check_page(bundle_, library_version());
    page_is_compared_ = page != PageCheck::of_another_version;
    if (page == PageCheck::differs) {
      found.differences.emplace_back("report.html is not the page that the other files give.");
    }
  }

  std::string text_output(const BundleVerification& found, const std::string& counted) const {
    if (found.differences.empty()) {
      return fmt::format("verified: {}; {}; {}{}\n", claim_text(found), files_text(found), counted,
                         page_is_compared_ ? "" : "; report.html is of another version");
    }
    std::string text;
    for (const std::string& difference : found.differences) {
      text += fmt::format("error[{}] {}: {}\n", kUnverifiedBundle.id, bundle_, difference);
    }
    return text;
  }

  std::string leftovers_text() const {
    std::string text;
    for (const std::string& path : leftovers_) {
      text += fmt::format(
          "note: a run that was killed left {}. The next run that writes there removes it.\n",
          path);
    }
    return text;
  }

  std::string json_output(const BundleVerification& found, const std::string& counted) const {
    Json files = Json::array();
    for (const auto& [name, ok] : found.files) files.push_back({{"name", name}, {"ok", ok}});
    const auto number = [](const std::optional<double>& value) {
      return value ? Json(*value) : Json();
    };
    const Json document = {{"ok", found.differences.empty()},
                           {"private", found.is_private},
                           {"epsilon_claimed", number(found.epsilon_claimed)},
                           {"epsilon_recomputed", number(found.epsilon_recomputed)},
                           {"delta", number(found.delta)},
                           {"manifest", found.has_manifest},
                           {"files", files},
                           {"ledger", counted},
                           {"leftovers", leftovers_},
                           {"differences", found.differences}};
    return document.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
  }

  std::string bundle_, ledger_;
  std::vector<std::string> leftovers_;
  bool page_is_compared_ = true;
};

}  // namespace

std::unique_ptr<Command> make_verify_command() { return std::make_unique<VerifyCommand>(); }

}  // namespace dpvi::cli
