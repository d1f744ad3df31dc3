// The critical path of a process leads from the end of the last finisher back to the beginning, always along what was
// waited for. Its weights add up to the time of the process.
#pragma once

#include "backend/processes/program/causes.h"
#include "backend/processes/program/input.h"
#include "backend/processes/program/weight_places.h"

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

namespace wave::backend::processes {

// Weights of one statement and kind on the path. In detail they are apart by step of the protocol, size of the message
// and by what they look at, as far as these are not too many; then those that are as large are one.
struct PathTerm {
  Cause::Kind kind{};
  const ir::Statement* statement = nullptr;
  Location location;
  double sum = 0;                       // ps
  std::optional<ResourceKey> resource;  // of a gap: what was occupied, so that it was waited for
  std::string shared;                   // how that is called if processes share it; for whoever shows the path
  // --- in detail ---
  std::optional<double> weight;             // of which the sum is a multiple; none: of several
  Bindings at;                              // what it looks at: indices of its process, tiles and loop variables
  const ir::Statement* sized_by = nullptr;  // of a message: where its size is given; null: nowhere
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
  PathSums(const ProgramInput& input, bool in_detail)
      : input_(input), in_detail_(in_detail), weight_places_(input.process, input.scalars.system(), input.binders) {}

  // `time`, ps, so many times. All of them are on the quantum, so sums are exact.
  void add(double time, const Cause& cause, double times);
  // The path that they are of.
  CriticalPath path() const;

 private:
  struct Key {
    std::uint32_t file = 0, begin = 0, end = 0;
    Cause::Kind kind{};
    std::optional<ResourceKey> resource = {};
    // --- in detail ---
    const ir::Statement* text = nullptr;  // several may be at one place of the source
    const ir::Statement* sized_by = nullptr;
    const ResolvedStep* step = nullptr;
    std::uint32_t use = 0;
    double weight = 0;
    Bindings at = {};
    friend auto operator<=>(const Key&, const Key&) = default;
  };
  std::size_t term(const Cause& cause, double weight);
  std::size_t detailed_term(const Cause& cause, double weight, Key key);
  std::size_t add_term(const Cause& cause);
  Bindings place_of(const Cause& cause);

  const ProgramInput& input_;
  bool in_detail_;
  WeightPlaces weight_places_;
  std::map<Key, std::size_t> known_;
  std::map<Key, std::size_t> alike_;                                           // by weight alone
  std::map<std::pair<const ir::Statement*, Cause::Kind>, std::size_t> apart_;  // how many there are in detail
  std::vector<PathTerm> terms_;
};

}  // namespace wave::backend::processes
