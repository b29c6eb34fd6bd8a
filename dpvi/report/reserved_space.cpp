#include <dpvi/report/reserved_space.hpp>

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>
#include <utility>

#include <dpvi/base/error.hpp>

namespace dpvi {

ReservedSpace::ReservedSpace(const std::filesystem::path& target, std::uint64_t bytes) {
  const std::filesystem::path plain = target.lexically_normal();
  const std::filesystem::path named = plain.has_filename() ? plain : plain.parent_path();
  const std::filesystem::path parent = named.has_parent_path() ? named.parent_path() : ".";
  file_ = ::open(parent.c_str(), O_TMPFILE | O_WRONLY | O_CLOEXEC, 0600);
  if (file_ < 0) return;
  const int failure = ::posix_fallocate(file_, 0, static_cast<::off_t>(bytes));
  const bool full = failure == ENOSPC || failure == EDQUOT || failure == EFBIG;
  if (!full) return;
  release();
  throw WriteError(kWriteFailed,
                   fmt::format("'{}' may need {} bytes, which the disk does not have: {}.",
                               target.string(), bytes, std::generic_category().message(failure)),
                   "Make room, or write to another disk; nothing was spent.");
}

ReservedSpace::~ReservedSpace() { release(); }

void ReservedSpace::release() {
  if (file_ >= 0) ::close(std::exchange(file_, -1));
}

}  // namespace dpvi
