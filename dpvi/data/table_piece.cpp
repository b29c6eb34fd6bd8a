#include <dpvi/data/table_piece.hpp>

#include <sys/mman.h>

#include <new>

namespace dpvi {
namespace {

constexpr std::size_t kLargePage = std::size_t{1} << 21;

}  // namespace

void FreeTablePiece::operator()(std::uint32_t* words) const {
  ::operator delete[](words, std::align_val_t{kLargePage});
}

TablePiece make_table_piece(std::size_t words, bool first) {
  const std::size_t bytes = words * sizeof(std::uint32_t);
  void* memory = ::operator new[](bytes, std::align_val_t{kLargePage});
  const std::size_t ordinary = first ? kLargePage : 0;
  const std::size_t end = bytes / kLargePage * kLargePage;
  // This is a hint: without large pages in the system nothing changes.
  if (end > ordinary) {
    madvise(static_cast<char*>(memory) + ordinary, end - ordinary, MADV_HUGEPAGE);
  }
  return TablePiece(static_cast<std::uint32_t*>(memory));
}

}  // namespace dpvi
