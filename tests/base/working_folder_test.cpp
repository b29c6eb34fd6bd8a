#include <dpvi/base/working_folder.hpp>

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <fstream>

#include <tests/support/temporary_folder.hpp>

namespace dpvi {
namespace {

// Makes a temporary folder in a child process and kills the child.
std::filesystem::path killed_folder(const std::filesystem::path& target) {
  const ::pid_t child = ::fork();
  if (child == 0) {
    const WorkingFolder folder(target);
    std::ofstream(folder.path() / "half") << "written";
    ::raise(SIGKILL);
  }
  ::waitpid(child, nullptr, 0);
  const auto left = leftover_folders(parent_folder(target));
  return left.empty() ? std::filesystem::path() : left.front();
}

TEST(WorkingFolder, FolderOfAKilledProcessIsRemovedByTheNext) {
  const TemporaryFolder place;
  const std::filesystem::path left = killed_folder(place.path() / "bundle");
  ASSERT_TRUE(std::filesystem::exists(left / "half"));
  {
    const WorkingFolder next(place.path() / "other");
    EXPECT_FALSE(std::filesystem::exists(left));
    EXPECT_TRUE(std::filesystem::exists(next.path()));
  }
  EXPECT_TRUE(std::filesystem::is_empty(place.path()));
}

// Guarantee: a folder of a living process is never removed, nor one of another user.
TEST(WorkingFolder, FolderOfALivingProcessStays) {
  const TemporaryFolder place;
  const WorkingFolder living(place.path() / "bundle");
  const WorkingFolder next(place.path() / "other");
  EXPECT_TRUE(std::filesystem::exists(living.path()));
  EXPECT_TRUE(leftover_folders(place.path()).empty());
  if (::geteuid() == 0) {
    const std::filesystem::path foreign = place.path() / ".dpvi-0123456789abcdef";
    std::filesystem::create_directory(foreign);
    ASSERT_EQ(::chown(foreign.c_str(), 65534, 65534), 0);
    EXPECT_TRUE(leftover_folders(place.path()).empty());
    const WorkingFolder third(place.path() / "third");
    EXPECT_TRUE(std::filesystem::exists(foreign));
  }
}

TEST(WorkingFolder, OtherNamesAreNotTakenForLeftovers) {
  const TemporaryFolder place;
  for (const char* name : {".dpvi-", ".dpvi-0123456789abcde", ".dpvi-0123456789abcdeg", "results",
                           ".dpvi-0123456789abcdef0"}) {
    std::filesystem::create_directory(place.path() / name);
  }
  std::ofstream(place.path() / ".dpvi-0123456789abcdef") << "a file";
  EXPECT_TRUE(leftover_folders(place.path()).empty());
}

TEST(WorkingFolder, ManyAtOnceDisturbNoneOfThem) {
  const TemporaryFolder place;
  constexpr int kProcesses = 8, kRounds = 40;
  for (int i = 0; i < kProcesses; ++i) {
    if (::fork() != 0) continue;
    bool whole = true;
    for (int round = 0; round < kRounds && whole; ++round) {
      const WorkingFolder folder(place.path() / "bundle");
      whole = folder.is_open();
      std::ofstream(folder.path() / "file") << "text";
      whole = whole && std::filesystem::exists(folder.path() / "file");
    }
    ::_exit(whole ? 0 : 1);
  }
  for (int i = 0; i < kProcesses; ++i) {
    int status = 0;
    ::wait(&status);
    EXPECT_EQ(status, 0);
  }
  EXPECT_TRUE(std::filesystem::is_empty(place.path()));
}

}  // namespace
}  // namespace dpvi
