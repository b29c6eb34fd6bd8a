#include <dpvi/base/thread_ranks.hpp>

#include <algorithm>
#include <condition_variable>
#include <mutex>

#include <dpvi/base/rank_error.hpp>

namespace dpvi {

// The place where threads exchange numbers. The last one to arrive does the work, while the others
// wait and keep their vectors in place.
struct ThreadRanks::Meeting {
  enum class Purpose { sum, broadcast };

  std::mutex mutex;
  std::condition_variable changed;
  std::vector<std::span<std::byte>> given;  // by rank
  Purpose purpose = Purpose::sum;
  std::size_t arrived = 0, number = 0;
  bool broken = false;

  void meet(std::size_t rank, Purpose wanted, std::span<std::byte> bytes) {
    std::unique_lock lock(mutex);
    const bool fits = arrived == 0 || (wanted == purpose && bytes.size() == size_given());
    broken = broken || !fits;
    if (!broken) {
      purpose = wanted;
      given[rank] = bytes;
      const std::size_t own = number;
      if (++arrived == given.size()) {
        exchange();
        arrived = 0;
        ++number;
        changed.notify_all();
        return;
      }
      changed.wait(lock, [&] { return broken || number != own; });
      if (number != own) return;
    }
    changed.notify_all();
    throw rank_failure("another rank of the job failed.", "See its message.");
  }

  void leave() {
    const std::lock_guard lock(mutex);
    broken = true;
    changed.notify_all();
  }

 private:
  std::size_t size_given() const {
    return std::ranges::max(given, {}, [](const auto& bytes) { return bytes.size(); }).size();
  }

  void exchange() {
    for (std::span<std::byte>& other : std::span(given).subspan(1)) {
      if (purpose == Purpose::broadcast) {
        std::ranges::copy(given[0], other.begin());
      } else {
        add(other, given[0]);
      }
    }
    std::ranges::fill(given, std::span<std::byte>());
  }

  static void add(std::span<const std::byte> from, std::span<std::byte> into) {
    const auto* terms = reinterpret_cast<const std::int64_t*>(from.data());
    auto* sums = reinterpret_cast<std::int64_t*>(into.data());
    for (std::size_t i = 0; i < into.size() / sizeof *sums; ++i) sums[i] += terms[i];
  }
};

class ThreadRanks::Link final : public RankLink {
 public:
  Link(Meeting& meeting, int rank) : meeting_(meeting), rank_(rank) {}

  int rank() const override { return rank_; }
  int size() const override { return static_cast<int>(meeting_.given.size()); }
  void sum(std::span<std::int64_t> values) override {
    meeting_.meet(place(), Meeting::Purpose::sum, std::as_writable_bytes(values));
  }
  void broadcast(std::span<std::byte> bytes) override {
    meeting_.meet(place(), Meeting::Purpose::broadcast, bytes);
  }
  void abandon() noexcept override { meeting_.leave(); }

 private:
  std::size_t place() const { return static_cast<std::size_t>(rank_); }

  Meeting& meeting_;
  int rank_;
};

ThreadRanks::ThreadRanks(int size) : meeting_(std::make_unique<Meeting>()) {
  meeting_->given.resize(static_cast<std::size_t>(size));
  for (int rank = 0; rank < size; ++rank) {
    links_.push_back(std::make_unique<Link>(*meeting_, rank));
  }
}

ThreadRanks::~ThreadRanks() = default;

RankLink& ThreadRanks::link(int rank) { return *links_[static_cast<std::size_t>(rank)]; }

}  // namespace dpvi
