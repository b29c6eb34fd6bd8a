#include <dpvi/report/posterior_netcdf.hpp>

#include <fmt/format.h>

#include <utility>
#include <vector>

#include <dpvi/report/netcdf/hdf5_file.hpp>
#include <dpvi/report/netcdf/netcdf_file.hpp>
#include <dpvi/report/statement.hpp>

namespace dpvi {
namespace {

// Positions of a variable's values in a draw, listed with the last index fastest. A draw itself has
// the first index fastest.
std::vector<std::size_t> last_index_fastest(const OutputVariable& variable) {
  std::vector<std::size_t> places = {0};
  std::size_t stride = 1;
  for (const std::int64_t size : variable.dimensions) {
    std::vector<std::size_t> next;
    for (const std::size_t place : places) {
      for (std::int64_t i = 0; i < size; ++i) {
        next.push_back(place + static_cast<std::size_t>(i) * stride);
      }
    }
    places = std::move(next);
    stride *= static_cast<std::size_t>(size);
  }
  return places;
}

// The values of one variable, whose first one is at `first`, among those of all outputs.
std::vector<double> chosen(const std::vector<double>& values, std::size_t first,
                           const std::vector<std::size_t>& places) {
  std::vector<double> result;
  for (const std::size_t place : places) result.push_back(values[first + place]);
  return result;
}

std::vector<NetcdfDimension> chain_and_draw(const FitResult& result) {
  const std::size_t chains = result.sampled ? result.sampled->chains : 1;
  return {{"chain", chains, NetcdfPlaces::numbered},
          {"draw", result.draws.size() / chains, NetcdfPlaces::numbered}};
}

// Names the places of dimension `index` of a variable, if the schema or the header does.
void name_places(NetcdfDimension& dimension, const FitResult& result, const std::string& variable,
                 std::size_t index) {
  const auto found = result.inputs.index_names.find(variable);
  if (found == result.inputs.index_names.end() || index >= found->second.size()) return;
  if (found->second[index].size() != dimension.size) return;
  dimension.places = NetcdfPlaces::named;
  dimension.names = found->second[index];
}

// Adds a dimension to the group for each of the variable's own, and returns their places.
std::vector<std::size_t> add_dimensions(NetcdfGroup& group, const OutputVariable& variable) {
  std::vector<std::size_t> places;
  for (std::size_t i = 0; i < variable.dimensions.size(); ++i) {
    places.push_back(group.dimensions.size());
    group.dimensions.push_back({fmt::format("{}_dim_{}", variable.name, i),
                                static_cast<std::size_t>(variable.dimensions[i])});
  }
  return places;
}

// One part of the uncertainty. It is an attribute of its variable, or a variable of the group
// `large` if the variable has too many values for an attribute.
void add_part(NetcdfVariable& variable, const OutputVariable& output, NetcdfGroup& large,
              std::vector<double> values) {
  if (values.size() * sizeof(double) <= kLargestAttribute) {
    variable.attributes.push_back({large.name, std::move(values)});
    return;
  }
  large.variables.push_back({output.name, add_dimensions(large, output), std::move(values)});
}

NetcdfVariable draws_of(const OutputVariable& output, const FitResult& result, std::size_t first,
                        const std::vector<std::size_t>& places) {
  NetcdfVariable variable{output.name, {}, {}};
  variable.values.reserve(result.draws.size() * places.size());
  for (const std::vector<double>& draw : result.draws) {
    for (const std::size_t place : places) variable.values.push_back(draw[first + place]);
  }
  return variable;
}

void add_draws(NetcdfGroup& root, const FitResult& result) {
  NetcdfGroup posterior{"posterior", chain_and_draw(result)};
  NetcdfGroup sd_model{"sd_model"};
  NetcdfGroup sd_privacy{"sd_privacy"};
  std::size_t first = 0;
  for (const OutputVariable& output : result.outputs) {
    const std::vector<std::size_t> places = last_index_fastest(output);
    if (places.empty()) continue;  // a size of 0 would mean "unlimited"
    NetcdfVariable variable = draws_of(output, result, first, places);
    variable.dimensions = {0, 1};
    const std::vector<std::size_t> own = add_dimensions(posterior, output);
    for (std::size_t i = 0; i < own.size(); ++i) {
      name_places(posterior.dimensions[own[i]], result, output.name, i);
    }
    variable.dimensions.insert(variable.dimensions.end(), own.begin(), own.end());
    add_part(variable, output, sd_model, chosen(result.sd_model, first, places));
    add_part(variable, output, sd_privacy, chosen(result.sd_privacy, first, places));
    posterior.variables.push_back(std::move(variable));
    first += places.size();
  }
  root.groups.push_back(std::move(posterior));
  for (NetcdfGroup* large : {&sd_model, &sd_privacy}) {
    if (!large->variables.empty()) root.groups.push_back(std::move(*large));
  }
}

void add_statistics(NetcdfGroup& root, const FitResult& result) {
  NetcdfGroup group{"sample_stats", chain_and_draw(result)};
  const auto add = [&](const char* name, NetcdfType type, const auto& value) {
    NetcdfVariable variable{name, {0, 1}, {}, {}, type};
    for (const DrawStatistics& draw : result.sampled->statistics) {
      variable.values.push_back(static_cast<double>(value(draw)));
    }
    group.variables.push_back(std::move(variable));
  };
  using enum NetcdfType;
  add("lp", float64, [](const DrawStatistics& draw) { return draw.log_density; });
  add("acceptance_rate", float64, [](const DrawStatistics& draw) { return draw.acceptance; });
  add("step_size", float64, [](const DrawStatistics& draw) { return draw.step_size; });
  add("tree_depth", int32, [](const DrawStatistics& draw) { return draw.tree_depth; });
  add("n_steps", int32, [](const DrawStatistics& draw) { return draw.leapfrog_steps; });
  add("energy", float64, [](const DrawStatistics& draw) { return draw.energy; });
  add("diverging", int8, [](const DrawStatistics& draw) { return draw.divergent; });
  group.variables.back().attributes = {{"dtype", "bool"}};  // xarray's mark of a truth value
  root.groups.push_back(std::move(group));
}

std::vector<NetcdfAttribute> facts(const FitResult& result, const ProgramVersion& program) {
  std::vector<NetcdfAttribute> list = {
      {"created_at", result.started_at + " UTC"},
      {"inference_library", "dpvi"},
      {"inference_library_version", program.version},
      {"dp_status", std::string(name_of(result.verdict.status))},
      {"dp_draws", std::string(result.sampled ? kChainsNotice : kDrawsNotice)},
      {"dp_private", result.privacy ? "true" : "false"},
  };
  if (!result.privacy) return list;
  list.push_back({"dp_epsilon", std::vector{result.privacy->plan().epsilon}});
  list.push_back({"dp_delta", std::vector{result.privacy->plan().delta}});
  list.push_back({"dp_adjacency", std::string(adjacency_name(result.privacy->plan().adjacency))});
  return list;
}

}  // namespace

std::string posterior_netcdf(const FitResult& result, const ProgramVersion& program) {
  NetcdfGroup root;
  add_draws(root, result);
  if (result.sampled) add_statistics(root, result);
  root.attributes = facts(result, program);
  root.groups.front().attributes = root.attributes;
  return netcdf_bytes(root);
}

}  // namespace dpvi
