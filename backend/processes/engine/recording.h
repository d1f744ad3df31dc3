// What a run of programs leaves behind for whoever follows a critical path back: which of two times was the later,
// wherever a program took the later one. That is two bits for each, in the order of the program.
//
// An operation in the background keeps its own choices until the wait for it, where the program takes them over; those
// of operations that nothing has waited for are kept apart.
//
// Where resources serve by time, services are recorded in their order, process by process: which step of which message
// each was of, and whether it had to wait for the one before it. Which that was, the order tells.
#pragma once

#include "backend/processes/engine/layout.h"
#include "backend/processes/engine/moment.h"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <tuple>
#include <utility>
#include <vector>

namespace wave::backend::processes::engine {

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

// Something that a resource, or a processor that takes in signals on arrival, has been asked for.
struct Service {
  static constexpr std::uint16_t of_program = 0xffff;
  std::uint32_t call = 0;  // which of its process's messages; of the program: which of its uses of the processor
  std::uint16_t step = 0;  // of the message's end there, or `of_program`
  // Two choices: the resource was free later than it was asked for; and the processor later yet.
  std::uint16_t waits : 2 * LaterTime::bits = 0;
  std::uint16_t use : 16 - 2 * LaterTime::bits = 0;  // of what the step asks for, which
  static constexpr std::size_t most_uses = std::size_t{1} << (16 - 2 * LaterTime::bits);
  LaterTime resource() const { return LaterTime::at(waits, 0); }
  LaterTime processor() const { return LaterTime::at(waits, 1); }
};

class Recording {
 public:
  // A collective that is a cost: the root of its line, the axis (or none), which of those that a process came to.
  using GatheringKey = std::tuple<Number, std::uint32_t, std::uint32_t>;
  struct Last {
    Number process = none;  // that came last; the first of several in row-major order
    bool is_tied = false;
    // `last`: when the last one up to now came.
    void meet(Number other, const ServedMoment& when, const ServedMoment& last) {
      const bool is_first = process == none, is_same_time = !is_first && when.time == last.time && when.time != 0;
      is_tied = is_same_time || (is_tied && !(last.time < when.time));
      if (is_first || last < when)
        process = other;
      else if (!(when < last))
        process = std::min(process, other);
    }
  };
  // An end of a message: of which channel, which one.
  using EndKey = std::tuple<const Ring*, std::uint32_t, Side>;

  // `claim`: bytes; throws. `phase`: whose beginnings and ends are recorded; not valid: none.
  Recording(std::size_t processes, std::function<void(std::int64_t bytes)> claim, ir::PhaseId phase);

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
  void leave_phase(const Standing& process, std::uint32_t phase, double entered);
  std::map<GatheringKey, Last> gatherings;
  std::map<EndKey, Choices> in_background;  // that nothing has waited for
  // The same, of a process's call.
  void keep(Number process, std::uint32_t call, const Choices& choices);

  // --- where resources serve ---
  // `call` of an end that has not been called: the service before of that end, or `none`. Gives the service's number.
  Number serve(Number process, std::uint32_t call, std::uint16_t step, std::uint16_t use, const Choices& waits);
  // What the program uses its processor for.
  void serve_program(Number process, const Choices& waits);
  // Which service, of which process.
  struct ServiceOf {
    Number process = none, service = none;
  };
  // It had to wait for the one before of a server that several processes share.
  void wait_for(const ServiceOf& service, const ServiceOf& before);
  // The end of these services, from the last one, has been called.
  void call(Number process, Number last, std::uint32_t call);
  // It has finished later than the program.
  void end_with_processor(Number process) { programs_[process].ends_with_processor = true; }

  // --- afterwards ---
  LaterTime choice(Number process, std::uint64_t number) const {
    return LaterTime::at(programs_[process].words[number / choices_in_word], number % choices_in_word);
  }
  const Choices* choices_in_background(Number process, std::uint32_t call) const;
  // What the process has paid for collectives, in their order: ps, on the quantum.
  double cost(Number process, std::size_t number) const { return programs_[process].costs.at(number); }
  // When the phase began and ended, in the order of its ends; ps.
  struct Phase {
    double begin = 0, end = 0;
  };
  const std::vector<Phase>& phases(Number process) const { return programs_[process].phases; }
  const std::vector<Service>& services(Number process) const { return programs_[process].services; }
  // For which it had to wait; nothing: for none that several processes share.
  std::optional<ServiceOf> before(const ServiceOf& service) const;
  bool ends_with_processor(Number process) const { return programs_[process].ends_with_processor; }

 private:
  struct OfProgram {
    std::vector<std::uint64_t> words;
    std::vector<double> costs;
    std::vector<Phase> phases;
    std::vector<Service> services;
    std::vector<std::pair<Number, ServiceOf>> waits;  // by service
    std::uint32_t uses = 0;                           // of the processor, by the program
    bool ends_with_processor = false;
  };
  // Appends; memory is claimed as the vector grows.
  template <class Entry>
  void append(std::vector<Entry>& entries, const Entry& entry);
  std::vector<OfProgram> programs_;
  std::map<std::pair<Number, std::uint32_t>, Choices> calls_in_background_;
  std::function<void(std::int64_t)> claim_;
  const ir::PhaseId phase_;
};

}  // namespace wave::backend::processes::engine
