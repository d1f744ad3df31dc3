// A study of which no points are kept, but what its reductions make of them. Whatever parts the points come in, in
// whatever order, the same bytes come out:
//
//   auto whole = ReducedStudy::make(study);           // where the answer is made
//   do {
//     for each part, anywhere:                        // ranges of points that do not overlap
//       auto part = ReducedStudy::make(study); part->follow(whole->plan()); part->take(chunk) …; bytes =
//       part->encode();
//     for each part: whole->merge(bytes);
//   } while (whole->begin_next_pass());               // exact quantiles look at the points once more
//   whole->tables();
#pragma once

#include "analysis/study/reduce/reducer.h"
#include "frontend/source/sources.h"

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace wave::analysis {

// A reduction of a study that cannot be made.
struct StudyReductionTrouble {
  std::size_t index = 0;  // among those of the study
  ReductionTrouble trouble;
};

// Says what is wrong with a reduction of the study, with its place in the text, which becomes a source.
void report(const StudyReductionTrouble& trouble, const StudyDescription& study, frontend::Sources& sources,
            frontend::Diagnostics& diagnostics);

class ReducedStudy {
 public:
  static std::variant<std::unique_ptr<ReducedStudy>, StudyReductionTrouble> make(const StudyDescription& study);

  const StudyDescription& study() const { return study_; }
  // From 1. The points that were seen in it.
  std::size_t pass() const { return passes_.size(); }
  const PointSet& done() const { return passes_.back().done; }

  void take(const Chunk& chunk);
  // What another one has found at other points of the same pass. Returns why they do not fit, or nothing.
  std::string merge(std::string_view state);
  // Why it cannot go on: more was found than can be kept. Empty: it can.
  std::string trouble() const;

  // Where all points are done: goes on to another pass if a reduction needs one. False: there are the answers.
  bool needs_another_pass() const;
  bool begin_next_pass();
  // Why the last pass cannot be right, or nothing.
  std::string inconsistency() const;
  // What another object needs in order to take part in the present pass. False: these are no such bytes.
  std::string plan() const;
  bool follow(std::string_view plan);

  // Everything, as bytes, equal where it is equal. A state begins with a StateHead (chunk.h).
  std::string encode() const;
  // Into one that was just made. False: these are no state of this study.
  bool decode(std::string_view state);

  // Points that were given up under lower limits than these are open again.
  void forget_given_up(const PointLimits& limits);

  std::vector<ReducedTable> tables() const;
  // By their first points.
  const std::vector<CountedFailure>& failures() const { return failures_; }
  std::uint64_t failed() const;
  // Those of the product, or of the table of points, that `--where` has left out.
  std::uint64_t left_out() const;

 private:
  explicit ReducedStudy(const StudyDescription& study) : study_(study), points_(study_) {}
  struct Pass {
    std::string plan;
    std::vector<std::unique_ptr<Reducer>> reducers;  // null: it had all it needs
    PointSet done;
  };
  std::optional<Pass> next_pass(std::string_view plan) const;
  std::string next_plan() const;
  void add_failure(const CountedFailure& failure);
  void write_failures(ByteWriter& writer) const;
  bool read_failures(ByteReader& reader);

  const StudyDescription study_;
  const StudyPoints points_;
  std::vector<Reduction> reductions_;
  std::vector<Pass> passes_;
  std::vector<CountedFailure> failures_;  // of the first pass
  PointSet given_up_;                     // of these points, under the least of these limits
  PointLimits limits_;
};

}  // namespace wave::analysis
