// Ways to evaluate a process. All of them give the bits of the interpreter.
#pragma once

#include "backend/engine.h"
#include "tests/folder.h"

#include <memory>
#include <string>
#include <vector>

namespace wave::parity {

struct Way {
  std::string name;
  std::unique_ptr<backend::Engine> engine;
};

class Ways {
 public:
  explicit Ways(const ir::System& system);
  const std::vector<Way>& all() const { return all_; }
  // Places in the list: the JIT, and the JIT with programs as a whole.
  static constexpr std::size_t as_planned = 0, as_a_whole = 1;

 private:
  test::Folder folder_;  // with the cache that they share
  std::vector<Way> all_;
};

// Has every thread decide for itself whether its evaluations compile what they can; for good. Threads begin by doing
// so.
void let_threads_decide();
void compile_on_this_thread(bool compiles);

// How the processes of an evaluation were evaluated.
struct Schedules {
  bool swept = false;     // with a compiled sweep
  bool batches = false;   // with requests served in batches
  bool streams = false;   // with requests served in streams
  bool pieces = false;    // with pieces as compiled programs
  bool compiled = false;  // as one compiled program
  bool threads = false;   // with compiled programs on several threads
  bool network = false;   // with anything left to the engine
};
Schedules schedules_of(const backend::Evaluation& evaluation);

}  // namespace wave::parity
