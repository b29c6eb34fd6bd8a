#include "privacy_flags.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <sstream>

#include <dpvi/base/error.hpp>
#include <dpvi/base/nearest_name.hpp>

#include "numbers.hpp"

namespace dpvi::cli {
namespace {

Adjacency parse_adjacency(const std::string& text) {
  if (text == "substitute") return Adjacency::substitute;
  if (text == "add-remove") return Adjacency::add_remove;
  refuse_name("--adjacency", text, {"substitute", "add-remove"});
}

std::vector<Accountant> parse_accountants(const std::string& text) {
  std::vector<Accountant> chosen(std::begin(kAccountants), std::end(kAccountants));
  if (text == "all") return chosen;
  std::vector<std::string> names;
  for (const Accountant accountant : kAccountants) names.emplace_back(name_of(accountant));
  chosen.clear();
  for (const std::string& word : split(text, ',')) {
    const auto found = std::find(names.begin(), names.end(), word);
    if (found == names.end()) {
      names.emplace_back("all");
      refuse_name("--accountant", word, names);
    }
    const Accountant accountant = kAccountants[found - names.begin()];
    if (std::find(chosen.begin(), chosen.end(), accountant) != chosen.end()) {
      throw UsageError(kContradiction, fmt::format("--accountant names '{}' twice.", word), "");
    }
    chosen.push_back(accountant);
  }
  return chosen;
}

// Parses a number and checks a rule. The error message names the flag.
double checked(const std::string& flag, const std::string& text, bool (*rule)(double),
               const char* rule_text) {
  const double value = parse_real(flag, text);
  if (!rule(value)) {
    throw UsageError(kValueOutsideRule,
                     fmt::format("{} is '{}'; it must be {}.", flag, text, rule_text), "");
  }
  return value;
}

double parse_sampling_rate(const std::string& flag, const std::string& text) {
  return checked(
      flag, text, [](double q) { return q > 0.0 && q <= 1.0; }, "above 0 and at most 1");
}

std::int64_t parse_steps(const std::string& flag, const std::string& text) {
  const std::int64_t steps = parse_whole(flag, text);
  if (steps < 0 || steps > kMaxSteps) {
    throw UsageError(
        kValueOutsideRule,
        fmt::format("{} is '{}'; it must be a whole number from 0 to {}.", flag, text, kMaxSteps),
        "");
  }
  return steps;
}

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

}  // namespace

std::vector<std::string> split(const std::string& text, char separator) {
  std::vector<std::string> parts;
  std::istringstream stream(text);
  for (std::string part; std::getline(stream, part, separator);) parts.push_back(part);
  if (text.empty() || text.back() == separator) parts.emplace_back();
  return parts;
}

[[noreturn]] void refuse_name(const std::string& flag, const std::string& text,
                              const std::vector<std::string>& names) {
  const auto near = nearest_name(text, names);
  throw UsageError(
      kValueOutsideRule,
      fmt::format("{} is '{}'; it must be one of {}.", flag, text, fmt::join(names, ", ")),
      near ? fmt::format("Did you mean '{}'?", *near) : "");
}

double parse_positive(const std::string& flag, const std::string& text) {
  return checked(
      flag, text, [](double value) { return value > 0.0; }, "above 0");
}

void PrivacyFlags::declare(CLI::App& app) {
  app.add_option("--epsilon", epsilon_, "privacy loss bound");
  app.add_option("--delta", delta_, "probability that the bound fails");
  app.add_option("--noise-multiplier", noise_multiplier_, "noise standard deviation / clip bound");
  app.add_option("--steps", steps_, "number of steps");
  app.add_option("--sampling-rate", sampling_rate_,
                 "probability that a record is in a step (default .1)");
  app.add_option("--adjacency", adjacency_, "substitute (default) or add-remove");
  app.add_option("--accountant", accountant_,
                 "pld (default), rdp, moments, advanced, a list of these, or all");
  app.add_option("--phase", phases_, "Q:S:T, repeatable, instead of rate, noise and steps")
      ->take_all()
      ->allow_extra_args(false);
}

PrivacyPlanRequest PrivacyFlags::request() const {
  PrivacyPlanRequest request;
  if (epsilon_) request.epsilon = parse_positive("--epsilon", *epsilon_);
  if (delta_) {
    request.delta = checked(
        "--delta", *delta_, [](double d) { return d > 0.0 && d < 1.0; }, "above 0 and below 1");
  }
  if (noise_multiplier_) {
    request.noise_multiplier = parse_positive("--noise-multiplier", *noise_multiplier_);
  }
  if (steps_) request.steps = parse_steps("--steps", *steps_);
  if (sampling_rate_) {
    request.sampling_rate = parse_sampling_rate("--sampling-rate", *sampling_rate_);
  }
  request.adjacency = parse_adjacency(adjacency_);
  request.accountants = parse_accountants(accountant_);
  for (const std::string& text : phases_) request.phases.push_back(parse_phase(text));
  return request;
}

}  // namespace dpvi::cli
