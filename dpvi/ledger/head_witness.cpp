#include <dpvi/ledger/head_witness.hpp>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <exception>
#include <sstream>
#include <thread>

#include <dpvi/base/open_file.hpp>

namespace dpvi {
namespace {

// An open witness file. Closing it ends its lock.
class WitnessFile {
 public:
  WitnessFile(const std::string& ledger_path, int flags)
      : file_(ledger_path + ".head", flags | O_NOFOLLOW, 0600) {}

  bool is_open() const { return file_.is_open(); }
  // The witness is held for moments only. A process that keeps it must not stop others for ever.
  bool lock() const {
    constexpr int kAttempts = 100;
    constexpr std::chrono::milliseconds kPause{10};
    for (int attempt = 0; attempt < kAttempts; ++attempt) {
      if (::flock(file_.number(), LOCK_EX | LOCK_NB) == 0) return true;
      if (errno != EWOULDBLOCK && errno != EINTR) return false;
      std::this_thread::sleep_for(kPause);
    }
    return false;
  }

  std::optional<LedgerHead> head() const {
    std::array<char, 256> bytes{};
    ::lseek(file_.number(), 0, SEEK_SET);
    const auto size = file_.read(bytes.data(), bytes.size());
    if (!size) return std::nullopt;
    std::istringstream text(std::string(bytes.data(), *size));
    std::string name;
    LedgerHead head;
    text >> name >> head.ledger >> head.position >> head.hash;
    constexpr std::size_t kHashDigits = 64;
    if (!text || name != "dpvi-ledger-head" || head.hash.size() != kHashDigits) return std::nullopt;
    return head;
  }

  // One write of one short line; a line that a power failure tears is read as no head.
  void replace(const LedgerHead& head) const {
    const std::string line =
        fmt::format("dpvi-ledger-head {} {:020} {}\n", head.ledger, head.position, head.hash);
    ::lseek(file_.number(), 0, SEEK_SET);
    if (file_.write(line) && ::ftruncate(file_.number(), static_cast<::off_t>(line.size())) == 0) {
      file_.sync();
    }
  }

 private:
  OpenFile file_;
};

}  // namespace

std::optional<LedgerHead> read_witness(const std::string& ledger_path) {
  const WitnessFile file(ledger_path, O_RDONLY | O_NONBLOCK);
  return file.is_open() ? file.head() : std::nullopt;
}

void raise_witness(const std::string& ledger_path, const LedgerHead& head) noexcept {
  try {
    const WitnessFile file(ledger_path, O_RDWR | O_CREAT | O_NONBLOCK);
    if (!file.is_open() || !file.lock()) return;
    const std::optional<LedgerHead> known = file.head();
    const bool is_lower = !known || known->ledger != head.ledger || known->position < head.position;
    if (is_lower) file.replace(head);
  } catch (const std::exception&) {
    return;
  }
}

}  // namespace dpvi
