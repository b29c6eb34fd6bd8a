#include <dpvi/api/checkpoint.hpp>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <utility>

#include <dpvi/base/error.hpp>
#include <dpvi/base/open_file.hpp>
#include <dpvi/random/kernel_bytes.hpp>

namespace dpvi {
namespace {

constexpr std::string_view kFirstWords = "dpvi checkpoint 1 ";
constexpr std::size_t kSaltSize = 32;
constexpr char kAttempt = 'A', kStep = 'S';
constexpr std::uint64_t kLargestStep = std::uint64_t{1} << 27;  // bytes

[[noreturn]] void refuse_checkpoint(const std::string& path, const std::string& what) {
  throw InputError(kOtherLedger, what,
                   "Resume from the file that the run wrote last, or delete it and fit again; what "
                   "was charged stays charged.",
                   {path, 0, 0});
}

std::string hex_of(std::string_view bytes) {
  std::string hex;
  for (const char byte : bytes) hex += fmt::format("{:02x}", static_cast<unsigned char>(byte));
  return hex;
}

std::string number_bytes(std::uint64_t number) {
  return {reinterpret_cast<const char*>(&number), sizeof number};
}

[[noreturn]] void refuse_unreadable(const std::string& path) {
  throw MissingInputError(kFileMissing,
                          fmt::format("'{}' cannot be read: {}.", path, error_text(errno)),
                          "Check the disk and the permissions of the file.");
}

// Parts of an open file, from its beginning. A part is read only if the file is long enough.
class Parts {
 public:
  Parts(const OpenFile& file, const std::string& path) : file_(file), path_(path) {
    struct stat found {};
    if (::fstat(file_.number(), &found) != 0) refuse_unreadable(path_);
    left_ = static_cast<std::uint64_t>(found.st_size);
  }

  std::uint64_t position() const { return position_; }
  bool at_end() const { return left_ == 0; }

  // Returns nullopt if the file ends before.
  std::optional<std::string> take(std::uint64_t size) {
    if (size > left_) return std::nullopt;
    std::string part(size, '\0');
    for (std::size_t filled = 0; filled < part.size();) {
      const auto done = file_.read(part.data() + filled, part.size() - filled);
      if (!done) refuse_unreadable(path_);
      if (*done == 0) return std::nullopt;
      filled += *done;
    }
    position_ += size;
    left_ -= size;
    return part;
  }

  std::optional<std::uint64_t> number() {
    const auto part = take(sizeof(std::uint64_t));
    if (!part) return std::nullopt;
    std::uint64_t result = 0;
    std::memcpy(&result, part->data(), sizeof result);
    return result;
  }

 private:
  const OpenFile& file_;
  const std::string& path_;
  std::uint64_t position_ = 0;
  std::uint64_t left_ = 0;
};

std::string first_line(const Checkpoint::Owner& owner) {
  return fmt::format("{}{} {}\n", kFirstWords, owner.ledger, owner.entry);
}

Checkpoint::Owner owner_in(std::string_view content, const std::string& path) {
  const std::size_t end = content.find('\n');
  if (!content.starts_with(kFirstWords) || end == std::string_view::npos) {
    refuse_checkpoint(path, "this is not a checkpoint of this version.");
  }
  const std::string line(content.substr(kFirstWords.size(), end - kFirstWords.size()));
  const std::size_t blank = line.find(' ');
  Checkpoint::Owner owner{line.substr(0, blank), 0};
  if (blank != std::string::npos) owner.entry = std::strtoll(line.c_str() + blank, nullptr, 10);
  if (owner.entry < 1) refuse_checkpoint(path, "the first line of the checkpoint is damaged.");
  return owner;
}

}  // namespace

std::optional<Checkpoint::Owner> Checkpoint::owner(const std::string& path) {
  struct stat found {};
  if (::stat(path.c_str(), &found) != 0) return std::nullopt;
  if (!S_ISREG(found.st_mode)) refuse_checkpoint(path, "this is not a file.");
  // A process that died before its first byte had not started the run.
  if (found.st_size == 0 && std::filesystem::remove(path)) return std::nullopt;
  constexpr std::size_t kLongestLine = 200;
  const OpenFile file(path, O_RDONLY | O_NONBLOCK);
  std::array<char, kLongestLine> bytes{};
  const auto size =
      file.is_open() ? file.read(bytes.data(), bytes.size()) : std::optional<std::size_t>();
  if (!size) refuse_unreadable(path);
  return owner_in({bytes.data(), *size}, path);
}

void Checkpoint::open_file(int flags) {
  file_ = OpenFile(settings_.path, flags | O_RDWR, 0600);
  if (!file_.is_open()) {
    throw CannotCreateError(kCannotCreate,
                            fmt::format("the checkpoint '{}' cannot be written: {}.",
                                        settings_.path, error_text(errno)),
                            "Choose a file in a folder that exists and is writable.");
  }
  while (::flock(file_.number(), LOCK_EX | LOCK_NB) != 0) {
    if (errno == EINTR) continue;
    throw LedgerBusyError(
        kLedgerBusy, fmt::format("another process writes the checkpoint '{}'.", settings_.path),
        "Wait until it has ended.");
  }
}

Checkpoint::Checkpoint(Settings settings, const Owner& owner, KeyOf key_of, OnSave on_save)
    : settings_(std::move(settings)),
      owner_(owner),
      key_of_(std::move(key_of)),
      on_save_(std::move(on_save)) {
  open_file(O_CREAT | O_EXCL);
  sync_folder(parent_folder(settings_.path));  // if it fails, a lost file only costs the run
  pending_ = first_line(owner_);
}

Checkpoint::Checkpoint(Settings settings, const Owner& owner, const CheckpointMark& known,
                       KeyOf key_of, OnSave on_save)
    : settings_(std::move(settings)),
      owner_(owner),
      key_of_(std::move(key_of)),
      on_save_(std::move(on_save)) {
  open_file(0);
  read_steps(known);
}

Checkpoint::~Checkpoint() = default;

std::string Checkpoint::segment_text(std::int64_t attempt, std::string_view salt) const {
  return fmt::format("checkpoint {} {} {} {}", owner_.ledger, owner_.entry, attempt, hex_of(salt));
}

// Reads whole steps. What follows them was being written when the process died, and is cut off.
void Checkpoint::read_steps(const CheckpointMark& known) {
  Parts parts(file_, settings_.path);
  parts.take(first_line(owner_).size());
  std::uint64_t whole = parts.position();
  bool vouched = known.steps == 0;
  while (!parts.at_end()) {
    const auto kind = parts.take(1);
    if ((*kind)[0] == kAttempt) {
      const auto attempt = parts.number();
      const auto salt = parts.take(kSaltSize);
      if (!attempt || !salt) break;
      mark_.attempt = static_cast<std::int64_t>(*attempt);
      seal_.emplace(key_of_(segment_text(mark_.attempt, *salt)));
      number_ = 0;
    } else {
      const auto size = parts.number();
      if ((*kind)[0] != kStep || !seal_ || !size || *size > kLargestStep) break;
      const auto sealed = parts.take(*size);
      if (!sealed) break;
      auto step = seal_->open(*sealed, static_cast<std::uint64_t>(number_), previous_);
      if (!step) break;
      steps_.push_back(*std::move(step));
      ++number_;
      previous_ = sealed->substr(sealed->size() - StepSeal::kTagSize);
      if (std::ssize(steps_) == known.steps) vouched = hex_of(previous_) == known.tag;
    }
    whole = parts.position();
  }
  mark_.steps = std::ssize(steps_);
  mark_.tag = hex_of(previous_);
  if (!vouched || mark_.steps < known.steps) {
    refuse_checkpoint(settings_.path,
                      fmt::format("the checkpoint is stale, damaged or a copy: the ledger knows of "
                                  "{} saved steps that it does not hold.",
                                  known.steps));
  }
  if (::ftruncate(file_.number(), static_cast<off_t>(whole)) != 0 ||
      ::lseek(file_.number(), 0, SEEK_END) < 0) {
    failed_ = true;
  }
}

void Checkpoint::start_attempt(std::int64_t attempt) {
  std::array<std::uint8_t, kSaltSize> random{};
  fill_from_kernel(random);
  const std::string salt(random.begin(), random.end());
  mark_.attempt = attempt;
  seal_.emplace(key_of_(segment_text(attempt, salt)));
  number_ = 0;
  pending_ += kAttempt + number_bytes(static_cast<std::uint64_t>(attempt)) + salt;
  save();
}

std::optional<RecordedStep> Checkpoint::next() {
  if (next_ == steps_.size()) return std::nullopt;
  return std::move(steps_[next_++]);
}

void Checkpoint::record(RecordedStep step) {
  if (failed_) return;
  const std::string sealed = seal_->seal(step, static_cast<std::uint64_t>(number_++), previous_);
  previous_ = sealed.substr(sealed.size() - StepSeal::kTagSize);
  pending_ += kStep + number_bytes(sealed.size()) + sealed;
  ++pending_steps_;
  const std::chrono::duration<double> since = std::chrono::steady_clock::now() - saved_at_;
  if (since.count() >= settings_.seconds) save();
}

void Checkpoint::save() {
  if (failed_ || pending_.empty()) return;
  if (!file_.write(pending_) || !file_.sync()) {
    failed_ = true;
    return;
  }
  pending_.clear();
  const bool stepped = pending_steps_ > 0;
  mark_.steps += std::exchange(pending_steps_, 0);
  mark_.tag = hex_of(previous_);
  if (stepped) on_save_(mark_);
  saved_at_ = std::chrono::steady_clock::now();
}

void Checkpoint::remove() noexcept { ::unlink(settings_.path.c_str()); }

}  // namespace dpvi
