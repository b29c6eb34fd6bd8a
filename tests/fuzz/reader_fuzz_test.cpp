#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include <tests/fuzz/readers/reader_target.hpp>
#include <tests/support/source_folder.hpp>

// Replays what tools/fuzz_readers has found: corpus/READER holds inputs that reach different code,
// among them all that once caused a failure.
namespace dpvi {
namespace {

namespace fs = std::filesystem;

std::vector<std::string> corpus_of(std::string_view target) {
  std::vector<fs::path> paths;
  for (const auto& entry : fs::directory_iterator(tests_folder() / "fuzz/corpus" / target)) {
    paths.push_back(entry.path());
  }
  std::sort(paths.begin(), paths.end());
  std::vector<std::string> contents;
  for (const fs::path& path : paths) {
    std::ifstream file(path, std::ios::binary);
    contents.emplace_back(std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>());
  }
  return contents;
}

class ReaderFuzz : public testing::TestWithParam<ReaderTarget> {};

TEST_P(ReaderFuzz, TheKeptCorpusDoesNoHarm) {
  const std::vector<std::string> corpus = corpus_of(GetParam().name);
  EXPECT_FALSE(corpus.empty());
  for (const std::string& content : corpus) EXPECT_NO_THROW(GetParam().read(content)) << content;
}

TEST_P(ReaderFuzz, DeepHugeAndCompressedInputsDoNoHarm) {
  const std::vector<std::string> seeds = reader_seeds(GetParam().name);
  ASSERT_FALSE(seeds.empty());
  int accepted = 0;
  for (const std::string& seed : seeds) {
    EXPECT_NO_THROW(accepted += GetParam().read(seed) ? 1 : 0) << seed.substr(0, 200);
    EXPECT_NO_THROW(GetParam().read(seed.substr(0, seed.size() / 2))) << seed.substr(0, 200);
  }
  for (const std::string& input : large_reader_inputs(GetParam().name)) {
    EXPECT_NO_THROW(GetParam().read(input)) << input.substr(0, 200);
  }
  EXPECT_GT(accepted, 0) << "a reader that refuses everything is not attacked";
}

INSTANTIATE_TEST_SUITE_P(Readers, ReaderFuzz,
                         testing::ValuesIn(reader_targets().begin(), reader_targets().end()),
                         [](const auto& target) { return std::string(target.param.name); });

}  // namespace
}  // namespace dpvi
