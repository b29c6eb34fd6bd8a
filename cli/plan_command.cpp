#include <memory>
#include <string>

#include <dpvi/fit/plan/privacy_plan.hpp>

#include "command.hpp"
#include "plan_output.hpp"
#include "privacy_flags.hpp"

namespace dpvi::cli {
namespace {

class PlanCommand : public Command {
 public:
  void declare(CLI::App& app) override {
    app.description(
        "Computes the privacy cost of a run before any data is opened. Give three of "
        "epsilon,\ndelta, noise multiplier and steps; the fourth is computed.");
    privacy_.declare(app);
    declare_common(app);
    app.footer(
        "Examples:\n"
        "  dpvi plan --epsilon 1 --delta 1e-6 --sampling-rate .01 --steps 10000\n"
        "  dpvi plan --delta 1e-6 --phase .01:2:1000 --phase .1:4:200 --accountant all --json");
  }

  std::string run() override {
    const PrivacyPlan plan = make_privacy_plan(privacy_.request());
    return json ? plan_json(plan) : plan_text(plan);
  }

 private:
  PrivacyFlags privacy_;
};

}  // namespace

std::unique_ptr<Command> make_plan_command() { return std::make_unique<PlanCommand>(); }

}  // namespace dpvi::cli
