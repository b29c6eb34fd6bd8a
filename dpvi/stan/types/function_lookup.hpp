#pragma once

#include <optional>
#include <span>
#include <string>

#include <dpvi/base/error_codes.hpp>
#include <dpvi/model/function_registry.hpp>
#include <dpvi/stan/syntax/syntax_tree.hpp>

namespace dpvi {

// The function that a call resolves to: the index of a user-defined function, or -1 for one of
// Stan's.
struct ResolvedCall {
  int function = -1;
  StanType result;
};

// The reason why a call cannot be resolved.
struct CallProblem {
  const ErrorCode* code = nullptr;
  std::string message;
  std::string hint;
};

// Resolves calls to the program's own functions and to Stan's.
class FunctionLookup {
 public:
  FunctionLookup(const StanProgram& program, const FunctionRegistry& registry)
      : program_(program), registry_(registry) {}

  // Fills `problem` if no function matches.
  std::optional<ResolvedCall> resolve(const std::string& name, std::span<const StanType> arguments,
                                      CallProblem& problem) const;
  // Resolves the density of "y ~ name(...)": name with _lpdf or _lpmf.
  std::optional<ResolvedCall> resolve_density(const std::string& name,
                                              std::span<const StanType> arguments,
                                              CallProblem& problem) const;

  bool user_has(std::string_view name) const;
  // True if the registry can write this function of the density, e.g. "normal" with "_lcdf".
  bool can_write(std::string_view density, std::string_view suffix) const;

 private:
  std::optional<ResolvedCall> resolve_user(std::string_view name,
                                           std::span<const StanType> arguments) const;
  std::optional<ResolvedCall> resolve_density_function(const std::string& name,
                                                       std::span<const StanType> arguments,
                                                       CallProblem& problem) const;
  std::optional<ResolvedCall> resolve_random(const std::string& name,
                                             std::span<const StanType> arguments,
                                             CallProblem& problem) const;
  CallProblem unknown(const std::string& name) const;

  const StanProgram& program_;
  const FunctionRegistry& registry_;
};

}  // namespace dpvi
