#include "version.hpp"

#include <fmt/format.h>
#include <openssl/crypto.h>

#include <dpvi/api/version.hpp>

namespace dpvi::cli {
namespace {

std::string instruction_sets() {
  std::string sets = "baseline";
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) sets += ", avx2";
  return sets;
}

}  // namespace

std::string version_text() {
  const ProgramVersion own = library_version();
  return fmt::format("dpvi {}\ncommit {}\ninstruction sets: {}\nlibraries: {}, fmt {}.{}.{}\n",
                     own.version, own.commit, instruction_sets(), OpenSSL_version(OPENSSL_VERSION),
                     FMT_VERSION / 10000, FMT_VERSION / 100 % 100, FMT_VERSION % 100);
}

}  // namespace dpvi::cli
