// Memory for the cells of events. What one evaluation leaves behind is kept for the next: touching fresh pages takes
// longer than filling them with values.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

namespace wave::jit {

class WordPool;

struct WordsEnd {
  std::shared_ptr<WordPool> pool;  // null: none takes it back
  std::size_t bytes = 0;
  void operator()(std::uint64_t* words) const;
};

// On a cache line, in huge pages where they are many; not initialized.
using Words = std::unique_ptr<std::uint64_t[], WordsEnd>;

// Null: there is no such memory.
Words allocate_words(std::int64_t words, std::shared_ptr<WordPool> pool = {});

// A few pieces, of bounded size together.
class WordPool {
 public:
  ~WordPool();
  void* take(std::size_t bytes);  // null: there is none of this size; large ones of other sizes are let go
  bool keep(void* memory, std::size_t bytes);

 private:
  struct Piece {
    void* memory;
    std::size_t bytes;
  };
  void let_go(std::size_t from_bytes);

  std::mutex mutex_;
  std::vector<Piece> pieces_;  // the latest last
};

}  // namespace wave::jit
