// The program that libFuzzer drives. DPVI_FUZZ_READER names the reader to attack; with
// DPVI_FUZZ_SEEDS the seeds of that reader are written to this folder first.
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

#include <tests/fuzz/readers/reader_target.hpp>

namespace {

const dpvi::ReaderTarget* chosen = nullptr;

void write_seeds(const std::filesystem::path& folder) {
  std::filesystem::create_directories(folder);
  int number = 0;
  for (const std::string& seed : dpvi::reader_seeds(chosen->name)) {
    std::ofstream(folder / ("seed" + std::to_string(number++)), std::ios::binary) << seed;
  }
}

}  // namespace

extern "C" int LLVMFuzzerInitialize(int*, char***) {
  const char* name = std::getenv("DPVI_FUZZ_READER");
  chosen = name == nullptr ? nullptr : dpvi::find_reader_target(name);
  if (chosen == nullptr) {
    std::fputs("DPVI_FUZZ_READER must be one of:", stderr);
    for (const auto& target : dpvi::reader_targets())
      std::fprintf(stderr, " %s", target.name.data());
    std::fputs("\n", stderr);
    std::exit(64);
  }
  if (const char* folder = std::getenv("DPVI_FUZZ_SEEDS")) {
    write_seeds(folder);
    std::exit(0);
  }
  return 0;
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  chosen->read({reinterpret_cast<const char*>(data), size});
  return 0;
}
