#include <dpvi/report/reserved_space.hpp>

#include <fcntl.h>
#include <fmt/format.h>

#include <cerrno>

#include <dpvi/base/error.hpp>

namespace dpvi {

ReservedSpace::ReservedSpace(const std::filesystem::path& target, std::uint64_t bytes) {
  const std::filesystem::path plain = target.lexically_normal();
  const std::filesystem::path named = plain.has_filename() ? plain : plain.parent_path();
  file_ = OpenFile(parent_folder(named), O_TMPFILE | O_WRONLY, 0600);
  if (!file_.is_open()) return;
  int failure = EINTR;
  while (failure == EINTR) {
    failure = ::posix_fallocate(file_.number(), 0, static_cast<::off_t>(bytes));
  }
  const bool full = failure == ENOSPC || failure == EDQUOT || failure == EFBIG;
  if (!full) return;
  release();
  throw WriteError(kWriteFailed,
                   fmt::format("'{}' may need {} bytes, which the disk does not have: {}.",
                               target.string(), bytes, error_text(failure)),
                   "Make room, or write to another disk; nothing was spent.");
}

void ReservedSpace::release() { file_.close(); }

}  // namespace dpvi
