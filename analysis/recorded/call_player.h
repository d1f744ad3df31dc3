// The steps of a rank that the calls of its recording make, one after the other.
#pragma once

#include "analysis/recorded/rank_recording.h"

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace wave::analysis::recorded {

// A line of a recording.
struct Call {
  std::string_view name;
  std::int64_t peer = -1;
  double bytes = 0;
  std::string_view communicator;
  std::vector<std::string_view> more;  // but for what is about times and places in the program
  Times times;
  Location location;
};

// It adds to the steps, times, phases and counts of a recording.
class CallPlayer {
 public:
  explicit CallPlayer(RankRecording& result) : result_(result) {}

  // What is wrong with the call, and what is expected; empty: nothing is.
  using Trouble = std::pair<std::string, std::string>;

  Trouble play(const Call& call);

  void begin_phase(std::string name);
  // False: it has not begun.
  bool end_phase(const std::string& name);

 private:
  struct Request {
    Step step;              // of a persistent one: what each start begins
    std::size_t began = 0;  // the step
    bool is_step = false;   // whether there is such a step
  };
  // As all requests have them. `o` and a number is a place among those that are open.
  struct Open {
    std::size_t began = 0;
    bool is_step = false, is_over = false;
  };
  static constexpr std::size_t most_open = std::size_t{1} << 20;

  static Trouble none() { return {}; }

  Trouble play_kind();

  static Trouble no_request();

  Trouble add(Step::Kind kind);
  Trouble begin(Step::Kind kind);
  // Operations with MPI_PROC_NULL are none.
  void begin(Request& request);
  Trouble start();

  // Of requests that ended, `q6:2880`, `q7:from3:8` or `o0:2880`.
  Trouble end(bool is_wait);
  void end_one(Step& wait, std::size_t step, std::string_view rest);

  Trouble exchange();
  Trouble collective(std::string_view name);

  RankRecording& result_;
  const Call* call_ = nullptr;
  Step step_;
  std::map<std::string, Request> requests_;
  std::vector<Open> open_;  // from the oldest
  std::vector<PhaseSteps> phases_;
  double since_ = 0, cpu_ = 0;  // of calls that are no steps
};

}  // namespace wave::analysis::recorded
