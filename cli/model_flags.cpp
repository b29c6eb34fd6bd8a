#include "model_flags.hpp"

#include <fmt/format.h>

#include <utility>

#include <dpvi/base/error.hpp>

#include "numbers.hpp"

namespace dpvi::cli {
namespace {

void add_define(PublicData& data, const std::string& text) {
  const std::size_t equals = text.find('=');
  if (equals == std::string::npos || equals == 0) {
    throw UsageError(kValueOutsideRule, fmt::format("-D is '{}'; it must be NAME=NUMBER.", text),
                     "For example -D J=85.");
  }
  const std::string name = text.substr(0, equals);
  const double value = parse_real("-D " + name, text.substr(equals + 1));
  add_public_value(data, name, public_number(value, "-D " + text));
}

}  // namespace

void ModelFlags::declare(CLI::App& app) {
  app.add_option("MODEL", model, "Stan program")->required();
  declare_schema(app);
  declare_public(app);
}

void ModelFlags::declare_schema(CLI::App& app) {
  app.add_option("--schema", schema, "public facts about the columns (TOML)");
}

void ModelFlags::declare_public(CLI::App& app) {
  app.add_option("--public", public_file, "public data values (Stan JSON)");
  app.add_option("-D", defines, "one public number, e.g. -D J=85 (repeatable)")
      ->take_all()
      ->allow_extra_args(false);
  app.add_option("--table", tables,
                 "file with the rows of one of several record counts, e.g. N_obs=a.csv "
                 "(repeatable)")
      ->take_all()
      ->allow_extra_args(false);
  app.add_option("--records", records, "name of the record count (default N)");
}

ProgramSource ModelFlags::source() const {
  ProgramSource source{.model_file = model,
                       .schema_file = schema,
                       .public_file = public_file,
                       .tables = tables,
                       .record_count = records};
  for (const std::string& define : defines) add_define(source.public_data, define);
  return source;
}

}  // namespace dpvi::cli
