#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include <dpvi/privacy/adjacency.hpp>
#include <dpvi/privacy/event.hpp>

namespace dpvi {

// The accountants under one face. Each answer is an upper bound on the truth.
enum class Accountant { pld, rdp, moments, advanced };

inline constexpr Accountant kAccountants[] = {Accountant::pld, Accountant::rdp, Accountant::moments,
                                              Accountant::advanced};

std::string_view name_of(Accountant accountant);

// Why an accountant makes no claim about a run at this delta; nothing where it does.
std::optional<std::string> why_no_claim(Accountant accountant, std::span<const GaussianPhase> run,
                                        Adjacency adjacency, double delta);

// Throws UsageError with why_no_claim() where there is no claim.
double epsilon_bound(Accountant accountant, std::span<const GaussianPhase> run, Adjacency adjacency,
                     double delta);
double delta_bound(Accountant accountant, std::span<const GaussianPhase> run, Adjacency adjacency,
                   double epsilon);

// Advanced composition spends this share of delta on composition, as the code behind the 2017
// paper's figures does.
inline constexpr double kAdvancedCompositionShare = 0.08;

}  // namespace dpvi
