#pragma once

#include <optional>
#include <span>
#include <string>

#include <dpvi/base/error_codes.hpp>
#include <dpvi/model/function_registry.hpp>
#include <dpvi/stan/syntax_tree.hpp>

namespace dpvi {

// What a name with arguments means: `function` is the user's, or -1 for one of Stan's.
struct ResolvedCall {
  int function = -1;
  StanType result;
};

// Why a call has no meaning.
struct CallProblem {
  const ErrorCode* code = nullptr;
  std::string message;
  std::string hint;
};

// Finds the function a call means, among the program's own and Stan's.
class FunctionLookup {
 public:
  FunctionLookup(const StanProgram& program, const FunctionRegistry& registry)
      : program_(program), registry_(registry) {}

  // Fills `problem` where there is nothing to call.
  std::optional<ResolvedCall> resolve(const std::string& name, std::span<const StanType> arguments,
                                      CallProblem& problem) const;
  // The density behind "y ~ name(...)": name with _lpdf or _lpmf.
  std::optional<ResolvedCall> resolve_density(const std::string& name,
                                              std::span<const StanType> arguments,
                                              CallProblem& problem) const;

  bool user_has(std::string_view name) const;
  // A density that can be written into the graph, e.g. "normal" with "_lcdf".
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
