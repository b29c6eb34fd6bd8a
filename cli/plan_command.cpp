#include <fmt/format.h>

#include <memory>
#include <string>
#include <vector>

#include <dpvi/base/error.hpp>
#include <dpvi/fit/privacy_plan.hpp>

#include "command.hpp"
#include "plan_output.hpp"
#include "privacy_flags.hpp"

namespace dpvi::cli {
namespace {

GaussianPhase parse_phase(const std::string& text) {
  const std::vector<std::string> parts = split(text, ':');
  if (parts.size() != 3) {
    throw UsageError(kValueOutsideRule,
                     fmt::format("--phase is '{}'; it must be Q:S:T, sampling rate, noise "
                                 "multiplier and steps.",
                                 text),
                     "For example --phase .01:2:1000.");
  }
  return {parse_sampling_rate("--phase (Q)", parts[0]), parse_positive("--phase (S)", parts[1]),
          parse_steps("--phase (T)", parts[2])};
}

class PlanCommand : public Command {
 public:
  void declare(CLI::App& app) override {
    app.description(
        "What a run costs in privacy, before any data is opened. Of epsilon, delta, noise\n"
        "multiplier and steps give three; the fourth is computed.");
    privacy_.declare(app);
    app.add_option("--phase", phases_, "Q:S:T, repeatable, instead of rate, noise and steps")
        ->take_all()
        ->allow_extra_args(false);
    declare_common(app);
    app.footer(
        "Examples:\n"
        "  dpvi plan --epsilon 1 --delta 1e-6 --sampling-rate .01 --steps 10000\n"
        "  dpvi plan --delta 1e-6 --phase .01:2:1000 --phase .1:4:200 --accountant all --json");
  }

  std::string run() override {
    PrivacyPlanRequest request = privacy_.request();
    for (const std::string& text : phases_) request.phases.push_back(parse_phase(text));
    const PrivacyPlan plan = make_privacy_plan(request);
    return json ? plan_json(plan) : plan_text(plan);
  }

 private:
  PrivacyFlags privacy_;
  std::vector<std::string> phases_;
};

}  // namespace

std::unique_ptr<Command> make_plan_command() { return std::make_unique<PlanCommand>(); }

}  // namespace dpvi::cli
