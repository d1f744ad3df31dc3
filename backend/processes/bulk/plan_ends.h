// The protocols of one message statement, as they vary over the grid: alternatives with different steps, and the times
// of these steps by process.
#pragma once

#include "backend/processes/bulk/plan_fields.h"
#include "backend/processes/program/ends.h"

#include <functional>
#include <list>
#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace wave::backend::processes {

// One end of the messages that take an alternative; times by the process at this end, 0 where another is taken.
struct AlternativeEnd {
  FieldPtr mask;                         // the processes that take it; null: all
  std::vector<FieldPtr> time, occupied;  // by step: its time, and how long it keeps its resource; null: none
};
struct Alternative {
  const ResolvedEnds* shape = nullptr;  // its steps count, not its times
  AlternativeEnd sender, receiver;
  bool varies = false;  // messages of several sizes or places take it
};
using Alternatives = std::vector<Alternative>;
using AlternativesPtr = std::shared_ptr<const Alternatives>;

// What the messages of a send statement do, sent by the processes of `domain` to those at `offset`, or from the ranks
// `sources` to those that hold them.
struct EndsQuestion {
  ir::EndsId ends;
  FieldPtr size, within;  // by sender; where `within` is null the ends share nothing
  Domain domain;
  std::vector<std::int64_t> offset;
  PeerMapPtr sources;  // by receiver; null: by offset
};

class PlanEnds {
 public:
  PlanEnds(Fields& fields, EndsResolver& resolver, std::vector<bool> wrap)
      : fields_(fields), resolver_(resolver), wrap_(std::move(wrap)) {}
  // Refused where there are too many alternatives, a window, or steps that ask for several resources; throws Failed.
  // Remembered: equal questions give the same answer.
  [[nodiscard]] AlternativesPtr of(const EndsQuestion& question);
  void forget() { known_.clear(); }

 private:
  struct Choice;
  struct Known {
    EndsQuestion question;
    AlternativesPtr answer;
    std::optional<KeptSteps> steps;  // that led to it, where they were recorded
  };
  // The same with the receiver's times, too, by sender.
  std::optional<Alternatives> by_sender(const EndsQuestion& question);
  KeptStepPtr step_of(const EndsQuestion& question, const Alternatives& answer) const;
  std::optional<Choice> choose(const EndsQuestion& question);
  AlternativeEnd end(const Choice& choice, const std::vector<std::size_t>& members, bool of_sender);
  FieldPtr times(const Choice& choice, const std::vector<std::size_t>& members,
                 const std::function<double(const ResolvedEnds&)>& time);

  Fields& fields_;
  EndsResolver& resolver_;
  std::vector<bool> wrap_;
  std::list<Known> known_;
};

}  // namespace wave::backend::processes
