#include <dpvi/report/posterior_netcdf.hpp>

#include <fmt/format.h>

#include <cstdlib>
#include <span>
#include <vector>

#include <dpvi/base/error.hpp>
#include <dpvi/report/internal/netcdf_library.hpp>
#include <dpvi/report/statement.hpp>

namespace dpvi {
namespace {

// A file in memory that is returned whole or not at all.
class NetcdfFile {
 public:
  NetcdfFile() { check(library_.create_mem("posterior.nc", NC_NETCDF4, kFirstSize, &file_)); }
  ~NetcdfFile() {
    if (open_) library_.abort(file_);
  }
  NetcdfFile(const NetcdfFile&) = delete;
  NetcdfFile& operator=(const NetcdfFile&) = delete;

  int root() const { return file_; }
  int add_group(const char* name) {
    int group = 0;
    check(library_.def_grp(file_, name, &group));
    return group;
  }
  int add_dimension(int group, const std::string& name, std::size_t size) {
    int dimension = 0;
    check(library_.def_dim(group, name.c_str(), size, &dimension));
    return dimension;
  }
  // `type` is the type in the file.
  int add_variable(int group, const std::string& name, const std::vector<int>& dimensions,
                   const std::vector<double>& values, nc_type type = NC_DOUBLE) {
    int variable = 0;
    check(library_.def_var(group, name.c_str(), type, static_cast<int>(dimensions.size()),
                           dimensions.data(), &variable));
    check(library_.put_var_double(group, variable, values.data()));
    return variable;
  }
  void add_attribute(int group, const char* name, const std::string& text) {
    add_attribute(group, NC_GLOBAL, name, text);
  }
  void add_attribute(int group, int variable, const char* name, const std::string& text) {
    check(library_.put_att_text(group, variable, name, text.size(), text.data()));
  }
  void add_attribute(int group, const char* name, double value) {
    add_attribute(group, NC_GLOBAL, name, {&value, 1});
  }
  void add_attribute(int group, int variable, const char* name, std::span<const double> values) {
    check(library_.put_att_double(group, variable, name, NC_DOUBLE, values.size(), values.data()));
  }

  std::string take() {
    NC_memio memory{};
    open_ = false;
    check(library_.close_memio(file_, &memory));
    std::string bytes(static_cast<const char*>(memory.memory), memory.size);
    std::free(memory.memory);  // NOLINT(cppcoreguidelines-no-malloc): the library's own
    return bytes;
  }

 private:
  static constexpr std::size_t kFirstSize = std::size_t{1} << 16;

  void check(int status) const {
    if (status == NC_NOERR) return;
    throw InternalError(
        kInternal,
        fmt::format("posterior.nc: the netCDF library says '{}'.", library_.strerror(status)),
        "Please report this.");
  }

  const NetcdfLibrary& library_ = NetcdfLibrary::get();
  int file_ = 0;
  bool open_ = true;
};

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

// Adds the dimensions chain and draw.
std::vector<int> add_chain_dimensions(NetcdfFile& file, int group, const FitResult& result) {
  const std::size_t chains = result.sampled ? result.sampled->chains : 1;
  const int chain = file.add_dimension(group, "chain", chains);
  return {chain, file.add_dimension(group, "draw", result.draws.size() / chains)};
}

void add_draws(NetcdfFile& file, int group, const FitResult& result) {
  const std::vector<int> chain_and_draw = add_chain_dimensions(file, group, result);
  std::size_t first = 0;
  for (const OutputVariable& variable : result.outputs) {
    const std::vector<std::size_t> places = last_index_fastest(variable);
    if (places.empty()) continue;  // a size of 0 would mean "unlimited"
    std::vector<int> dimensions = chain_and_draw;
    for (std::size_t i = 0; i < variable.dimensions.size(); ++i) {
      dimensions.push_back(file.add_dimension(group, fmt::format("{}_dim_{}", variable.name, i),
                                              static_cast<std::size_t>(variable.dimensions[i])));
    }
    std::vector<double> values;
    values.reserve(result.draws.size() * places.size());
    for (const std::vector<double>& one : result.draws) {
      for (const std::size_t place : places) values.push_back(one[first + place]);
    }
    const int added = file.add_variable(group, variable.name, dimensions, values);
    file.add_attribute(group, added, "sd_model", chosen(result.sd_model, first, places));
    file.add_attribute(group, added, "sd_privacy", chosen(result.sd_privacy, first, places));
    first += places.size();
  }
}

void add_statistics(NetcdfFile& file, const FitResult& result) {
  const int group = file.add_group("sample_stats");
  const std::vector<int> dimensions = add_chain_dimensions(file, group, result);
  const auto add = [&](const char* name, nc_type type, const auto& value) {
    std::vector<double> values;
    for (const DrawStatistics& draw : result.sampled->statistics) {
      values.push_back(static_cast<double>(value(draw)));
    }
    return file.add_variable(group, name, dimensions, values, type);
  };
  add("lp", NC_DOUBLE, [](const DrawStatistics& draw) { return draw.log_density; });
  add("acceptance_rate", NC_DOUBLE, [](const DrawStatistics& draw) { return draw.acceptance; });
  add("step_size", NC_DOUBLE, [](const DrawStatistics& draw) { return draw.step_size; });
  add("tree_depth", NC_INT, [](const DrawStatistics& draw) { return draw.tree_depth; });
  add("n_steps", NC_INT, [](const DrawStatistics& draw) { return draw.leapfrog_steps; });
  add("energy", NC_DOUBLE, [](const DrawStatistics& draw) { return draw.energy; });
  const int diverging =
      add("diverging", NC_BYTE, [](const DrawStatistics& draw) { return draw.divergent; });
  file.add_attribute(group, diverging, "dtype", "bool");  // xarray's mark of a truth value
}

void add_facts(NetcdfFile& file, int group, const FitResult& result,
               const ProgramVersion& program) {
  file.add_attribute(group, "created_at", result.started_at + " UTC");
  file.add_attribute(group, "inference_library", "dpvi");
  file.add_attribute(group, "inference_library_version", program.version);
  file.add_attribute(group, "dp_status", std::string(name_of(result.verdict.status)));
  file.add_attribute(group, "dp_draws", std::string(result.sampled ? kChainsNotice : kDrawsNotice));
  file.add_attribute(group, "dp_private", result.privacy ? "true" : "false");
  if (!result.privacy) return;
  file.add_attribute(group, "dp_epsilon", result.privacy->plan().epsilon);
  file.add_attribute(group, "dp_delta", result.privacy->plan().delta);
  file.add_attribute(group, "dp_adjacency",
                     std::string(adjacency_name(result.privacy->plan().adjacency)));
}

}  // namespace

std::string posterior_netcdf(const FitResult& result, const ProgramVersion& program) {
  NetcdfFile file;
  const int group = file.add_group("posterior");
  add_draws(file, group, result);
  if (result.sampled) add_statistics(file, result);
  add_facts(file, group, result, program);
  add_facts(file, file.root(), result, program);
  return file.take();
}

void require_netcdf() { NetcdfLibrary::get(); }

}  // namespace dpvi
