#pragma once

#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdint>
#include <functional>
#include <vector>

namespace dpvi {

enum class ForkBy { library_call, system_call };

struct ChildResult {
  int exit_code;                     // -1 if it did not exit by itself
  std::vector<std::uint64_t> words;  // the words that it reported
};

// Runs `body` in a forked child and returns what the child reported before it ended. A child whose
// body returns exits with 0. Forking by system call runs no fork handler.
inline ChildResult in_child(ForkBy by,
                            const std::function<void(std::function<void(std::uint64_t)>)>& body) {
  int pipe_ends[2];
  if (::pipe(pipe_ends) != 0) return {-1, {}};
  const auto child =
      by == ForkBy::library_call
          ? ::fork()
          : static_cast<pid_t>(::syscall(SYS_clone, SIGCHLD, nullptr, nullptr, nullptr, nullptr));
  if (child == 0) {
    ::close(pipe_ends[0]);
    body([&](std::uint64_t word) {
      if (::write(pipe_ends[1], &word, sizeof(word)) != sizeof(word)) ::_exit(1);
    });
    ::_exit(0);
  }
  ::close(pipe_ends[1]);
  ChildResult result{-1, {}};
  for (std::uint64_t word = 0; ::read(pipe_ends[0], &word, sizeof(word)) == sizeof(word);) {
    result.words.push_back(word);
  }
  ::close(pipe_ends[0]);
  int status = 0;
  if (::waitpid(child, &status, 0) == child && WIFEXITED(status)) {
    result.exit_code = WEXITSTATUS(status);
  }
  return result;
}

}  // namespace dpvi
