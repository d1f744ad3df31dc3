// Aligned allocation, and the one piece that is kept.
#include "backend/jit/word_pool.h"

#include <sys/mman.h>

#include <algorithm>
#include <cstdlib>
#include <utility>

namespace wave::jit {

namespace {

constexpr std::size_t line = 64, huge_page = std::size_t{2} << 20;
constexpr std::size_t worth_keeping = std::size_t{8} << 20, too_much_to_keep = std::size_t{2} << 30;

}  // namespace

void WordsEnd::operator()(std::uint64_t* words) const {
  if (!pool || !pool->keep(words, bytes)) std::free(words);
}

Words allocate_words(std::int64_t words, std::shared_ptr<WordPool> pool) {
  const std::size_t wanted = static_cast<std::size_t>(std::max<std::int64_t>(1, words)) * sizeof(std::uint64_t);
  const std::size_t alignment = wanted >= huge_page ? huge_page : line;
  const std::size_t bytes = (wanted + alignment - 1) / alignment * alignment;
  void* memory = pool ? pool->take(bytes) : nullptr;
  if (!memory) {
    memory = std::aligned_alloc(alignment, bytes);
    if (memory && alignment == huge_page) madvise(memory, bytes, MADV_HUGEPAGE);
  }
  return {static_cast<std::uint64_t*>(memory), WordsEnd{std::move(pool), bytes}};
}

WordPool::~WordPool() { std::free(memory_); }

void* WordPool::take(std::size_t bytes) {
  const std::lock_guard lock(mutex_);
  void* const memory = std::exchange(memory_, nullptr);
  if (memory && bytes_ == bytes) return memory;
  // What the next evaluation needs may not fit beside it.
  if (bytes >= worth_keeping) std::free(memory);
  else memory_ = memory;
  return nullptr;
}

bool WordPool::keep(void* memory, std::size_t bytes) {
  if (bytes < worth_keeping || bytes > too_much_to_keep) return false;
  const std::lock_guard lock(mutex_);
  std::free(std::exchange(memory_, memory));
  bytes_ = bytes;
  return true;
}

}  // namespace wave::jit
