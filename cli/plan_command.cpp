#include <memory>
#include <string>

#include <dpvi/base/error.hpp>
#include <dpvi/fit/plan/privacy_plan.hpp>
#include <dpvi/report/atomic_folder.hpp>
#include <dpvi/report/page/plan_explorer.hpp>

#include "command.hpp"
#include "plan_output.hpp"
#include "privacy_flags.hpp"

namespace dpvi::cli {
namespace {

class PlanCommand : public Command {
 public:
  void declare(CLI::App& app) override {
    app.description(
        "Computes the privacy cost of a run before any data is opened. Give three of epsilon,\n"
        "delta, noise multiplier and steps; the fourth is computed.");
    privacy_.declare(app, PrivacyDefaults::of_a_plan);
    app.add_option("--html", html_,
                   "also write a page that shows epsilon against noise, steps and rows");
    declare_common(app);
    app.footer(
        "Examples:\n"
        "  dpvi plan --epsilon 1 --delta 1e-6 --sampling-rate .01 --steps 10000\n"
        "  dpvi plan --delta 1e-6 --phase .01:2:1000 --phase .1:4:200 --accountant all --json\n"
        "  dpvi plan --epsilon 1 --delta 1e-6 --steps 1000 --html epsilon.html");
  }

  std::string run() override {
    const PrivacyRequest request = privacy_.request();
    if (!html_.empty()) {
      if (!request.phases.empty()) {
        throw UsageError(kContradiction, "--html shows plans with one phase, but --phase is given.",
                         "Give --sampling-rate and --steps instead.");
      }
      check_can_create(html_);
    }
    const PrivacyPlan plan = plan_privacy(request);
    if (!html_.empty()) write_new_file(html_, explorer_html(explorer_grid(plan)));
    return json ? plan_json(plan) : plan_text(plan);
  }

 private:
  PrivacyFlags privacy_;
  std::string html_;
};

}  // namespace

std::unique_ptr<Command> make_plan_command() { return std::make_unique<PlanCommand>(); }

}  // namespace dpvi::cli
