// `wave sweep` as one of several programs that mpirun started. All compute; rank 0 also keeps the journal and reports.
#pragma once

#include "analysis/study/description.h"
#include "analysis/study/ranks/mpi_transport.h"
#include "analysis/study/ranks/team.h"
#include "analysis/study/run.h"
#include "cli/console.h"

#include <atomic>
#include <functional>
#include <memory>
#include <optional>
#include <string>

namespace wave::cli {

class MpiJob {
 public:
  MpiJob(std::unique_ptr<ranks::MpiTransport> transport, Console& console);
  // Unless end() was called, ends the other ranks, or tells them what was reported here.
  ~MpiJob();
  MpiJob(const MpiJob&) = delete;
  MpiJob& operator=(const MpiJob&) = delete;

  bool leads() const { return transport_->rank() == 0; }
  // Set when this rank is to stop, for the code that computes.
  const std::atomic<bool>& stop() const { return stop_; }

  // Of rank 0: waits until all ranks have read the model. False, reported, where some cannot take part or make another
  // claim.
  bool agree(const std::string& claim);
  // Of rank 0, after that: as run_here, on all ranks. Nothing, reported, where a rank cannot go on; `kept` says what
  // becomes of what was found. `is_interrupted` is asked now and then.
  std::optional<analysis::RunEnd> run(analysis::ChunkComputer& computer, const analysis::PointSet& open,
                                      const analysis::RecordSink& sink,
                                      const std::function<void(std::uint64_t points)>& progress,
                                      const std::function<bool()>& is_interrupted, const std::string& kept);
  // Of the others: computes what rank 0 asks for, until there is no more. Returns what the program exits with.
  int serve(analysis::ChunkComputer& computer, const std::string& claim);

  // Of rank 0: points that were computed by all ranks.
  std::uint64_t computed() const;
  // "rank 3 on node7: 1 200 points in 5 chunks, 1.2 s", a line each.
  std::string account() const;

  // All ranks leave, once. Returns what this program exits with, `code` being what rank 0 is about to. What was given
  // to run() is in use until then.
  int end(int code);

 private:
  bool leave();
  ranks::Work work_of(analysis::ChunkComputer& computer);

  const std::unique_ptr<ranks::MpiTransport> transport_;
  Console& console_;
  std::atomic<bool> stop_{false};
  std::optional<ranks::Leader> leader_;
  bool gathered_ = false, served_ = false, ended_ = false;
  bool leader_is_there_ = true;
};

// What a rank is about to compute, and within which limits: the same on all ranks.
std::string claim_of(const analysis::StudyDescription& study, double point_limit_seconds, const CommonOptions& options);

struct Joined {
  std::unique_ptr<MpiJob> job;   // none: this program is alone
  std::optional<int> exit_code;  // it should be one of several, and cannot be
};
enum class MpiChoice { automatic, always, never };
// Starts MPI where that is asked for, or where this program is one of several; a part of a study is computed alone.
// Ranks other than 0 say nothing from then on.
Joined join_mpi(MpiChoice choice, bool is_part, Console& console);

}  // namespace wave::cli
