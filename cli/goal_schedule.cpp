// See goal_schedule.h.
#include "cli/goal_schedule.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <vector>

namespace wave::cli {
namespace {

constexpr double per_nanosecond = 1000;  // picoseconds; the unit of `calc`

// One rank: operations are labelled l1, l2, ...; each requires what the process waited for last.
class Rank final : public backend::processes::ProgramListener {
 public:
  Rank(GoalSchedule& schedule, std::size_t most_bytes) : schedule_(schedule), most_bytes_(most_bytes) {}

  void open(std::int64_t rank) {
    close();
    is_open_ = true;
    schedule_.text += fmt::format("\nrank {} {{\n", rank);
    last_ = 0;
    computed_ = written_ = 0;
    required_.clear();
    pending_.clear();
    started_ = 0;
  }
  void close() {
    if (is_open_) schedule_.text += "}\n";
    is_open_ = false;
  }

  // The sum so far is rounded, not its parts: many short ones would come to nothing.
  void compute(double time) override {
    computed_ += time;
    const double rounded = std::nearbyint(computed_ / per_nanosecond);
    block(add(fmt::format("calc {:.0f}", rounded - written_)));
    written_ = rounded;
  }
  void message(const ir::Message& message, std::int64_t peer, double size, std::int64_t channel) override {
    const bool is_send = message.side == ir::Message::Side::send;
    // The simulator charges (size - 1) G: less than nothing for no bytes.
    if (size == 0 && is_send) ++schedule_.without_bytes;
    const double bytes = std::max(1.0, std::ceil(size));
    const int label = add(fmt::format("{} {:.0f}b {} {} tag {}", is_send ? "send" : "recv", bytes,
                                      is_send ? "to" : "from", peer, channel));
    if (!message.background) return block(label);
    pending_[message.handle.valid() ? message.handle.index : ir::HandleId::none].push_back(label);
    started_ = label;
  }
  void wait(ir::HandleId handle) override {
    for (auto& [number, labels] : pending_) {
      if (handle.valid() && handle.index != number) continue;
      required_.insert(required_.end(), labels.begin(), labels.end());
      labels.clear();
    }
  }
  void collective(const ir::Collective& collective) override { schedule_.without_messages = &collective; }

 private:
  int add(const std::string& what) {
    if (schedule_.text.size() > most_bytes_) throw TooLong{};
    schedule_.text += fmt::format("l{}: {}\n", ++last_, what);
    for (const int label : required_) schedule_.text += fmt::format("l{} requires l{}\n", last_, label);
    if (started_ != 0) schedule_.text += fmt::format("l{} irequires l{}\n", last_, started_);
    return last_;
  }
  void block(int label) {
    required_ = {label};
    started_ = 0;
  }

  GoalSchedule& schedule_;
  std::size_t most_bytes_;
  bool is_open_ = false;
  int last_ = 0;
  double computed_ = 0;  // ps: so far
  double written_ = 0;   // ns: of it
  int started_ = 0;      // an operation in the background that comes before in the program; or none
  std::vector<int> required_;
  std::map<std::uint32_t, std::vector<int>> pending_;
};

}  // namespace

GoalSchedule goal_schedule(backend::processes::Run& run, std::size_t most_bytes) {
  GoalSchedule schedule;
  std::vector<std::int64_t> ranks(static_cast<std::size_t>(run.places().count()));
  std::iota(ranks.begin(), ranks.end(), 0);
  schedule.text = fmt::format("num_ranks {}\n", ranks.size());
  Rank rank(schedule, most_bytes);
  run.list(ranks, [&](std::int64_t number) -> backend::processes::ProgramListener& {
    rank.open(number);
    return rank;
  });
  rank.close();
  return schedule;
}

}  // namespace wave::cli
