#include <dpvi/stan/types/function_lookup.hpp>

#include <algorithm>

#include <fmt/format.h>

#include <dpvi/base/error_codes.hpp>
#include <dpvi/stan/syntax/suggestion.hpp>
#include <dpvi/stan/types/density_table.hpp>
#include <dpvi/stan/types/function_table.hpp>
#include <dpvi/stan/types/unsupported_functions.hpp>

namespace dpvi {
namespace {

std::string types_text(std::span<const StanType> types) {
  std::string text;
  for (const StanType type : types) {
    if (!text.empty()) text += ", ";
    text += to_string(type);
  }
  return "(" + text + ")";
}

CallProblem no_fit(const std::string& name, std::span<const StanType> arguments,
                   std::string_view expected) {
  return {&kModelType, fmt::format("'{}' does not take {}.", name, types_text(arguments)),
          expected.empty() ? "" : fmt::format("It takes: {}.", expected)};
}

bool is_vectorised(StanType type) { return !type.is_scalar() && !type.is_error(); }

// The registry name of a density function; unnormalised forms share the normalised entry.
std::string registry_name(std::string_view density, std::string_view suffix) {
  if (suffix == "_lupdf") suffix = "_lpdf";
  if (suffix == "_lupmf") suffix = "_lpmf";
  if (suffix == "_cdf") suffix = "_lcdf";
  return fmt::format("{}{}", density, suffix);
}

}  // namespace

bool FunctionLookup::user_has(std::string_view name) const {
  return std::any_of(program_.functions.begin(), program_.functions.end(),
                     [&](const FunctionDefinition& function) { return function.name == name; });
}

bool FunctionLookup::can_write(std::string_view density, std::string_view suffix) const {
  return registry_.find(registry_name(density, suffix)) != nullptr;
}

std::optional<ResolvedCall> FunctionLookup::resolve_user(
    std::string_view name, std::span<const StanType> arguments) const {
  std::optional<ResolvedCall> best;
  int fewest = 0;
  for (std::size_t i = 0; i < program_.functions.size(); ++i) {
    const FunctionDefinition& function = program_.functions[i];
    if (function.name != name || function.arguments.size() != arguments.size()) continue;
    int promotions = 0;
    bool fits = true;
    for (std::size_t k = 0; k < arguments.size(); ++k) {
      fits = fits && promotes_to(arguments[k], function.arguments[k].type);
      if (!(arguments[k] == function.arguments[k].type)) ++promotions;
    }
    // A definition is preferred to a forward declaration of the same function.
    const bool better = !best || promotions < fewest || (promotions == fewest && function.body);
    if (!fits || !better) continue;
    best = ResolvedCall{static_cast<int>(i), function.result};
    fewest = promotions;
  }
  return best;
}

std::optional<ResolvedCall> FunctionLookup::resolve(const std::string& name,
                                                    std::span<const StanType> arguments,
                                                    CallProblem& problem) const {
  if (auto user = resolve_user(name, arguments)) return user;
  // The unnormalised form of a user-defined density is the density itself.
  for (const auto& [loose, strict] : {std::pair("_lupdf", "_lpdf"), std::pair("_lupmf", "_lpmf")}) {
    if (!name.ends_with(loose)) continue;
    const std::string normalised = name.substr(0, name.size() - 6) + strict;
    if (auto user = resolve_user(normalised, arguments)) return user;
  }
  if (const FunctionEntry* entry = find_function(name)) {
    if (const auto result = match_signatures(entry->signatures, arguments)) {
      return ResolvedCall{-1, *result};
    }
    problem = no_fit(name, arguments, entry->row->signatures);
    return std::nullopt;
  }
  if (has_density_suffix(name)) return resolve_density_function(name, arguments, problem);
  if (name.ends_with("_rng")) return resolve_random(name, arguments, problem);
  if (user_has(name)) {
    problem = no_fit(name, arguments, "");
  } else {
    problem = unknown(name);
  }
  return std::nullopt;
}

std::optional<ResolvedCall> FunctionLookup::resolve_density_function(
    const std::string& name, std::span<const StanType> arguments, CallProblem& problem) const {
  const DensityName parts = split_density_name(name);
  if (parts.row == nullptr) {
    problem = user_has(name) ? no_fit(name, arguments, "") : unknown(name);
    return std::nullopt;
  }
  const std::string signature = fmt::format("{} -> real", parts.row->arguments);
  if (!match_signatures(parse_signatures(signature), arguments)) {
    problem = no_fit(name, arguments, parts.row->arguments);
    return std::nullopt;
  }
  if (!can_write(parts.row->name, parts.suffix)) {
    problem = {&kModelUnsupported, fmt::format("'{}' is not supported.", name),
               why_unsupported(name)};
    return std::nullopt;
  }
  return ResolvedCall{-1, kRealType};
}

std::optional<ResolvedCall> FunctionLookup::resolve_random(const std::string& name,
                                                           std::span<const StanType> arguments,
                                                           CallProblem& problem) const {
  const DensityRow* row = find_density(std::string_view(name).substr(0, name.size() - 4));
  if (row == nullptr) {
    problem = user_has(name) ? no_fit(name, arguments, "") : unknown(name);
    return std::nullopt;
  }
  if (!row->random.empty()) {
    if (const auto result = match_signatures(parse_signatures(row->random), arguments)) {
      return ResolvedCall{-1, *result};
    }
    problem = no_fit(name, arguments, row->random);
    return std::nullopt;
  }
  // A distribution over scalars takes its parameters without the variate. One container argument
  // makes the result an array.
  const std::string_view all = row->arguments;
  const std::size_t space = all.find(' ');
  const std::string parameters(space == std::string_view::npos ? "" : all.substr(space + 1));
  if (!match_signatures(parse_signatures(parameters + " -> real"), arguments)) {
    problem = no_fit(name, arguments, parameters);
    return std::nullopt;
  }
  const bool many = std::any_of(arguments.begin(), arguments.end(), is_vectorised);
  const StanBase base = row->discrete ? StanBase::integer : StanBase::real;
  return ResolvedCall{-1, {base, many ? 1 : 0}};
}

std::optional<ResolvedCall> FunctionLookup::resolve_density(const std::string& name,
                                                            std::span<const StanType> arguments,
                                                            CallProblem& problem) const {
  for (const char* suffix : {"_lpdf", "_lpmf"}) {
    if (auto user = resolve_user(name + suffix, arguments)) return user;
  }
  if (const DensityRow* row = find_density(name)) {
    return resolve_density_function(name + (row->discrete ? "_lpmf" : "_lpdf"), arguments, problem);
  }
  if (user_has(name + "_lpdf") || user_has(name + "_lpmf")) {
    problem = no_fit(name, arguments, "");
    return std::nullopt;
  }
  if (user_has(name + "_log")) {  // the suffix of densities before _lpdf and _lpmf
    auto user = resolve_user(name + "_log", arguments);
    if (!user) problem = no_fit(name + "_log", arguments, "");
    return user;
  }
  if (name.ends_with("_log") && find_density(name.substr(0, name.size() - 4)) != nullptr) {
    problem = {&kModelName, fmt::format("No distribution is called '{}'.", name),
               fmt::format("Stan no longer uses this ending. Write '{}'.",
                           name.substr(0, name.size() - 4))};
    return std::nullopt;
  }
  if (std::string why = why_unsupported(name); !why.empty()) {
    problem = {&kModelUnsupported, fmt::format("'{}' cannot be used.", name), std::move(why)};
    return std::nullopt;
  }
  std::vector<std::string_view> names;
  for (const DensityRow& row : density_rows()) names.push_back(row.name);
  for (const FunctionDefinition& function : program_.functions) {
    if (!has_density_suffix(function.name)) continue;
    names.push_back(std::string_view(function.name).substr(0, function.name.rfind('_')));
  }
  problem = {&kModelName, fmt::format("No distribution is called '{}'.", name),
             did_you_mean(name, names)};
  return std::nullopt;
}

CallProblem FunctionLookup::unknown(const std::string& name) const {
  if (std::string why = why_unsupported(name); !why.empty()) {
    return {&kModelUnsupported, fmt::format("'{}' cannot be used.", name), std::move(why)};
  }
  std::vector<std::string_view> names = function_names();
  for (const FunctionDefinition& function : program_.functions) names.push_back(function.name);
  std::vector<std::string> densities;
  if (has_density_suffix(name)) {
    const std::string suffix = name.substr(name.rfind('_'));
    const bool tail = suffix.ends_with("cdf");
    for (const DensityRow& row : density_rows()) {
      densities.push_back(std::string(row.name) + (tail           ? suffix
                                                   : row.discrete ? "_lpmf"
                                                                  : "_lpdf"));
    }
    names.insert(names.end(), densities.begin(), densities.end());
  }
  return {&kModelName, fmt::format("No function is called '{}'.", name), did_you_mean(name, names)};
}

}  // namespace dpvi
