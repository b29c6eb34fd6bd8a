#include <dpvi/api/version.hpp>

#include <fmt/format.h>
#include <openssl/crypto.h>
#include <rapidjson/rapidjson.h>
#include <toml++/impl/version.h>
#include <zlib.h>
#include <zstd.h>
#include <Eigen/Core>
#include <boost/version.hpp>
#include <nlohmann/json.hpp>

#include <dpvi_commit.hpp>

namespace dpvi {
namespace {

std::string named(const char* name, int major, int minor, int patch) {
  return fmt::format("{} {}.{}.{}", name, major, minor, patch);
}

}  // namespace

ProgramVersion library_version() { return {DPVI_VERSION, DPVI_COMMIT}; }

std::vector<std::string> instruction_sets() {
  std::vector<std::string> sets{"baseline"};
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) sets.emplace_back("avx2");
  return sets;
}

std::vector<std::string> libraries_used() {
  return {OpenSSL_version(OPENSSL_VERSION),
          fmt::format("zlib {}", zlibVersion()),
          fmt::format("zstd {}", ZSTD_versionString()),
          named("fmt", FMT_VERSION / 10000, FMT_VERSION / 100 % 100, FMT_VERSION % 100),
          named("Boost", BOOST_VERSION / 100000, BOOST_VERSION / 100 % 1000, BOOST_VERSION % 100),
          named("Eigen", EIGEN_WORLD_VERSION, EIGEN_MAJOR_VERSION, EIGEN_MINOR_VERSION),
          named("toml++", TOML_LIB_MAJOR, TOML_LIB_MINOR, TOML_LIB_PATCH),
          named("JSON for Modern C++", NLOHMANN_JSON_VERSION_MAJOR, NLOHMANN_JSON_VERSION_MINOR,
                NLOHMANN_JSON_VERSION_PATCH),
          fmt::format("RapidJSON {}", RAPIDJSON_VERSION_STRING)};
}

}  // namespace dpvi
