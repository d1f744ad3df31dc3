// What a run of programs leaves behind for whoever follows a critical path back: which of two times was the later,
// wherever a program took the later one. That is two bits for each, in the order of the program.
//
// An operation in the background keeps its own choices until the wait for it, where the program takes them over; those
// of operations that nothing has waited for are kept apart.
#pragma once

#include "backend/processes/compiled/layout.h"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <map>
#include <tuple>
#include <vector>

namespace wave::backend::processes::compiled {

// `clock` and what it waited for: the later one is kept, and `clock` where both are the same (docs/processes.md).
struct LaterTime {
  bool is_other = false;  // the other was the later
  bool is_tied = false;   // both were the same, and not the beginning of everything
  static constexpr std::uint32_t bits = 2;
  static LaterTime of(double clock, double other) { return {other > clock, other == clock && clock != 0}; }
  static LaterTime at(std::uint64_t word, std::uint32_t number) {
    return {(word >> bits * number & 1) != 0, (word >> bits * number & 2) != 0};
  }
  std::uint64_t word() const { return std::uint64_t{is_other} | std::uint64_t{is_tied} << 1; }
};
inline constexpr std::uint32_t choices_in_word = 64 / LaterTime::bits;

// Of a few things in a row.
struct Choices {
  std::uint64_t word = 0;
  std::uint32_t count = 0;
  void add(LaterTime choice) { word |= choice.word() << LaterTime::bits * count++; }
};

class Recording {
 public:
  // A collective that is a cost: the root of its line, the axis (or none), which of those that a process came to.
  using GatheringKey = std::tuple<Number, std::uint32_t, std::uint32_t>;
  struct Last {
    Number process = none;  // that came last; the first of several in row-major order
    bool is_tied = false;
    // `last`: when the last one up to now came.
    void meet(Number other, double when, double last) {
      if (process == none || when > last) {
        *this = {other, false};
      } else if (when == last) {
        process = std::min(process, other);
        is_tied = is_tied || when != 0;
      }
    }
  };
  // An end of a message: of which channel, which one.
  using EndKey = std::tuple<const Ring*, std::uint32_t, Side>;

  // `claim`: bytes; throws.
  Recording(std::size_t processes, std::function<void(std::int64_t bytes)> claim);

  // --- while the programs run ---
  // The program's next choice. Code does the same, and calls `keep` when the word is full.
  void add(Standing& process, LaterTime choice) {
    process.choices |= choice.word() << process.choice_bits;
    if ((process.choice_bits += LaterTime::bits) == 64) keep(process);
  }
  void add(Standing& process, const Choices& choices) {
    for (std::uint32_t i = 0; i < choices.count; ++i) add(process, LaterTime::at(choices.word, i));
  }
  void keep(Standing& process);
  void pay(const Standing& process, double cost) { programs_[process.rank].costs.push_back(cost); }
  std::map<GatheringKey, Last> gatherings;
  std::map<EndKey, Choices> in_background;  // that nothing has waited for

  // --- afterwards ---
  LaterTime choice(Number process, std::uint64_t number) const {
    return LaterTime::at(programs_[process].words[number / choices_in_word], number % choices_in_word);
  }
  // What the process has paid for collectives, in their order: ps, on the quantum.
  double cost(Number process, std::size_t number) const { return programs_[process].costs.at(number); }

 private:
  struct OfProgram {
    std::vector<std::uint64_t> words;
    std::vector<double> costs;
  };
  std::vector<OfProgram> programs_;
  std::function<void(std::int64_t)> claim_;
};

}  // namespace wave::backend::processes::compiled
