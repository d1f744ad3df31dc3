// Writes a random process program. It generates messages as patterns in which both ends take part. All processes run
// the patterns in the same order, so most programs run to their end.
#pragma once

#include "tests/random/choices.h"
#include "tests/random/machine_text.h"
#include "tests/random/processes.h"

#include <set>
#include <string>
#include <vector>

namespace wave::test {

class ProcessWriter {
 public:
  ProcessWriter(std::uint64_t seed, Resources resources, bool repeated)
      : choose_(seed),
        disguise_(seed ^ 0x64697367),
        by_axis_(seed ^ 0x61786973),
        resources_(resources),
        repeated_(repeated) {}
  WrittenProcess program();

 private:
  struct Axis {
    std::string name;
    std::int64_t extent = 1;
    std::string written;  // the extent as it is written
    bool wraps = false;
  };
  // Says where statements stand, and so what their costs and sizes may depend on.
  struct Around {
    bool in_sweep = false;
    std::string variable;  // of a loop; empty where there is none
    int depth = 0;
  };
  // A message as both of its ends write it. Where the size depends on the sender's place, the receiver leaves it out.
  struct Pair {
    std::string sent, received, tag;
  };
  using Offset = std::vector<std::int64_t>;
  struct Procedure {
    std::string name;
    bool is_for_line = false;  // called along an axis
    bool sweeps = false;       // not called in a sweep, nor for an axis that wraps
    bool axis_is_last = false;
  };

  void line(const std::string& content) {
    text_ += std::string(2 * static_cast<std::size_t>(depth_), ' ') + content + "\n";
  }
  std::string handle() { return "h" + std::to_string(handles_++); }
  std::string fresh(const std::string& name) { return name + std::to_string(names_++); }
  // Now and then in other words (tests/random/values.h).
  std::string in_other_words(const std::string& value);
  // The program has a feature.
  void note(const std::string& feature) { features_.insert(feature); }

  // processes.cpp: the model, and what surrounds the messages
  void machines();
  std::string machine_by_place();
  void grid();
  std::string levels();
  bool partial_collective();
  void block(const Around& around, std::size_t count);
  void nested(const std::string& head, const Around& around);
  void statement(const Around& around);
  void nest(const Around& outer);
  void collective(const Around& around);
  void memory(const Around& around);
  void mistake();
  void outputs();
  static std::string row(const std::string& of, const std::string& time, const std::string& indices);
  static std::string over_all(const std::string& time, const std::string& of);

  // process_procedures.cpp
  void procedures();
  void halo();
  void lagging();
  void on_own_grid();
  void on_own_line();
  void sweeping();
  void of_module(const std::string& name, const std::string& grid, const std::vector<std::string>& body);
  std::string axes_of_own_grid() const;
  void call(const Around& around);

  // process_axes.cpp: procedures with an axis among their parameters
  void procedures_by_axis();
  void shifting();
  void lining();
  void sweeping_along();
  void passing_on();
  void shifting_of_module();
  std::string call_of(const Procedure& procedure, const std::string& axis, const std::string& size) const;
  void call_by_axis(const Around& around);

  // process_patterns.cpp: what takes several statements
  void pattern(const Around& around);
  void linger(const Around& around);
  void overtake(const Around& around);
  void pipeline(const Around& around);
  void wavefront(const Around& around);
  void burst(const Around& around);
  void shared_condition(const Around& around);

  // process_messages.cpp: costs, sizes, places, and patterns of messages
  const Axis& any_axis() { return choose_.one_of(axes_); }
  std::vector<Axis> straight_axes() const;
  Offset along(const Axis& axis) const;
  std::string cost(const Around& around);
  std::string plain_cost(const Around& around);
  std::string size(const Around& around);
  std::string plain_size(const Around& around);
  Pair pair(const Around& around);
  Offset offset(bool straight);
  std::string place(const Offset& offset, std::int64_t sign);
  void shift(const Around& around);
  void exchange(const Around& around);
  void both_at_once(const Offset& offset, const Around& around);
  void exchange_along(const std::vector<Offset>& offsets, const Around& around);
  void tasks(const Around& around);
  std::string task(const Around& around, std::vector<std::string>& answers);
  void first_of(std::vector<std::string> waits, const Around& around);
  void odd_and_even(const Around& around);
  void absolute(const Around& around);
  void late(const Around& around);
  void as_many_as_its_place();

  // process_sweeps.cpp
  std::string corner();
  std::string corners();
  std::string tiles();
  std::vector<std::string> winds();
  void sweep(bool at_once);
  void sweep_body(const Around& around, bool at_once);
  void receive_upwind(std::vector<std::string>& receives, std::vector<std::string>& waits, const std::string& before,
                      const std::string& received, const std::string& wind, const std::string& tag);
  void shuffle(std::vector<std::string>& lines);

  Choices choose_;
  Choices disguise_;  // apart, so that a seed gives the same program but for these words
  Choices by_axis_;   // the same of offsets and procedures by the names of axes
  MachineText machine_;
  std::string text_;
  Features features_;
  std::set<std::string> memories_;
  int depth_ = 1, handles_ = 0, phases_ = 0, names_ = 0;
  std::vector<Axis> axes_;
  std::vector<Procedure> procedures_, procedures_by_axis_;
  Resources resources_;
  const bool repeated_;
  MachineManner manner_;
  bool other_ = false;                       // collectives of a second machine are called as well
  bool by_place_ = false;                    // whether the place says which machine a process has
  bool may_fail_ = false;                    // the program contains mistakes
  std::vector<std::string> counted_levels_;  // of the grid, whose members take part in collectives
  bool wide_ = false;                        // the grid and its sweeps are large enough to fill vectors
};

}  // namespace wave::test
