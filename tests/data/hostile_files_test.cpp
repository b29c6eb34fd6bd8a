#include <gtest/gtest.h>

#include <random>
#include <string>
#include <vector>

#include <dpvi/data/csv_reader.hpp>
#include <dpvi/data/json_records.hpp>
#include <dpvi/data/record_reader.hpp>
#include <dpvi/data/text_columns.hpp>
#include <tests/support/data_variables.hpp>
#include <tests/support/temporary_folder.hpp>

namespace dpvi {
namespace {

// Damages a valid file: changes, deletes or repeats bytes, or replaces them all with random ones.
std::string damaged(const std::string& good, const std::string& alphabet, std::mt19937_64& random) {
  std::string text = good;
  if (random() % 8 == 0) {
    text.assign(random() % 200, '\0');
    for (char& byte : text) byte = static_cast<char>(random());
    return text;
  }
  for (std::size_t changes = 1 + random() % 6; changes > 0 && !text.empty(); --changes) {
    const std::size_t at = random() % text.size();
    const std::size_t length = 1 + random() % 5;
    switch (random() % 4) {
      case 0:
        text[at] = static_cast<char>(random());
        break;
      case 1:
        text.erase(at, length);
        break;
      case 2:
        text.insert(at, text.substr(at, length));
        break;
      default:
        text.insert(at, 1, alphabet[random() % alphabet.size()]);
    }
  }
  return text;
}

// The action must succeed or report invalid or missing input; anything else fails the test.
template <class Action>
void survives(const std::string& text, Action&& action) {
  try {
    action();
  } catch (const InputError&) {
  } catch (const LeakError&) {
  } catch (const MissingInputError&) {
  } catch (const std::exception& error) {
    ADD_FAILURE() << error.what() << "\nfor:\n" << text;
  }
}

constexpr int kTrials = 4000;

TEST(HostileFiles, DamagedCsvIsReadOrRefused) {
  const TemporaryFolder folder;
  std::mt19937_64 random(1);
  BindingRequest request;
  request.variables = {record_matrix("x", "K"), record_int("y"), public_size("K")};
  const std::string good = "x.1,x.2,\"y\"\r\n1.5,\"2\",3\n\"a\"\"b\",NA,-4\n1e400,0,1\n";
  for (int trial = 0; trial < kTrials; ++trial) {
    const std::string text = damaged(good, ",\"\n\r.;", random);
    const std::string path = folder.write("d.csv", text);
    survives(text, [&] {
      CsvReader csv(path);
      request.header = csv.header();
      request.table_file = path;
      const Binding binding = bind_columns(request);
      TextColumns source(csv, column_request(binding));
      read_records(source, binding);
    });
  }
}

TEST(HostileFiles, DamagedJsonIsReadOrRefused) {
  std::mt19937_64 random(2);
  BindingRequest request;
  request.variables = {public_size("N"), record_matrix("x", "K"), record_int("y"), public_size("K"),
                       public_real("t")};
  const std::string good =
      R"({"N": 2, "K": 2, "x": [[1.5, NaN], [3e2, "Inf"]], "y": [1, null], "t": -Infinity})";
  for (int trial = 0; trial < kTrials; ++trial) {
    const std::string text = damaged(good, "[]{},:\"\\-1eN", random);
    survives(text, [&] {
      const JsonData outline = parse_stan_json(text, "d.json", public_in_json(request, {"t"}));
      const JsonBinding bound = bind_json(outline, request, {"t"});
      JsonColumns source(parse_stan_json(text, "d.json"), bound.request, bound.binding);
      read_records(source, bound.binding);
    });
  }
}

TEST(HostileFiles, DamagedSchemaIsReadOrRefused) {
  std::mt19937_64 random(3);
  const std::string good =
      "[table]\nrows = 20\nmissing = [\"\", \"NA\"]\n[columns.age]\ntype = \"real\"\nlower = 0\n"
      "mean = 60\nsd = 15\nstandardise = true\nif_missing = \"drop\"\n[columns.ward]\n"
      "levels = [\"a\", \"b\"]\ncoding = \"index\"\n[model]\nrecords = \"N\"\nx = [\"age\"]\n"
      "[public]\nK = 3\nv = [[1, 2], [3, 4]]\n";
  for (int trial = 0; trial < kTrials; ++trial) {
    const std::string text = damaged(good, "[]{}=\"'\n.,0#", random);
    survives(text, [&] { parse_schema(text, "s.toml"); });
  }
}

}  // namespace
}  // namespace dpvi
