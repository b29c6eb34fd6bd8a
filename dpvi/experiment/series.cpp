#include <dpvi/experiment/series.hpp>

#include <fmt/format.h>
#include <toml++/toml.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <filesystem>

#include <dpvi/base/nearest_name.hpp>
#include <dpvi/data/text_file.hpp>
#include <dpvi/data/toml_shape.hpp>
#include <dpvi/experiment/experiment_errors.hpp>

namespace dpvi {
namespace {

// One table of the file. Keys are looked up one by one; any others are unknown.
class Keys {
 public:
  Keys(const std::string& path, const toml::table& table) : path_(path), table_(table) {}

  SourcePlace place() const { return place_of(table_.source()); }

  const toml::node* find(const char* key) {
    known_.emplace_back(key);
    return table_.get(key);
  }

  template <class T>
  std::optional<T> value(const char* key) {
    const toml::node* node = find(key);
    if (node == nullptr) return std::nullopt;
    auto found = node->value<T>();
    if (!found) refuse(key, *node, "has the wrong type");
    return found;
  }

  template <class T>
  T required(const char* key) {
    if (const auto found = value<T>(key)) return *found;
    throw InputError(kBadExperiment, fmt::format("'{}' is missing.", key), "", place());
  }

  // A list of numbers, or one number for all points.
  std::vector<double> numbers(const char* key) {
    const toml::node* node = find(key);
    if (node == nullptr) return {};
    if (const auto one = node->value<double>()) return {*one};
    const toml::array* list = node->as_array();
    if (list == nullptr) refuse(key, *node, "must be a number or a list of numbers");
    std::vector<double> result;
    for (const toml::node& item : *list) {
      const auto number = item.value<double>();
      if (!number) refuse(key, item, "must be a list of numbers");
      result.push_back(*number);
    }
    return result;
  }

  template <class Choices>
  auto choice(const char* key, const std::string& otherwise, const Choices& choices) {
    const std::string text = value<std::string>(key).value_or(otherwise);
    for (const auto one : choices) {
      if (name_of(one) == text) return one;
    }
    throw InputError(kBadExperiment, fmt::format("'{}' is '{}', which does not exist.", key, text),
                     "", place());
  }

  std::vector<std::pair<std::string, std::string>> flags(const char* key) {
    std::vector<std::pair<std::string, std::string>> result;
    const toml::node* node = find(key);
    if (node == nullptr) return result;
    if (node->as_table() == nullptr) refuse(key, *node, "must be a table of flags");
    for (const auto& [name, item] : *node->as_table()) {
      std::string text;
      if (const auto* words = item.as_string()) {
        text = words->get();
      } else if (const auto* whole = item.as_integer()) {
        text = fmt::format("{}", whole->get());
      } else if (const auto* real = item.as_floating_point()) {
        text = fmt::format("{}", real->get());
      } else {
        refuse(key, item, "must have numbers or texts as values");
      }
      result.emplace_back(name.str(), std::move(text));
    }
    return result;
  }

  void refuse_others() const {
    for (const auto& [key, node] : table_) {
      const std::string name(key.str());
      if (std::find(known_.begin(), known_.end(), name) != known_.end()) continue;
      const auto near = nearest_name(name, known_);
      throw InputError(kBadExperiment, fmt::format("unknown key '{}'.", name),
                       near ? fmt::format("Did you mean '{}'?", *near) : "",
                       place_of(key.source()));
    }
  }

  [[noreturn]] void refuse(const std::string& key, const toml::node& node,
                           std::string_view rule) const {
    throw InputError(kBadExperiment, fmt::format("'{}' {}.", key, rule), "",
                     place_of(node.source()));
  }

 private:
  SourcePlace place_of(const toml::source_region& region) const {
    return {path_, static_cast<int>(region.begin.line), static_cast<int>(region.begin.column)};
  }

  const std::string& path_;
  const toml::table& table_;
  std::vector<std::string> known_;
};

// Entry i of a list with one entry for each point, or one for all; NaN means none.
std::optional<double> entry(const std::vector<double>& list, std::size_t i) {
  if (list.empty()) return std::nullopt;
  const double value = list.size() == 1 ? list[0] : list[i];
  return std::isnan(value) ? std::nullopt : std::optional(value);
}

void check_lengths(const Keys& keys, std::size_t points,
                   std::initializer_list<const std::vector<double>*> lists) {
  for (const std::vector<double>* list : lists) {
    if (list->size() <= 1 || list->size() == points) continue;
    throw InputError(kBadExperiment,
                     fmt::format("a list has {} numbers for {} points.", list->size(), points), "",
                     keys.place());
  }
}

// Widens a target for few runs, which show that something works at all, not how well.
void widen(Target& target, double tolerance) {
  target.tolerance = std::max(target.tolerance, tolerance);
  if (target.worst_at_least) *target.worst_at_least -= 10.0 * tolerance;
  if (target.log_score_at_least) *target.log_score_at_least -= 2.0 * tolerance;
}

std::vector<SeriesPoint> read_points(Keys& keys, Method method, const QuickRules& rules) {
  const auto sigma = keys.numbers("sigma"), epsilon = keys.numbers("epsilon");
  const auto published = keys.numbers("published_epsilon");
  const auto expected = keys.numbers("expected"), tolerance = keys.numbers("tolerance");
  const auto worst = keys.numbers("worst_at_least"), log_score = keys.numbers("log_score_at_least");
  const auto gate = keys.choice("gate", "shown", kGates);
  const auto gated = keys.numbers("gated_points");
  const auto quick = keys.numbers("quick");
  const double quick_tolerance = keys.value<double>("quick_tolerance").value_or(rules.tolerance);
  const bool is_private = method != Method::non_private;
  if (is_private == (sigma.empty() == epsilon.empty())) {
    throw InputError(kBadExperiment,
                     is_private ? "a private series has either 'sigma' or 'epsilon'."
                                : "a series without protection has neither 'sigma' nor 'epsilon'.",
                     "", keys.place());
  }
  const std::size_t count = is_private ? std::max(sigma.size(), epsilon.size()) : 1;
  check_lengths(keys, count, {&published, &expected, &tolerance, &worst, &log_score});
  const auto holds = [](const std::vector<double>& list, std::size_t i) {
    return std::find(list.begin(), list.end(), static_cast<double>(i + 1)) != list.end();
  };
  std::vector<SeriesPoint> points;
  for (std::size_t i = 0; i < count; ++i) {
    if (rules.quick && !holds(quick, i)) continue;
    SeriesPoint point;
    if (!sigma.empty()) point.sigma = sigma[i];
    if (!epsilon.empty()) point.epsilon = epsilon[i];
    point.published_epsilon = entry(published, i);
    if (const auto value = entry(expected, i)) {
      const bool is_gated = gated.empty() || holds(gated, i);
      point.target =
          Target{is_gated ? gate : GateKind::shown, *value, entry(tolerance, i).value_or(0.0),
                 entry(worst, i), entry(log_score, i)};
      if (rules.quick) widen(*point.target, quick_tolerance);
    }
    points.push_back(point);
  }
  return points;
}

Series read_series(const std::string& path, const toml::table& table, const QuickRules& rules) {
  Keys keys(path, table);
  Series series;
  series.place = keys.place();
  series.reading = std::filesystem::path(path).stem().string();
  series.figure = keys.required<std::string>("figure");
  series.name = keys.required<std::string>("name");
  series.table = keys.required<std::string>("table");
  series.model = keys.required<std::string>("model");
  series.method = keys.choice("method", "dpvi", kMethods);
  series.flags = keys.flags("fit");
  series.scaled_clip_bound = keys.value<double>("scaled_clip_bound");
  series.declared = keys.value<bool>("declared").value_or(false);
  series.delta = keys.value<double>("delta").value_or(1e-3);
  series.accounted_delta = keys.value<double>("accounted_delta").value_or(series.delta);
  series.runs_factor = static_cast<std::size_t>(
      std::max<std::int64_t>(1, keys.value<std::int64_t>("runs_factor").value_or(1)));
  series.sgld.passes = keys.value<double>("passes").value_or(series.sgld.passes);
  series.sgld.lipschitz = keys.value<double>("lipschitz").value_or(series.sgld.lipschitz);
  series.points = read_points(keys, series.method, rules);
  keys.refuse_others();
  return series;
}

RankingRequirement read_lead(const std::string& path, const toml::table& table) {
  Keys keys(path, table);
  RankingRequirement lead;
  lead.reading = std::filesystem::path(path).stem().string();
  lead.figure = keys.required<std::string>("figure");
  lead.ahead = keys.required<std::string>("ahead");
  lead.behind = keys.required<std::string>("behind");
  lead.ahead_point = static_cast<std::size_t>(keys.required<std::int64_t>("ahead_point") - 1);
  lead.behind_point = static_cast<std::size_t>(keys.required<std::int64_t>("behind_point") - 1);
  lead.by = keys.required<double>("by");
  keys.refuse_others();
  return lead;
}

MixtureData read_mixture(const std::string& path, const toml::table& table) {
  Keys keys(path, table);
  MixtureData data;
  const auto count = [&](const char* key) {
    return static_cast<std::size_t>(std::max<std::int64_t>(1, keys.required<std::int64_t>(key)));
  };
  data.training_rows = count("training_rows");
  data.test_rows = count("test_rows");
  data.variance = keys.required<double>("variance");
  data.seed = count("seed");
  keys.refuse_others();
  return data;
}

// Visits each table of an array of tables.
template <class Visit>
void for_each_table(const std::string& path, Keys& keys, const char* key, const Visit& visit) {
  const toml::node* node = keys.find(key);
  if (node == nullptr) return;
  const toml::array* list = node->as_array();
  if (list == nullptr || !list->is_array_of_tables()) keys.refuse(key, *node, "must be [[tables]]");
  for (const toml::node& item : *list) visit(path, *item.as_table());
}

}  // namespace

std::string_view name_of(Method method) {
  switch (method) {
    case Method::dpvi:
      return "dpvi";
    case Method::dp_sgld:
      return "dp-sgld";
    case Method::non_private:
      return "non-private";
  }
  return "";
}

std::optional<double> Series::number(std::string_view flag) const {
  for (const auto& [key, text] : flags) {
    if (key != flag) continue;
    double value = 0.0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error == std::errc() && end == text.data() + text.size()) return value;
  }
  return std::nullopt;
}

ExperimentFile read_reading(const std::string& path, const QuickRules& rules) {
  const std::string text = read_whole_file(path);
  toml::table table;
  if (const auto line = line_of_deep_key(text)) {
    throw InputError(kBadExperiment, "a key has more than 64 parts.", "", {path, *line, 0});
  }
  try {
    table = toml::parse(text, path);
  } catch (const toml::parse_error& error) {
    throw InputError(kBadExperiment, fmt::format("not valid TOML: {}.", error.description()), "",
                     {path, static_cast<int>(error.source().begin.line),
                      static_cast<int>(error.source().begin.column)});
  }
  Keys keys(path, table);
  ExperimentFile reading;
  for_each_table(path, keys, "series", [&](const std::string& file, const toml::table& one) {
    reading.series.push_back(read_series(file, one, rules));
  });
  for_each_table(path, keys, "lead", [&](const std::string& file, const toml::table& one) {
    reading.leads.push_back(read_lead(file, one));
  });
  if (const toml::node* mixtures = keys.find("mixture")) {
    if (mixtures->as_table() == nullptr) keys.refuse("mixture", *mixtures, "must be a table");
    for (const auto& [name, item] : *mixtures->as_table()) {
      if (item.as_table() == nullptr) keys.refuse("mixture", item, "must hold tables");
      reading.mixtures.emplace_back(name.str(), read_mixture(path, *item.as_table()));
    }
  }
  keys.refuse_others();
  return reading;
}

}  // namespace dpvi
