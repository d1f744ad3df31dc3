// Studies are evaluated in chunks: ranges of points become records, in any order, by whoever has the model.
#pragma once

#include "analysis/study/chunk.h"
#include "analysis/study/journal.h"
#include "analysis/study/study_model.h"

#include <atomic>
#include <chrono>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace wave::analysis {

class ChunkComputer {
 public:
  // All variables of the model are listed. The model and `stop` outlive the object.
  ChunkComputer(StudyModel& model, const StudyId& study, PointLimits limits, const std::atomic<bool>& stop);

  // The record of a chunk (chunk.h), ready for a journal: the same bytes whoever computes it. Nothing: it was told to
  // stop. From any thread, one at a time.
  std::optional<std::string> compute(PointRange range, const std::function<void(std::uint64_t points)>& progress = {});
  // The same before it becomes a record.
  std::optional<Chunk> find(PointRange range, const std::function<void(std::uint64_t points)>& progress = {});

  std::uint64_t points() const { return product_.size(); }
  const StudyId& study() const { return study_; }
  // How many points were evaluated so far; one that is tried again is counted once.
  std::uint64_t computed() const { return computed_; }

 private:
  bool evaluate(PointRange range, Chunk& chunk);
  backend::Limits limits_for(PointRange range) const;

  StudyModel& model_;
  const Product product_;
  const StudyId study_;
  const PointLimits limits_;
  const std::atomic<bool>& stop_;
  std::function<void(std::uint64_t)> progress_;
  PointRange range_;              // of the present chunk
  double seconds_per_point_ = 0;  // of the chunk before
  std::atomic<std::uint64_t> computed_{0};
};

// All that a journal holds of a whole study, as its model would give it at all points. Nothing: it cannot be read.
std::optional<ResultTable> read_results(const Journal& journal, const StudyModel& model);

// How many points the next chunk should have: as many as take a good while, but not long.
class ChunkSizes {
 public:
  std::uint64_t next() const { return next_; }
  void took(std::uint64_t points, double seconds);

  static constexpr std::uint64_t largest = std::uint64_t{1} << 16;
  static constexpr double wanted_seconds = 0.1;

 private:
  std::uint64_t next_ = 1;
};

// The first points of a study, as many as tell how long the others take.
struct TriedPoints {
  std::uint64_t points = 0;
  double seconds_each = 0;
};
TriedPoints try_points(ChunkComputer& computer, const std::function<bool()>& stop);

// Takes records in any order. What went wrong, or nothing.
using RecordSink = std::function<std::string(PointRange range, std::string_view record)>;

struct RunEnd {
  bool stopped = false;  // it was told to
  std::string trouble;   // of the sink
};

// Evaluates `open` on this machine. `progress` is told how many of its points are done.
RunEnd run_here(ChunkComputer& computer, PointSet open, const RecordSink& sink,
                const std::function<void(std::uint64_t points)>& progress = {});

}  // namespace wave::analysis
