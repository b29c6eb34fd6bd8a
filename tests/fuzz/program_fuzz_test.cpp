#include <chrono>
#include <cstdlib>
#include <iostream>

#include <tests/fuzz/fuzz_run.hpp>
#include <tests/fuzz/program_mutator.hpp>
#include <tests/stan/shared_programs.hpp>

// Runs mutated programs. DPVI_FUZZ_SECONDS=600 runs new ones for that long, preferably under the
// asan preset, and then heavily damaged texts for the same time. A text that causes a failure is
// added to corpus/ and replayed in every later run.
namespace dpvi {
namespace {

std::vector<std::string> texts_in(const std::filesystem::path& folder) {
  std::vector<std::filesystem::path> paths;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    if (entry.path().extension() == ".stan") paths.push_back(entry.path());
  }
  std::sort(paths.begin(), paths.end());
  std::vector<std::string> texts;
  for (const auto& path : paths) texts.push_back(read_text(path));
  return texts;
}

std::vector<std::string> seeds() {
  std::vector<std::string> texts = texts_in(tests_folder() / "stan/golden");
  for (std::string& text : texts) {
    // All golden programs name their record count N here, so that lines can be exchanged between
    // them.
    const std::size_t named = text.find("// records: ");
    const std::string count = text.substr(named + 12, text.find(" =", named) - named - 12);
    if (count == "N") continue;
    for (std::size_t at = 0; (at = text.find(count, at)) != std::string::npos; ++at) {
      const auto word = [&](std::size_t i) {
        return i < text.size() &&
               (std::isalnum(static_cast<unsigned char>(text[i])) != 0 || text[i] == '_');
      };
      if (!word(at - 1) && !word(at + count.size())) text.replace(at, count.size(), "N");
    }
  }
  for (std::string& text : texts_in(tests_folder() / "fuzz/corpus/program")) texts.push_back(text);
  return texts;
}

// Runs the lexer, parser and checker and renders their findings.
void read_only(const std::string& text) {
  const ReadModel read(text);
  for (const Finding& finding : read.checked.findings.list()) render(finding, read.checked.source);
}

TEST(ProgramFuzz, TheKeptCorpusDoesNoHarm) {
  const std::vector<std::string> texts = texts_in(tests_folder() / "fuzz/corpus/program");
  EXPECT_FALSE(texts.empty());
  for (const std::string& text : texts) EXPECT_NO_THROW(FuzzRun{text}) << text;
}

TEST(ProgramFuzz, MutatedProgramsDoNoHarm) {
  ProgramMutator mutator(seeds(), 20261116);
  int built = 0;
  constexpr int kPrograms = 1'500;
  for (int i = 0; i < kPrograms; ++i) {
    const std::string text = mutator.next();
    EXPECT_NO_THROW(built += FuzzRun(text).built ? 1 : 0) << text;
  }
  // A smaller share would mean that the mutations no longer reach the executor.
  EXPECT_GT(built, kPrograms / 20);
}

TEST(ProgramFuzz, DamagedTextsDoNoHarm) {
  ProgramMutator mutator(seeds(), 20261117);
  for (int i = 0; i < 1'500; ++i) {
    const std::string text = mutator.damaged();
    EXPECT_NO_THROW(read_only(text)) << text;
  }
}

// Generates texts for DPVI_FUZZ_SECONDS, from a seed that is printed or given.
void long_run(std::string (ProgramMutator::*next)(), void (*use)(const std::string&)) {
  const char* wanted = std::getenv("DPVI_FUZZ_SECONDS");
  if (wanted == nullptr) GTEST_SKIP() << "set DPVI_FUZZ_SECONDS to run";
  const char* given = std::getenv("DPVI_FUZZ_SEED");
  const auto now = std::chrono::system_clock::now().time_since_epoch().count();
  const std::uint64_t seed =
      given != nullptr ? std::strtoull(given, nullptr, 10) : static_cast<std::uint64_t>(now);
  std::cout << "seed " << seed << std::endl;
  ProgramMutator mutator(seeds(), seed);
  const auto start = std::chrono::steady_clock::now();
  const auto seconds = [&] {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  };
  long count = 0;
  double slowest = 0;
  while (seconds() < std::atof(wanted)) {
    const std::string text = (mutator.*next)();
    const double before = seconds();
    ASSERT_NO_THROW(use(text)) << text;
    const double own = seconds() - before;
    if (own > slowest) std::cout << "slowest " << (slowest = own) << " s\n" << text << std::endl;
    ++count;
  }
  std::cout << count << " texts in " << seconds() << " s" << std::endl;
}

TEST(ProgramFuzz, LongRunDoesNoHarm) {
  long_run(&ProgramMutator::next, [](const std::string& text) { FuzzRun{text}; });
}

TEST(ProgramFuzz, LongRunOfDamagedTextsDoesNoHarm) {
  long_run(&ProgramMutator::damaged, &read_only);
}

}  // namespace
}  // namespace dpvi
