#include <dpvi/random/key_memory.hpp>

#include <openssl/crypto.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <cstdint>
#include <cstring>
#include <mutex>

namespace dpvi {
namespace {

std::atomic<bool> some_pages_are_unlocked = false;
std::atomic<bool> openssl_uses_key_memory = false;

// Pages that no dump contains; nullptr if the kernel has none.
void* map_pages(std::size_t size) noexcept {
  void* pages = ::mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (pages == MAP_FAILED) return nullptr;
  if (::madvise(pages, size, MADV_DONTDUMP) != 0) {
    ::munmap(pages, size);
    return nullptr;
  }
  if (::mlock(pages, size) != 0) some_pages_are_unlocked = true;
  return pages;
}

// Precedes every block. Its size keeps the block aligned for any type.
struct alignas(16) Header {
  std::size_t capacity;
  Header* next_free;
};

// Blocks of a power of two bytes, cut from large pieces of memory and never given back, so that
// few pages are locked. Larger blocks have pages of their own.
class KeyArena {
 public:
  Header* take(std::size_t size) noexcept {
    const std::size_t all = std::bit_ceil(std::max(size, kSmallest) + sizeof(Header));
    if (all > kLargest) return take_pages(all);
    const std::lock_guard lock(mutex_);
    Header*& free = free_[static_cast<std::size_t>(std::countr_zero(all))];
    if (free != nullptr) {
      Header* block = free;
      free = block->next_free;
      return block;
    }
    return cut(all);
  }

  // The block must be cleared.
  void give_back(Header* block) noexcept {
    const std::size_t all = block->capacity + sizeof(Header);
    if (all > kLargest) {
      ::munmap(block, all);
      return;
    }
    const std::lock_guard lock(mutex_);
    Header*& free = free_[static_cast<std::size_t>(std::countr_zero(all))];
    block->next_free = free;
    free = block;
  }

 private:
  static constexpr std::size_t kSmallest = 48;
  static constexpr std::size_t kLargest = std::size_t{1} << 15;
  static constexpr std::size_t kPiece = std::size_t{1} << 18;

  static Header* take_pages(std::size_t all) noexcept {
    auto* block = static_cast<Header*>(map_pages(all));
    if (block != nullptr) block->capacity = all - sizeof(Header);
    return block;
  }

  Header* cut(std::size_t all) noexcept {
    if (left_ < all) {
      auto* piece = static_cast<std::byte*>(map_pages(kPiece));
      if (piece == nullptr) return nullptr;
      next_ = piece;
      left_ = kPiece;
    }
    auto* block = reinterpret_cast<Header*>(next_);
    next_ += all;
    left_ -= all;
    block->capacity = all - sizeof(Header);
    return block;
  }

  std::mutex mutex_;
  std::array<Header*, 16> free_{};  // by the logarithm of the size
  std::byte* next_ = nullptr;
  std::size_t left_ = 0;
};

// Never destroyed: OpenSSL frees memory after the program's own objects are gone.
KeyArena& arena() noexcept {
  alignas(KeyArena) static std::byte place[sizeof(KeyArena)];
  static auto* const kArena = new (place) KeyArena();
  return *kArena;
}

Header* header_of(void* block) noexcept { return static_cast<Header*>(block) - 1; }

}  // namespace

void* allocate_key_memory(std::size_t size) noexcept {
  constexpr std::size_t kMost = std::size_t{1} << 40;
  Header* block = size > kMost ? nullptr : arena().take(size);
  return block == nullptr ? nullptr : block + 1;
}

void* resize_key_memory(void* block, std::size_t size) noexcept {
  if (block == nullptr) return allocate_key_memory(size);
  if (size == 0) {
    free_key_memory(block);
    return nullptr;
  }
  const std::size_t capacity = header_of(block)->capacity;
  if (size <= capacity) return block;
  void* larger = allocate_key_memory(size);
  if (larger == nullptr) return nullptr;
  std::memcpy(larger, block, capacity);
  free_key_memory(block);
  return larger;
}

void free_key_memory(void* block) noexcept {
  if (block == nullptr) return;
  Header* header = header_of(block);
  OPENSSL_cleanse(block, header->capacity);
  arena().give_back(header);
}

KeyText taken_key(std::string& text) {
  KeyText key(text);
  OPENSSL_cleanse(text.data(), text.size());
  text.clear();
  return key;
}

void keep_keys_in_key_memory() noexcept {
  openssl_uses_key_memory =
      CRYPTO_set_mem_functions(
          [](std::size_t size, const char*, int) { return allocate_key_memory(size); },
          [](void* block, std::size_t size, const char*, int) {
            return resize_key_memory(block, size);
          },
          [](void* block, const char*, int) { free_key_memory(block); }) == 1;
}

KeyProtection key_protection() noexcept {
  if (!openssl_uses_key_memory) return KeyProtection::none;
  return some_pages_are_unlocked ? KeyProtection::unlocked : KeyProtection::locked;
}

void forbid_core_dumps() noexcept {
  const rlimit none{0, 0};
  ::setrlimit(RLIMIT_CORE, &none);
  ::prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);
}

}  // namespace dpvi
