// Counts allocations by `new`. Replaces the global operators, so include it in one file only.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdlib>
#include <new>

namespace gopnet::testing {

inline std::atomic<long> allocations{0};

inline void* Allocate(std::size_t size, std::size_t align) {
  ++allocations;
  void* p = std::aligned_alloc(align, (size + align - 1) / align * align);
  if (p == nullptr) throw std::bad_alloc();
  return p;
}

}  // namespace gopnet::testing

// The thread sanitizer has its own operators, so nothing is counted there.
#if defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define GOPNET_COUNTS_NOTHING
#endif
#endif

#ifndef GOPNET_COUNTS_NOTHING
// GCC 12 does not recognise these as a pair.
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic ignored "-Wmismatched-new-delete"
#endif
void* operator new(std::size_t size) {
  return gopnet::testing::Allocate(size, alignof(std::max_align_t));
}
void* operator new(std::size_t size, std::align_val_t align) {
  return gopnet::testing::Allocate(size, static_cast<std::size_t>(align));
}
void* operator new(std::size_t size, const std::nothrow_t&) noexcept {  // std::stable_sort
  return std::malloc(size);
}
void operator delete(void* p) noexcept { std::free(p); }
void operator delete(void* p, std::size_t) noexcept { std::free(p); }
void operator delete(void* p, std::align_val_t) noexcept { std::free(p); }
void operator delete(void* p, std::size_t, std::align_val_t) noexcept { std::free(p); }
#endif
