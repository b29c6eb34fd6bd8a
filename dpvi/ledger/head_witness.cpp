#include <dpvi/ledger/head_witness.hpp>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include <array>
#include <exception>
#include <sstream>

namespace dpvi {
namespace {

// An open witness file, closed at the end, which also ends its lock.
class WitnessFile {
 public:
  WitnessFile(const std::string& ledger_path, int flags)
      : number_(::open((ledger_path + ".head").c_str(), flags | O_CLOEXEC | O_NOFOLLOW, 0600)) {}
  ~WitnessFile() {
    if (number_ >= 0) ::close(number_);
  }
  WitnessFile(const WitnessFile&) = delete;
  WitnessFile& operator=(const WitnessFile&) = delete;

  bool is_open() const { return number_ >= 0; }
  bool lock() const { return ::flock(number_, LOCK_EX) == 0; }

  std::optional<LedgerHead> head() const {
    std::array<char, 256> bytes{};
    const ::ssize_t size = ::pread(number_, bytes.data(), bytes.size(), 0);
    if (size <= 0) return std::nullopt;
    std::istringstream text(std::string(bytes.data(), static_cast<std::size_t>(size)));
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
    const bool written =
        ::pwrite(number_, line.data(), line.size(), 0) == static_cast<::ssize_t>(line.size());
    if (written && ::ftruncate(number_, static_cast<::off_t>(line.size())) == 0) ::fsync(number_);
  }

 private:
  int number_;
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
