#include <dpvi/random/process_mark.hpp>

#include <pthread.h>
#include <sys/mman.h>

#include <new>

#include <dpvi/random/fail_closed.hpp>

namespace dpvi {
namespace {

using MarkWord = std::atomic<std::uint64_t>;

MarkWord* shared_mark_word = nullptr;

void clear_mark_in_child() { shared_mark_word->store(0, std::memory_order_relaxed); }

MarkWord* map_mark_word() {
  constexpr std::size_t kBytes = 4096;
  void* page = ::mmap(nullptr, kBytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (page == MAP_FAILED) fail_closed("cannot map the page that notices a fork");
  // An old kernel may refuse this; the fork handler then works alone.
  ::madvise(page, kBytes, MADV_WIPEONFORK);
  shared_mark_word = new (page) MarkWord(0);
  if (::pthread_atfork(nullptr, nullptr, clear_mark_in_child) != 0) {
    fail_closed("cannot register the handler that notices a fork");
  }
  return shared_mark_word;
}

MarkWord& mark_word() {
  static MarkWord* const kWord = map_mark_word();
  return *kWord;
}

// Ordinary memory: a child continues its parent's count, so its own marks differ from all that it
// inherited.
MarkWord last_mark_given{0};

}  // namespace

ProcessMark::ProcessMark() : word_(&mark_word()), value_(0) {
  MarkWord& word = mark_word();
  while ((value_ = word.load()) == 0) {
    std::uint64_t unmarked = 0;
    word.compare_exchange_strong(unmarked, last_mark_given.fetch_add(1) + 1);
  }
}

}  // namespace dpvi
