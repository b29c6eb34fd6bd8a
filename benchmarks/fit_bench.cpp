// Times a whole private fit, from process start with a CSV file to the bundle on disk. The
// reference is a plain single-threaded loop over records in memory, without lanes, integers or
// accounting and with an ordinary generator. The direction of the posterior mean is checked before
// timing.
#include <fmt/format.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <random>
#include <string>
#include <vector>

#include <dpvi/report/bundle_reader.hpp>

#include "best_time.hpp"

extern char** environ;

namespace dpvi {
namespace {

namespace fs = std::filesystem;

// Sizes of the two classification tasks in the 2017 paper.
struct Task {
  const char* name;
  std::size_t rows;
  std::size_t columns;
  int steps;
  double sampling_rate;
};

constexpr Task kTasks[] = {{"N=3341 D=8 T=1000 q=.05", 3341, 8, 1000, 0.05},
                           {"N=39073 D=14 T=2000 q=.005", 39073, 14, 2000, 0.005}};

struct Records {
  std::vector<double> weights;  // used to generate the labels
  std::vector<double> x;        // row by row
  std::vector<int> y;
};

Records make_records(const Task& task) {
  std::mt19937_64 engine(1);
  std::normal_distribution<double> normal;
  std::uniform_real_distribution<double> uniform;
  Records records;
  for (std::size_t j = 0; j < task.columns; ++j) {
    records.weights.push_back(j % 2 == 0 ? 0.8 : -0.4);
  }
  for (std::size_t i = 0; i < task.rows; ++i) {
    double linear = 0.0;
    for (const double weight : records.weights) {
      records.x.push_back(std::round(normal(engine) * 1e5) / 1e5);
      linear += weight * records.x.back();
    }
    records.y.push_back(uniform(engine) < 1.0 / (1.0 + std::exp(-linear)) ? 1 : 0);
  }
  return records;
}

void write_inputs(const fs::path& folder, const Task& task, const Records& records) {
  std::ofstream model(folder / "model.stan");
  model << "data { int N; int K; matrix[N, K] x; array[N] int<lower=0, upper=1> y; }\n"
           "parameters { vector[K] w; }\n"
           "model { w ~ normal(0, 1); y ~ bernoulli_logit(x * w); }\n";
  std::ofstream csv(folder / "records.csv");
  for (std::size_t j = 0; j < task.columns; ++j) csv << "x." << j + 1 << ',';
  csv << "y\n";
  for (std::size_t i = 0; i < task.rows; ++i) {
    for (std::size_t j = 0; j < task.columns; ++j) {
      csv << fmt::format("{:.6g},", records.x[i * task.columns + j]);
    }
    csv << records.y[i] << '\n';
  }
}

// Runs the program that was built with this benchmark.
void fit(const fs::path& folder, const Task& task) {
  fs::remove_all(folder / "bundle");
  const fs::path program = fs::read_symlink("/proc/self/exe").parent_path().parent_path() / "dpvi";
  const std::vector<std::string> words = {program,
                                          "fit",
                                          folder / "model.stan",
                                          folder / "records.csv",
                                          "--epsilon",
                                          "1",
                                          "--steps",
                                          std::to_string(task.steps),
                                          "--sampling-rate",
                                          fmt::format("{}", task.sampling_rate),
                                          "--rows",
                                          std::to_string(task.rows),
                                          "--threads",
                                          "1",
                                          "--quiet",
                                          "--json",
                                          "--out",
                                          folder / "bundle"};
  std::vector<char*> arguments;
  for (const std::string& word : words) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", 1, 0);
  ::pid_t child = 0;
  int status = -1;
  const int failure =
      posix_spawn(&child, program.c_str(), &actions, nullptr, arguments.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  if (failure != 0 || ::waitpid(child, &status, 0) != child || status != 0) {
    fmt::print(stderr, "{} did not fit\n", program.string());
    std::exit(1);
  }
}

double cosine(std::span<const double> a, std::span<const double> b) {
  double ab = 0.0, aa = 0.0, bb = 0.0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    ab += a[i] * b[i];
    aa += a[i] * a[i];
    bb += b[i] * b[i];
  }
  return ab / std::sqrt(aa * bb);
}

void require_direction(std::span<const double> found, const Records& records) {
  if (cosine(found, records.weights) > 0.9) return;
  fmt::print(stderr, "wrong answer: the weights are not those the labels were made with\n");
  std::exit(1);
}

// Noisy clipped gradient steps on w, with Adam.
std::vector<double> plain_loop(const Task& task, const Records& records) {
  constexpr double kClip = 2.0, kNoise = 10.0;
  std::mt19937_64 engine(2);
  std::normal_distribution<double> normal;
  std::uniform_real_distribution<double> uniform;
  const std::size_t size = task.columns;
  std::vector<double> w(size, 0.0), mean(size, 0.0), square(size, 0.0);
  const double rate = 1.0 / std::sqrt(static_cast<double>(task.steps));
  for (int t = 1; t <= task.steps; ++t) {
    std::vector<double> sum(size, 0.0);
    for (std::size_t i = 0; i < task.rows; ++i) {
      if (uniform(engine) >= task.sampling_rate) continue;
      const double* x = &records.x[i * size];
      double linear = 0.0, norm = 0.0;
      for (std::size_t j = 0; j < size; ++j) linear += w[j] * x[j];
      for (std::size_t j = 0; j < size; ++j) norm += x[j] * x[j];
      const double slope = records.y[i] - 1.0 / (1.0 + std::exp(-linear));
      const double factor = std::min(1.0, kClip / (std::fabs(slope) * std::sqrt(norm))) * slope;
      for (std::size_t j = 0; j < size; ++j) sum[j] += factor * x[j];
    }
    for (std::size_t j = 0; j < size; ++j) {
      const double gradient =
          (sum[j] + kNoise * kClip * normal(engine)) / task.sampling_rate - w[j];
      mean[j] += 0.1 * (gradient - mean[j]);
      square[j] += 0.01 * (gradient * gradient - square[j]);
      const double root = std::sqrt(square[j] / (1.0 - std::pow(0.99, t)));
      w[j] += rate * mean[j] / (1.0 - std::pow(0.9, t)) / (root + 1e-8);
    }
  }
  return w;
}

void measure(const Task& task) {
  const Records records = make_records(task);
  const fs::path folder = fs::temp_directory_path() / fmt::format("dpvi-fit-bench-{}", ::getpid());
  fs::create_directory(folder);
  write_inputs(folder, task, records);

  fit(folder, task);
  const Bundle bundle = read_bundle(folder / "bundle");
  require_direction(bundle.posterior.total.family->location(bundle.posterior.total.parameters),
                    records);
  require_direction(plain_loop(task, records), records);

  const double whole = best_time([&] { fit(folder, task); });
  const double plain = best_time([&] {
    const std::vector<double> w = plain_loop(task, records);
    keep(w.data());
  });
  fmt::print("{:<28} {:6.0f} ms from CSV to bundle, {:.2f} x a plain loop ({:.0f} ms)\n", task.name,
             whole * 1e-6, whole / plain, plain * 1e-6);
  fs::remove_all(folder);
}

}  // namespace
}  // namespace dpvi

int main() {
  for (const dpvi::Task& task : dpvi::kTasks) dpvi::measure(task);
  return 0;
}
