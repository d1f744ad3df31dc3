// Aligned allocation, and the one piece that is kept.
#include "backend/jit/word_pool.h"

#include "backend/jit/thresholds.h"

#include <algorithm>
#include <cstdlib>
#include <new>
#include <sys/mman.h>
#include <utility>

namespace wave::jit {

namespace {

constexpr std::size_t line = 64, huge_page = std::size_t{2} << 20;

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

WordPool::~WordPool() { let_go(0); }

void WordPool::let_go(std::size_t from_bytes) {
  std::erase_if(pieces_, [&](const Piece& piece) {
    if (piece.bytes < from_bytes) return false;
    std::free(piece.memory);
    return true;
  });
}

void* WordPool::take(std::size_t bytes) {
  const std::lock_guard lock(mutex_);
  const auto found =
      std::find_if(pieces_.begin(), pieces_.end(), [&](const Piece& piece) { return piece.bytes == bytes; });
  if (found != pieces_.end()) {
    void* const memory = found->memory;
    pieces_.erase(found);
    return memory;
  }
  // What the next evaluation needs may not fit beside them.
  if (bytes >= large_piece) let_go(large_piece);
  return nullptr;
}

bool WordPool::keep(void* memory, std::size_t bytes) {
  if (bytes < worth_keeping || bytes > too_much_to_keep) return false;
  const std::lock_guard lock(mutex_);
  std::size_t kept = bytes;
  for (const Piece& piece : pieces_) kept += piece.bytes;
  if (kept > too_much_to_keep || pieces_.size() >= most_pieces) let_go(0);
  try {
    pieces_.push_back({memory, bytes});
  } catch (const std::bad_alloc&) {  // a destructor asks
    return false;
  }
  return true;
}

}  // namespace wave::jit
