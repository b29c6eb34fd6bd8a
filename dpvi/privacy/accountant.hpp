#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include <dpvi/privacy/adjacency.hpp>
#include <dpvi/privacy/event.hpp>

namespace dpvi {

// The accountants behind one interface. Every result is an upper bound on the true value.
enum class Accountant { pld, rdp, moments, advanced };

inline constexpr Accountant kAccountants[] = {Accountant::pld, Accountant::rdp, Accountant::moments,
                                              Accountant::advanced};

std::string_view name_of(Accountant accountant);

// The reason why an accountant makes no claim about a run at this delta, or nullopt if it makes
// one.
std::optional<std::string> why_no_claim(Accountant accountant, std::span<const GaussianPhase> run,
                                        Adjacency adjacency, double delta);

// If there is no claim, epsilon_bound() throws UsageError with why_no_claim() and delta_bound() is
// 1.
double epsilon_bound(Accountant accountant, std::span<const GaussianPhase> run, Adjacency adjacency,
                     double delta);
double delta_bound(Accountant accountant, std::span<const GaussianPhase> run, Adjacency adjacency,
                   double epsilon);

// Advanced composition spends this share of delta on composition, as does the code behind the
// figures of the 2017 paper.
inline constexpr double kAdvancedCompositionShare = 0.08;

}  // namespace dpvi
