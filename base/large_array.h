// Arrays of many pages. Where the system has large pages and hands them out on request, as Linux does by default, they
// are asked for: otherwise every 4 KiB take a fault when they are first written, which can take longer than what is
// written there, and what is looked up here and there has to be found in tables of pages first.
#pragma once

#include <cstddef>
#include <cstdlib>
#include <memory>
#include <new>
#include <sys/mman.h>
#include <type_traits>

namespace wave {

// Not cleared, and aligned for the widest vectors.
template <class T>
class LargeArray {
  static_assert(std::is_trivial_v<T>);

 public:
  LargeArray() = default;
  explicit LargeArray(std::size_t size) : size_(size) {
    if (size == 0) return;
    const bool is_large = size * sizeof(T) >= least_bytes;
    const std::size_t alignment = is_large ? page : vector;
    const std::size_t bytes = (size * sizeof(T) + alignment - 1) / alignment * alignment;
    void* const memory = std::aligned_alloc(alignment, bytes);
    if (!memory) throw std::bad_alloc();
    data_.reset(static_cast<T*>(memory));
#ifdef MADV_HUGEPAGE
    if (is_large) madvise(memory, bytes, MADV_HUGEPAGE);  // no more than a wish
#endif
  }
  T* data() const { return data_.get(); }
  std::size_t size() const { return size_; }

 private:
  static constexpr std::size_t vector = 64, page = std::size_t{2} << 20, least_bytes = 2 * page;
  struct Free {
    void operator()(T* memory) const { std::free(memory); }
  };
  std::unique_ptr<T, Free> data_;
  std::size_t size_ = 0;
};

}  // namespace wave
