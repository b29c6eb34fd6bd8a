#pragma once

#include <cstddef>
#include <new>
#include <string>

namespace dpvi {

// Memory for key material: excluded from core dumps, kept out of swap where the limit on locked
// memory allows it, and cleared before it is used again.
//
// Guarantee: no page of key memory is part of a core dump, and a freed block holds zeros.
void* allocate_key_memory(std::size_t size) noexcept;  // nullptr if there is no memory
void* resize_key_memory(void* block, std::size_t size) noexcept;
void free_key_memory(void* block) noexcept;

// Places containers in key memory.
template <class T>
struct KeyAllocator {
  using value_type = T;  // NOLINT(readability-identifier-naming): the name of the standard

  KeyAllocator() = default;
  template <class U>
  KeyAllocator(const KeyAllocator<U>&) noexcept {}

  T* allocate(std::size_t count) {
    void* block = allocate_key_memory(count * sizeof(T));
    if (block == nullptr) throw std::bad_alloc();
    return static_cast<T*>(block);
  }
  void deallocate(T* block, std::size_t) noexcept { free_key_memory(block); }

  bool operator==(const KeyAllocator&) const = default;
};

// A key as text, of at least 16 letters: shorter ones live in the object itself.
using KeyText = std::basic_string<char, std::char_traits<char>, KeyAllocator<char>>;

// Returns the text in key memory and clears the original.
KeyText taken_key(std::string& text);

// How keys of this process are kept.
enum class KeyProtection {
  locked,    // all of OpenSSL's memory is key memory, and locked
  unlocked,  // the same, but pages may be swapped: RLIMIT_MEMLOCK is too small
  none       // OpenSSL was in use already and keeps its own memory
};

// Makes OpenSSL, whose contexts hold the expanded keys, allocate key memory. A program calls this
// first: OpenSSL accepts it only before its first allocation.
void keep_keys_in_key_memory() noexcept;
KeyProtection key_protection() noexcept;

// The process leaves no core dump, and other processes of the user cannot read its memory. Children
// that run another program are not affected.
void forbid_core_dumps() noexcept;

}  // namespace dpvi
