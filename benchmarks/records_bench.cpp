// Times reading a CSV table into records, compared with a bare pass over the same bytes that
// converts every number. Also times loading random records into lanes, compared with copying as
// many bytes. All results are checked before timing.
//
//     records [ROWS]     20 000 rows fit the cache; a million do not
#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <random>
#include <string>
#include <vector>

#include <fmt/format.h>

#include <dpvi/data/csv_reader.hpp>
#include <dpvi/data/record_reader.hpp>
#include <dpvi/data/text_columns.hpp>

namespace dpvi {
namespace {

constexpr std::size_t kColumns = 10;
constexpr std::size_t kLanes = RecordTable::kLanes;

double processor_seconds() {
  timespec now{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

// CPU time of the fastest of several rounds; slower rounds were disturbed.
template <class Work>
double seconds(int rounds, Work work) {
  double best = INFINITY;
  for (int round = 0; round < rounds; ++round) {
    const double start = processor_seconds();
    work();
    best = std::min(best, processor_seconds() - start);
  }
  return best;
}

void require(bool right, const char* what) {
  if (right) return;
  fmt::print(stderr, "wrong answer: {}\n", what);
  std::exit(1);
}

std::string csv_text(const std::vector<double>& values) {
  std::string text;
  for (std::size_t c = 0; c < kColumns; ++c) text += fmt::format("{}x.{}", c ? "," : "", c + 1);
  for (std::size_t i = 0; i < values.size(); ++i) {
    text += fmt::format("{}{:.6g}", i % kColumns == 0 ? '\n' : ',', values[i]);
  }
  return text + '\n';
}

RecordTable read_table(const std::string& path) {
  CsvReader csv(path);
  BindingRequest request;
  DataVariable x;
  x.name = "x";
  x.per_record = true;
  x.dimensions = {DeclaredNumber::number(kColumns)};
  x.type_description = "matrix[N, 10]";
  request.variables = {x};
  request.header = csv.header();
  const Binding binding = bind_columns(request);
  TextColumns source(csv, column_request(binding));
  return read_records(source, binding);
}

// The minimum work of any reader.
double bare_walk(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::string text(std::filesystem::file_size(path), '\0');
  file.read(text.data(), static_cast<std::streamsize>(text.size()));
  const char* at = static_cast<const char*>(std::memchr(text.data(), '\n', text.size())) + 1;
  const char* const end = text.data() + text.size();
  double sum = 0;
  while (at < end) {
    double value = 0;
    at = std::from_chars(at, end, value).ptr + 1;
    sum += value;
  }
  return sum;
}

void measure_csv(const std::string& path, const RecordTable& table, std::size_t rows) {
  const double megabytes = static_cast<double>(std::filesystem::file_size(path)) / 1e6;
  volatile double sink = 0;
  const int rounds = rows > 100'000 ? 10 : 40;
  const double ours =
      seconds(rounds, [&] { sink = static_cast<double>(read_table(path).record_count()); });
  const double bare = seconds(rounds, [&] { sink = bare_walk(path); });
  require(table.record_count() == rows, "record count");
  fmt::print("csv     {:8.1f} MB/s   bare walk {:8.1f} MB/s   ratio {:.2f}\n", megabytes / ours,
             megabytes / bare, ours / bare);
}

void measure_lanes(const RecordTable& table, const std::vector<double>& values) {
  std::mt19937_64 random(1);
  const std::size_t rows = values.size() / kColumns;
  std::vector<std::uint64_t> wanted(rows / 10 / kLanes * kLanes);
  for (std::uint64_t& index : wanted) index = random() % rows;
  std::sort(wanted.begin(), wanted.end());
  std::vector<double> reals(kColumns * kLanes);
  const auto block = [&](std::size_t first) { return std::span(wanted).subspan(first, kLanes); };
  require(table.load_lanes(block(0), reals, {}) == 0xffff, "usable lanes");
  for (std::size_t i = 0; i < reals.size(); ++i) {
    const double right = values[wanted[i % kLanes] * kColumns + i / kLanes];
    require(std::fabs(reals[i] - right) <= 1e-5 * std::fabs(right), "lane values");
  }
  const double ours = seconds(50, [&] {
    for (std::size_t first = 0; first < wanted.size(); first += kLanes) {
      if (first + kLanes < wanted.size()) table.prefetch(block(first + kLanes));
      table.load_lanes(block(first), reals, {});
      asm volatile("" : : "r"(reals.data()) : "memory");
    }
  });
  const double copy = seconds(50, [&] {
    for (const std::uint64_t index : wanted) {
      std::memcpy(reals.data(), values.data() + index * kColumns, kColumns * sizeof(double));
      asm volatile("" : : "r"(reals.data()) : "memory");
    }
  });
  const double count = static_cast<double>(wanted.size());
  fmt::print("lanes   {:8.2f} ns/record   copy {:8.2f} ns/record   ratio {:.2f}\n",
             1e9 * ours / count, 1e9 * copy / count, ours / copy);
}

void run(std::size_t rows) {
  std::mt19937_64 random(7);
  std::normal_distribution<double> normal;
  std::vector<double> values(rows * kColumns);
  for (double& value : values) value = normal(random);
  const std::string path = std::filesystem::temp_directory_path() / "dpvi_records_bench.csv";
  std::ofstream(path, std::ios::binary) << csv_text(values);
  const RecordTable table = read_table(path);
  measure_csv(path, table, rows);
  measure_lanes(table, values);
  std::filesystem::remove(path);
}

}  // namespace
}  // namespace dpvi

int main(int count, char** arguments) {
  dpvi::run(count > 1 ? std::strtoul(arguments[1], nullptr, 10) : 20'000);
}
