#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <barrier>
#include <csignal>
#include <fstream>
#include <functional>
#include <iterator>
#include <thread>

#include <dpvi/base/error.hpp>
#include <dpvi/report/atomic_folder.hpp>
#include <tests/support/temporary_folder.hpp>

namespace dpvi {
namespace {

namespace fs = std::filesystem;

const std::vector<FolderFile> kFiles = {{"a.txt", "first\n"}, {"b.txt", std::string(100000, 'b')}};

std::string content(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

// Uses a child process because it changes limits and rights. Returns whether the body throws what
// is expected.
template <typename Expected>
bool child_throws(const std::function<void()>& prepare, const std::function<void()>& body) {
  const pid_t child = ::fork();
  if (child == 0) {
    prepare();
    try {
      body();
    } catch (const Expected&) {
      ::_exit(0);
    } catch (...) {
      ::_exit(2);
    }
    ::_exit(1);
  }
  int status = -1;
  ::waitpid(child, &status, 0);
  return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

void limit_file_size() {
  std::signal(SIGXFSZ, SIG_IGN);
  const rlimit limit{50000, 50000};
  ::setrlimit(RLIMIT_FSIZE, &limit);
}

// Root may write anywhere, so a test of permissions must run as another user.
void become_nobody() {
  constexpr uid_t kNobody = 65534;
  if (::geteuid() == 0 && ::seteuid(kNobody) != 0) ::_exit(3);
}

TEST(AtomicFolder, HoldsExactlyTheFilesGiven) {
  const TemporaryFolder place;
  write_folder(place.path() / "bundle", kFiles);
  EXPECT_EQ(place.names(), std::vector<std::string>{"bundle"});
  for (const FolderFile& file : kFiles) {
    EXPECT_EQ(content(place.path() / "bundle" / file.name), file.text);
  }
  EXPECT_EQ(std::distance(fs::directory_iterator(place.path() / "bundle"), {}), 2);
}

TEST(NewFolder, TakesItsFilesPieceByPiece) {
  const TemporaryFolder place;
  NewFolder folder(place.path() / "tables");
  folder.begin("a.csv");
  folder.write("one,");
  folder.write("two\n");
  folder.begin("empty.csv");
  folder.begin("b.csv");
  folder.write("three\n");
  EXPECT_FALSE(fs::exists(place.path() / "tables"));
  folder.finish();
  EXPECT_EQ(place.names(), std::vector<std::string>{"tables"});
  EXPECT_EQ(content(place.path() / "tables" / "a.csv"), "one,two\n");
  EXPECT_EQ(content(place.path() / "tables" / "empty.csv"), "");
  EXPECT_EQ(content(place.path() / "tables" / "b.csv"), "three\n");
}

TEST(NewFolder, WithoutFinishNothingStays) {
  const TemporaryFolder place;
  {
    NewFolder folder(place.path() / "tables");
    folder.begin("a.csv");
    folder.write("one\n");
  }
  EXPECT_EQ(place.names(), std::vector<std::string>{});
}

TEST(AtomicFolder, TrailingSlashAndRelativeNamesAreNames) {
  const TemporaryFolder place;
  write_folder(place.path() / "slash/", kFiles);
  EXPECT_TRUE(fs::exists(place.path() / "slash" / "a.txt"));
  const fs::path before = fs::current_path();
  fs::current_path(place.path());
  write_folder("relative", kFiles);
  fs::current_path(before);
  EXPECT_TRUE(fs::exists(place.path() / "relative" / "a.txt"));
}

TEST(AtomicFolder, ExistingNamesAreRefusedAndUntouched) {
  const TemporaryFolder place;
  fs::create_directory(place.path() / "empty");
  fs::create_directory(place.path() / "full");
  std::ofstream(place.path() / "full" / "precious") << "kept";
  std::ofstream(place.path() / "file") << "kept";
  fs::create_symlink("nowhere", place.path() / "link");
  for (const char* name : {"empty", "full", "file", "link", "full/", "."}) {
    EXPECT_THROW(check_can_create(place.path() / name), CannotCreateError) << name;
    EXPECT_THROW(write_folder(place.path() / name, kFiles), CannotCreateError) << name;
  }
  EXPECT_EQ(place.names().size(), 4U);
  EXPECT_EQ(content(place.path() / "full" / "precious"), "kept");
  EXPECT_EQ(content(place.path() / "file"), "kept");
}

TEST(AtomicFolder, MissingParentIsRefused) {
  const TemporaryFolder place;
  std::ofstream(place.path() / "file") << "";
  for (const fs::path& name : {place.path() / "no" / "bundle", place.path() / "file" / "bundle",
                               place.path() / std::string(300, 'x'), fs::path()}) {
    EXPECT_THROW(check_can_create(name), CannotCreateError) << name;
    EXPECT_THROW(write_folder(name, kFiles), CannotCreateError) << name;
  }
  EXPECT_EQ(place.names().size(), 1U);
}

TEST(AtomicFolder, UnwritableParentIsRefused) {
  const TemporaryFolder place;
  fs::permissions(place.path(), fs::perms::owner_read | fs::perms::owner_exec |
                                    fs::perms::others_read | fs::perms::others_exec);
  const fs::path target = place.path() / "bundle";
  EXPECT_TRUE(child_throws<CannotCreateError>(become_nobody, [&] { check_can_create(target); }));
  EXPECT_TRUE(
      child_throws<CannotCreateError>(become_nobody, [&] { write_folder(target, kFiles); }));
  EXPECT_TRUE(place.names().empty());
}

TEST(AtomicFolder, CheckLeavesNothingBehind) {
  const TemporaryFolder place;
  check_can_create(place.path() / "bundle");
  EXPECT_TRUE(place.names().empty());
}

// Guarantee: whatever fails, nothing half-written stays.
TEST(AtomicFolder, WhateverFailsNothingHalfWrittenStays) {
  const TemporaryFolder place;
  EXPECT_TRUE(child_throws<WriteError>(limit_file_size,
                                       [&] { write_folder(place.path() / "bundle", kFiles); }));
  EXPECT_TRUE(place.names().empty());
  // The second file cannot be created inside the new folder.
  EXPECT_THROW(write_folder(place.path() / "bundle", {{"a.txt", "first"}, {"no/b.txt", ""}}),
               WriteError);
  EXPECT_TRUE(place.names().empty());
}

// Guarantee: of several writers of one target exactly one succeeds, and its folder is whole.
TEST(AtomicFolder, OfSeveralWritersOfOneTargetExactlyOneSucceedsAndItsFolderIsWhole) {
  constexpr int kWriters = 4;
  for (int round = 0; round < 10; ++round) {
    const TemporaryFolder place;
    std::barrier start(kWriters);
    std::atomic<int> succeeded = 0;
    std::atomic<int> refused = 0;
    std::vector<std::thread> writers;
    for (int i = 0; i < kWriters; ++i) {
      writers.emplace_back([&, i] {
        const std::string mark = std::to_string(i);
        start.arrive_and_wait();
        try {
          write_folder(place.path() / "bundle", {{"a.txt", mark}, {"b.txt", mark}});
          ++succeeded;
        } catch (const CannotCreateError&) {
          ++refused;
        }
      });
    }
    for (std::thread& writer : writers) writer.join();
    EXPECT_EQ(succeeded, 1);
    EXPECT_EQ(refused, kWriters - 1);
    EXPECT_EQ(place.names(), std::vector<std::string>{"bundle"});
    EXPECT_EQ(content(place.path() / "bundle" / "a.txt"),
              content(place.path() / "bundle" / "b.txt"));
  }
}

// Guarantee: an existing file is never replaced.
TEST(NewFile, AnExistingFileIsNeverReplaced) {
  const TemporaryFolder folder;
  const std::string path = folder.path_of("f.csv");
  write_new_file(path, "first");
  EXPECT_THROW(write_new_file(path, "second"), CannotCreateError);
  EXPECT_EQ(content(path), "first");
  EXPECT_EQ(folder.names(), std::vector<std::string>{"f.csv"});
  EXPECT_THROW(write_new_file(folder.path_of("none/f.csv"), ""), CannotCreateError);
}

}  // namespace
}  // namespace dpvi
