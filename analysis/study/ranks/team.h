// The ranks at work. Rank 0 leads, and also computes on a thread of its own. The others follow. Rank 0 hands on what it
// receives immediately, so that a rank that dies loses only what it had not sent.
#pragma once

#include "analysis/study/ranks/evaluator.h"
#include "analysis/study/ranks/notices.h"
#include "analysis/study/ranks/transport.h"

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace wave::ranks {

struct Habits {
  Chunks chunks;
  // A rank that is silent for this long is taken for dead. A rank with nothing to say sends signs of life. Only the
  // time for which this process was running counts.
  double silence_seconds = 60;
  double sign_seconds = 10;
  // Rank 0 may be busy with its files for long. If it dies, MPI ends the others.
  double leader_silence_seconds = 6 * 3600;
  // How long to wait until ranks have read the model, and until they have put down their work.
  double gathering_seconds = 600, leaving_seconds = 2;
};

// A rank with which the study cannot go on, and why.
struct Objection {
  int rank = 0;
  std::string host;
  std::string trouble;
};

// What a rank did.
struct Contribution {
  std::string host;
  std::uint64_t points = 0, chunks = 0;
  double seconds = 0;  // of computing
  bool lost = false;
};

// The part of rank 0.
class Leader {
 public:
  Leader(Transport& transport, Habits habits = {});

  // Waits until all ranks have said hello. Returns those that cannot take part, either because they say so or because
  // of `judge`, which gets the claim of a rank and says what is wrong with it, if anything.
  std::vector<Objection> gather(const std::function<std::string(std::string_view claim)>& judge);

  // Has all ranks compute all points of `open`. `take` gets every part, in the order in which they come, and says
  // whether to go on. If nothing comes, it is asked the same now and then with an empty range. Returns nothing if all
  // is done or `take` ended the run, and else what ended it. This rank may still be computing, until end().
  std::optional<Objection> run(const std::vector<PointRange>& open, const Work& work,
                               const std::function<bool(PointRange, std::string_view bytes)>& take);

  // Sends the others home. False if not all of them go: a rank is lost, or does not stop what it is doing. That may be
  // this rank itself. Then waiting for it, as the destructor does, can take long.
  bool end();

  const std::vector<Contribution>& accounts() const { return accounts_; }

 private:
  class Run;

  struct Follower {
    double silent = 0;  // seconds
    bool has_come = false, leaves = false;
  };

  void lose(int rank);
  bool send(int rank, const Notice& notice);

  Transport& transport_;
  const Habits habits_;
  std::vector<Contribution> accounts_;  // of all ranks
  std::vector<Follower> followers_;
  std::unique_ptr<Evaluator> evaluator_;
};

// The part of all other ranks. False if rank 0 is gone.
bool follow(Transport& transport, const Hello& hello, const Work& work, const Habits& habits = {});

}  // namespace wave::ranks
