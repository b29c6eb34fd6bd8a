#include <sqlite3.h>
#include <zlib.h>
#include <zstd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include <tests/fuzz/readers/reader_target.hpp>
#include <tests/support/source_folder.hpp>

namespace dpvi {
namespace {

namespace fs = std::filesystem;

using Texts = std::vector<std::string>;

constexpr std::size_t kDeep = 20'000;
constexpr std::size_t kHuge = 18 << 20;

std::string repeated(const std::string& text, std::size_t count) {
  std::string result;
  for (std::size_t i = 0; i < count; ++i) result += text;
  return result;
}

std::string content_of(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

std::string gzipped(const std::string& text) {
  z_stream stream{};
  constexpr int kGzip = 15 + 16;
  if (deflateInit2(&stream, 9, Z_DEFLATED, kGzip, 8, Z_DEFAULT_STRATEGY) != Z_OK) {
    throw std::runtime_error("zlib");
  }
  std::string result(deflateBound(&stream, text.size()), '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(text.data()));
  stream.avail_in = static_cast<uInt>(text.size());
  stream.next_out = reinterpret_cast<Bytef*>(result.data());
  stream.avail_out = static_cast<uInt>(result.size());
  deflate(&stream, Z_FINISH);
  result.resize(stream.total_out);
  deflateEnd(&stream);
  return result;
}

std::string zstandard(const std::string& text) {
  std::string result(ZSTD_compressBound(text.size()), '\0');
  result.resize(ZSTD_compress(result.data(), result.size(), text.data(), text.size(), 9));
  return result;
}

Texts program_seeds() {
  Texts texts = {
      "model { " + repeated("{", kDeep) + repeated("}", kDeep) + " }",
      "parameters { real a; } model { a ~ normal(" + repeated("(", kDeep) + "1" +
          repeated(")", kDeep) + ", 1); }",
      "data { array[1000000, 1000000] real x; } parameters { vector[2000000000] a; } model {}",
      "parameters { real a; } model { a ~ normal(" + repeated("-", kDeep) + "1, 1); }"};
  for (const auto& entry : fs::directory_iterator(tests_folder() / "stan/golden")) {
    if (entry.path().extension() == ".stan") texts.push_back(content_of(entry.path()));
  }
  return texts;
}

Texts toml_seeds() {
  return {repeated("a.", kDeep) + "a = 1\n",
          "x = " + repeated("[", kDeep) + repeated("]", kDeep) + "\n",
          "x = " + repeated("{a=", kDeep) + "1" + repeated("}", kDeep) + "\n",
          repeated("[[a]]\n", kDeep),
          "rows = 99999999999999999999\n",
          "\"" + repeated("\\u0041", kDeep) + "\" = 1e999\n"};
}

Texts schema_seeds() {
  Texts texts = toml_seeds();
  texts.emplace_back(R"([table]
rows = 20000
unit = "id"
max_rows_per_unit = 4
missing = ["", "NA"]
[columns."x.1"]
type = "real"
lower = 0
upper = 110
mean = 60
sd = 15
standardise = true
if_missing = "drop"
[columns.g]
type = "category"
levels = ["North", "South"]
coding = "index"
if_missing = "South"
[model]
records = "N"
y = "y"
x = ["x.1", "x.2"]
[public]
K = 2
tau = 1.5
[study]
title = "A"
period = "2020"
)");
  texts.emplace_back("[columns.g]\nlevels_file = \"levels.txt\"\n[public]\nK = 3\n");
  texts.emplace_back("[public]\nK = 1000000\n[columns.g]\nlevels_file = \"/etc/passwd\"\n");
  return texts;
}

Texts config_seeds() {
  Texts texts = toml_seeds();
  texts.emplace_back("ledger = \"a.ledger\"\n");
  texts.emplace_back(
      "epsilon = 1\nquiet = true\nschema = \"s.toml\"\nphase = [\"1:2:3\", 4, 1e9]\n");
  return texts;
}

constexpr const char* kRows =
    "id,x,g,n,y\r\n1,2.5,a,3,1\r\n1,NA,b,-4,0\r\n\"2\",\"1e400\",\"a\"\"b\",3.5,2\r\n,nan,,,\r\n";

Texts table_seeds() {
  const std::string rows = kRows;
  return {rows,
          "x,y\n1,2\n",
          gzipped(rows),
          zstandard(rows),
          gzipped(rows) + gzipped(rows),
          gzipped(gzipped(rows)),
          gzipped(repeated("x,", 1'000)),
          zstandard(repeated("1,2,a,3,0\n", 1'000)),
          repeated("\"", 1'001)};
}

Texts large_tables() {
  const std::string zeros(kHuge, '0');
  return {gzipped("id,x,g,n,y\n" + zeros), zstandard("id,x,g,n,y\n" + zeros),
          gzipped(repeated("x,", kHuge / 64)), repeated("\"", 100'001),
          repeated("x,", 50'000) + "y\n" + repeated("1,", 50'000) + "2\n"};
}

Texts stan_json_seeds() {
  return {R"({"N": 2, "K": 2, "x": [[1, 2], [3, NaN]], "g": [1, 2], "y": [0, 1], "tau": 1.5})",
          R"({"N": 0, "K": 2, "x": [], "g": [], "y": [], "tau": Infinity})",
          R"({"N": 1, "K": 1, "x": [["Inf"]], "g": [null], "y": [tru], "tau": [[1],[2]]})",
          repeated("[", kDeep),
          repeated("{\"a\":", kDeep),
          "{\"x\": " + repeated("[", kDeep) + repeated("]", kDeep) + "}",
          "{\"N\": 1e999999999, \"K\": " + repeated("9", 100'000) + "}",
          "{\"N\": 4611686018427387904, \"K\": 4611686018427387904, \"x\": [[]], \"y\": [[[]]]}"};
}

Texts points_seeds() {
  return {"[[1, 2], [3.5, -1e300]]", "[[NaN, \"Inf\"]]", "[[1]]", repeated("[", kDeep),
          "[[" + repeated("9", 100'000) + ", 1]]"};
}

Texts bundle_seeds() {
  constexpr const char* kNames[] = {"statement.json", "posterior.json", "run.json",  "draws.csv",
                                    "manifest.json",  "schema.toml",    "model.stan"};
  Texts texts;
  char choice = 'a';
  for (const char* name : kNames) {
    texts.push_back(choice + content_of(tests_folder() / "report/stored/format2" / name));
    texts.push_back(choice + repeated("[", kDeep));
    texts.push_back(choice + repeated("{\"a\":", kDeep));
    texts.push_back(choice + repeated("a.", kDeep) + "a = 1\n");
    ++choice;
  }
  return texts;
}

// Lines "kind body" of the stored ledger.
std::string stored_lines() {
  sqlite3* database = nullptr;
  const std::string path = (tests_folder() / "ledger/stored/format1.ledger").string();
  std::string lines;
  const auto add = [](void* text, int, char** columns, char**) {
    *static_cast<std::string*>(text) += std::string(columns[0]) + " " + columns[1] + "\n";
    return 0;
  };
  const std::string uri = "file:" + path + "?immutable=1";
  sqlite3_open_v2(uri.c_str(), &database, SQLITE_OPEN_READONLY | SQLITE_OPEN_URI, nullptr);
  sqlite3_exec(database, "SELECT kind, body FROM line ORDER BY position", add, &lines, nullptr);
  sqlite3_close(database);
  return lines;
}

Texts ledger_lines_seeds() {
  const std::string lines = stored_lines();
  const std::string first = lines.substr(0, lines.find('\n') + 1);
  return {lines, first + "save {\"id\":1,\"attempt\":0,\"steps\":10,\"tag\":\"ab\"}\n",
          lines + "reserve " + repeated("[", kDeep) + "\n", "init " + repeated("{\"a\":", kDeep),
          first +
              "reserve {\"id\":1,\"mechanisms\":[{\"kind\":\"gaussian-total\","
              "\"mu_substitute\":0.2,\"mu_add_remove\":0.1}],\"clip_bound\":1,"
              "\"adjacency\":\"substitute\",\"unit\":\"row\",\"model_sha256\":\"\","
              "\"plan_sha256\":\"\",\"data_version\":\"1\"}\n"
              "start {\"id\":1}\nsave {\"id\":1,\"attempt\":0,\"steps\":10,\"tag\":\"ab\"}\n"
              "resume {\"id\":1,\"attempt\":1,\"steps\":10,\"tag\":\"ab\"}\n"
              "forgive {\"id\":1,\"who\":\"A\",\"why\":\"B\"}\nvoid {\"id\":1}\n"};
}

Texts ledger_seeds() {
  const std::string stored = content_of(tests_folder() / "ledger/stored/format1.ledger");
  return {stored, stored.substr(0, 4096), stored.substr(0, 100), "SQLite format 3", ""};
}

Texts checkpoint_seeds() {
  const std::string first = "dpvi checkpoint 1 4cdc213ff3fff7636c2dd78c66f8162f 1\n";
  const std::string attempt = "A" + std::string(8, '\0') + std::string(32, 'x');
  const std::string size("\x20\0\0\0\0\0\0\0", 8);
  return {first,
          first + attempt,
          first + attempt + "S" + size + std::string(32, 'y'),
          first + attempt + "S" + std::string(8, '\xff'),
          "dpvi checkpoint 1 " + std::string(300, 'a'),
          "dpvi checkpoint 1 a 99999999999999999999\n"};
}

constexpr std::pair<std::string_view, Texts (*)()> kSeeds[] = {
    {"program", &program_seeds},
    {"schema", &schema_seeds},
    {"config", &config_seeds},
    {"table", &table_seeds},
    {"stan_json", &stan_json_seeds},
    {"points", &points_seeds},
    {"bundle", &bundle_seeds},
    {"ledger", &ledger_seeds},
    {"ledger_lines", &ledger_lines_seeds},
    {"checkpoint", &checkpoint_seeds},
};

}  // namespace

std::vector<std::string> reader_seeds(std::string_view target) {
  for (const auto& [name, seeds] : kSeeds) {
    if (name == target) return seeds();
  }
  return {};
}

std::vector<std::string> large_reader_inputs(std::string_view target) {
  return target == "table" ? large_tables() : Texts();
}

}  // namespace dpvi
