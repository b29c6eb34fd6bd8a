#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <string>
#include <thread>

#include <dpvi/audit/audit.hpp>
#include <dpvi/audit/audit_claim.hpp>
#include <dpvi/base/error.hpp>
#include <dpvi/privacy/adjacency_names.hpp>

#include "command.hpp"
#include "interrupt.hpp"
#include "json.hpp"
#include "numbers.hpp"
#include "progress.hpp"

namespace dpvi::cli {
namespace {

constexpr int kExitRefuted = 1;
constexpr double kDefaultMinutes = 1.0;

std::string steps_text(const GaussianRun& run) {
  std::string text;
  for (const GaussianPhase& phase : run) {
    text += fmt::format("{}q={:g} s={:.3g} T={}", text.empty() ? "" : " + ", phase.sampling_rate,
                        phase.noise_multiplier, phase.steps);
  }
  return text;
}

std::string table_text(const AuditReport& report) {
  std::string text = fmt::format("{:<30}{:<12}{:<32}{:>7}{:>13}{:>9}  {}\n", "attack", "adjacency",
                                 "run", "claim", "lower bound", "runs", "verdict");
  for (const AuditFinding& finding : report.findings) {
    text += fmt::format("{:<30}{:<12}{:<32}{:>7.2f}{:>13.2f}{:>9}  {}\n", finding.name,
                        name_of(finding.adjacency), steps_text(finding.run), finding.claim_epsilon,
                        finding.lower_bound, finding.runs, finding.refuted ? "REFUTED" : "stands");
  }
  const AuditFinding& closest = report.closest();
  return text + fmt::format(
                    "\nEpsilon at delta {:g}; q sampling rate, s noise multiplier, T steps.\n"
                    "{} With confidence {:g}, the largest lower bound is {:.2f} of a claim of "
                    "{:.2f}.\n",
                    kAuditDelta,
                    report.refuted() ? "A claim is REFUTED: do not release results of this program."
                                     : "No claim is refuted.",
                    report.confidence, closest.lower_bound, closest.claim_epsilon);
}

std::string json_text(const AuditReport& report) {
  Json scenarios = Json::array();
  for (const AuditFinding& finding : report.findings) {
    Json phases = Json::array();
    for (const GaussianPhase& phase : finding.run) {
      phases.push_back({{"sampling_rate", phase.sampling_rate},
                        {"noise_multiplier", phase.noise_multiplier},
                        {"steps", phase.steps}});
    }
    scenarios.push_back({{"name", finding.name},
                         {"adjacency", name_of(finding.adjacency)},
                         {"phases", phases},
                         {"claim_epsilon", finding.claim_epsilon},
                         {"lower_bound", finding.lower_bound},
                         {"runs", finding.runs},
                         {"refuted", finding.refuted}});
  }
  const AuditFinding& closest = report.closest();
  const Json document = {{"ok", !report.refuted()},
                         {"claim_epsilon", closest.claim_epsilon},
                         {"lower_bound", closest.lower_bound},
                         {"delta", kAuditDelta},
                         {"confidence", report.confidence},
                         {"runs", report.runs()},
                         {"refuted", report.refuted()},
                         {"scenarios", scenarios}};
  return document.dump(2) + "\n";
}

class AuditCommand : public Command {
 public:
  void declare(CLI::App& app) override {
    app.description(
        "Tries to refute this program's privacy claims: runs its own private steps many times on "
        "mock tables with and without a worst-case record, and tries to tell them apart. Reads no "
        "data. Exit code 1 if a claim is refuted.");
    app.add_option("--minutes", minutes_, "time for all attacks together (default 1)");
    app.add_option("--runs", runs_, "runs of each attack, instead of a time");
    app.add_option("--threads", threads_, "threads (default: all cores)");
    declare_common(app);
    app.footer("Example:\n  dpvi audit --minutes 10");
  }

  std::string run() override {
    if (minutes_ && runs_) {
      throw UsageError(kContradiction, "--minutes and --runs are both given.", "Give one of them.");
    }
    AuditEffort effort;
    effort.threads = static_cast<unsigned>(parse_threads(threads_));
    if (runs_) {
      constexpr std::int64_t kFewest = 1000, kMost = 1'000'000'000;
      effort.pairs =
          static_cast<std::uint64_t>(parse_whole_in("--runs", *runs_, kFewest, kMost)) / 2;
    } else {
      const double minutes = minutes_ ? parse_real("--minutes", *minutes_) : kDefaultMinutes;
      constexpr double kShortest = 0.05, kLongest = 10000.0;
      if (minutes < kShortest || minutes > kLongest) {
        throw UsageError(
            kValueOutsideRule,
            fmt::format("--minutes is {}; it must be from {} to {}.", minutes, kShortest, kLongest),
            "");
      }
      effort.time = std::chrono::duration<double>(60.0 * minutes);
    }
    const StopAtOnce no_cleanup_needed;
    Progress progress("", quiet, "attack");
    const AuditReport report =
        run_audit(audit_scenarios(), effort, [&](std::size_t done, std::size_t all) {
          progress.show(static_cast<std::int64_t>(done), static_cast<std::int64_t>(all));
        });
    if (report.refuted()) exit_code = kExitRefuted;
    return json ? json_text(report) : table_text(report);
  }

 private:
  std::optional<std::string> minutes_, runs_, threads_;
};

}  // namespace

std::unique_ptr<Command> make_audit_command() { return std::make_unique<AuditCommand>(); }

}  // namespace dpvi::cli
