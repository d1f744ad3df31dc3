// What the times consist of that a value asks of processes: their critical paths, as values that change as these times
// do while the paths stay the longest.
#pragma once

#include "analysis/inputs.h"
#include "analysis/path_values.h"
#include "backend/interpreter/inspection.h"
#include "backend/processes/path/critical.h"
#include "ir/builder.h"

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace wave::analysis {

class AskedTimes {
 public:
  // `system` must outlive the object, and is added to.
  AskedTimes(ir::System& system, const backend::Limits& limits, backend::KernelSource kernels)
      : system_(system), limits_(limits), kernels_(std::move(kernels)) {}

  // Why no paths were found, if so.
  struct Found {
    std::optional<ir::Failure> failure;
    std::string why_not;
    bool is_open() const { return !failure && why_not.empty(); }
  };
  // Finds the paths of everything that the evaluation of a value of the root frame asks of processes, and that these
  // ask in turn. What the value names without its evaluation coming there (in the other branch of a condition, say) is
  // not asked.
  Found find(ir::ValueId value, const std::function<bool(ir::DefinitionId)>& ends_at);

  // After all have been found: a value for each measure. What is of too many weights becomes a definition of its own,
  // which is added to `others`.
  std::map<ir::ValueId, ir::ValueId> stand_ins(std::vector<Input>& others);
  // What is constant in these values, although it changes with what it is computed from.
  struct Constant {
    ir::ProcessId process;
    Location location;
    std::string why;
    std::set<ir::DefinitionId> from;
  };
  const std::vector<Constant>& constants() const { return constants_; }

  // A time that a value asks for itself, or that another value asks for in the same place.
  struct Part {
    std::string process;    // with its place, if several times of the process are asked for
    ir::DefinitionId time;  // of the root frame: that time, as a number
    const backend::processes::CriticalPath* path;
  };
  std::vector<Part> parts(ir::ValueId value, const std::function<bool(ir::DefinitionId)>& ends_at);
  // References to the times of parts, for each measure.
  std::map<ir::ValueId, ir::ValueId> times();

 private:
  struct Time {
    ir::ProcessId process;
    ir::Metric metric{};
    ir::PhaseId phase;
    ir::Over over{};
    auto operator<=>(const Time&) const = default;
  };
  // A time of a process: of that with these indices or, without indices, of the last finisher.
  struct Question {
    Time time;
    std::vector<std::uint64_t> arguments;  // of the frames around the process, bit by bit
    std::vector<std::int64_t> indices;
    auto operator<=>(const Question&) const = default;
  };
  using Questions = std::set<Question>;

  Time time_of(ir::ValueId measure) const;
  std::optional<Question> fixed_question(ir::ValueId measure);
  std::optional<std::int64_t> index_value(ir::ValueId index);
  void inspect(const Question& question, Found& found);
  void listen(ir::ValueId value, std::map<Time, Questions>& heard, Found& found);
  void hear(const backend::interpreter::AnsweredMeasure& answered, backend::processes::Run& run, Questions& heard,
            Found& found);
  void follow(const Question& question, backend::processes::Run& run);
  std::string too_many(const Question& question) const;
  std::string why_no_mean(ir::ProcessId process) const;
  using ValueOf = std::function<ir::ValueId(ir::Builder&, const Question&)>;
  std::map<ir::ValueId, ir::ValueId> for_each_measure(const ValueOf& value_of);
  ir::ValueId path_value(ir::Builder& b, const Question& question, std::vector<Input>& others);
  void note_constants(ir::ProcessId process, const PathValues& values, const PathValues::Sum& path);
  ir::DefinitionId time_definition(ir::Builder& b, const Question& question);
  ir::ValueId choice(ir::Builder& b, ir::ValueId measure, const ValueOf& value_of);
  ir::ValueId is_asked(ir::Builder& b, ir::ValueId measure, const Question& question) const;

  ir::System& system_;
  const backend::Limits& limits_;
  const backend::KernelSource kernels_;
  std::map<Question, std::optional<backend::processes::CriticalPath>> paths_;
  std::map<ir::ValueId, Question> fixed_;  // measures that ask for one thing
  std::set<ir::ValueId> several_;          // those of which it depends on where they are evaluated
  std::map<Time, Questions> heard_;        // what they have asked for
  std::map<Question, ir::ValueId> values_;
  std::map<Question, ir::DefinitionId> times_;
  std::vector<Constant> constants_;
};

}  // namespace wave::analysis
