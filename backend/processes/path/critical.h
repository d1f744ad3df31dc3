// The critical path of a process leads from the end of the last finisher back to the beginning, always along what was
// waited for. Its weights add up to the time of the process.
#pragma once

#include "backend/processes/program/causes.h"
#include "backend/processes/program/input.h"

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

namespace wave::backend::processes {

// Weights of one statement and kind on the path. In detail they are apart by step of the protocol, size of the message
// and by their value.
struct PathTerm {
  Cause::Kind kind{};
  const ir::Statement* statement = nullptr;
  Location location;
  double sum = 0;                       // ps
  std::optional<ResourceKey> resource;  // of a gap: what was occupied, so that it was waited for
  std::string shared;                   // how that is called if processes share it; for whoever shows the path
  // --- in detail ---
  std::optional<double> weight;  // of which the sum is a multiple; none: of several
  std::vector<std::int64_t> at;  // a process whose weight that is
  // The step of a message, where it is one.
  ir::EndsId machine;
  std::uint32_t protocol = 0, step = 0;
  std::uint32_t use = 0;  // of a gap: which of the step's
  bool at_sender = false;
  double size = 0;
  Route route;
};

struct CriticalPath {
  // What it is of. Of others than a finish, terms may be negative.
  enum class Of : std::uint8_t {
    finish,   // when a process finishes
    phase,    // the time that a process spends in a phase: paths to its ends, less those to its beginnings
    program,  // what a process does itself
    rest,     // when it finishes, or the time in a phase, less what it does itself
  } of = Of::finish;
  double total = 0;                    // ps: the sum of the terms, exactly
  double last_finish = 0;              // ps: of all processes
  bool tied = false;                   // another path is as long
  std::vector<std::int64_t> finisher;  // whose end it leads to
  std::vector<PathTerm> terms;         // in the order of the program's text
};

// What a path leads to.
struct PathTarget {
  std::optional<std::int64_t> rank = {};  // none: the last finisher
  // The time that it spends in this phase; not valid: when it finishes.
  ir::PhaseId phase = {};
  bool is_left_last = false;  // not the time spent in the phase, but when it is left for the last time
};

// What a process does itself: its computation and overhead, in all or in a phase.
CriticalPath own_program(const ProgramInput& input, std::int64_t rank, ir::PhaseId phase);

// What is left when these terms are taken away.
void subtract(CriticalPath& path, const CriticalPath& terms);

// The weights on a path, added up by term.
class PathSums {
 public:
  // `most_weights`: that are kept apart, of one statement and kind; 0: none. `new_term` is called with each new term
  // and the rank of the process where it comes from.
  PathSums(std::size_t most_weights, std::function<void(PathTerm&, std::uint32_t rank)> new_term)
      : most_weights_(most_weights), new_term_(std::move(new_term)) {}

  // `time`, ps, so many times. All of them are on the quantum, so sums are exact.
  void add(double time, const Cause& cause, double times);
  // The path that they are of.
  CriticalPath path() const;

 private:
  struct Key {
    std::uint32_t file, begin, end;
    Cause::Kind kind;
    std::optional<ResourceKey> resource;
    // --- in detail ---
    const ResolvedStep* step = nullptr;
    std::uint32_t use = 0;
    double weight = 0;
    friend auto operator<=>(const Key&, const Key&) = default;
  };
  std::size_t term(const Cause& cause, double weight);

  std::size_t most_weights_;
  std::function<void(PathTerm&, std::uint32_t)> new_term_;
  std::map<Key, std::size_t> known_;
  std::map<std::pair<const ir::Statement*, Cause::Kind>, std::size_t> weights_;  // how many there are in detail
  std::vector<PathTerm> terms_;
};

// How many weights of a statement and kind are kept apart in detail.
std::size_t most_weights(const Places& places);

}  // namespace wave::backend::processes
