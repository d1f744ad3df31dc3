// The ranks at work. Rank 0 leads, and also computes on a thread of its own; the others follow. Rank 0 hands on at once
// what it receives, so that a rank that dies loses only what it had not sent.
#pragma once

#include "analysis/study/ranks/evaluator.h"
#include "analysis/study/ranks/messages.h"
#include "analysis/study/ranks/transport.h"

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace wave::ranks {

struct Habits {
  Chunks chunks;
  // A rank that is silent for this long is taken for dead. Ranks with nothing to say send signs of life. Only time in
  // which this process was running counts.
  double silence_seconds = 60;
  double sign_seconds = 10;
  // Rank 0 may be busy with its files for long; where it dies MPI ends the others.
  double leader_silence_seconds = 6 * 3600;
  // Until ranks have read the model, and until they have put down what they were doing.
  double gathering_seconds = 600, leaving_seconds = 2;
};

// A rank with which it cannot go on, and why.
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

// Of rank 0.
class Leader {
 public:
  Leader(Transport& transport, Habits habits = {});

  // Waits for all to say hello. Those that cannot take part, by what they say themselves or by `judge`, which is told
  // the claim of a rank and says what is wrong with it, or nothing.
  std::vector<Objection> gather(const std::function<std::string(std::string_view claim)>& judge);

  // Has all points of `open` computed, by all ranks. `take` gets every part, in the order in which they come, and says
  // whether it goes on; `take` with an empty range now and then where nothing comes, for the same question. Nothing
  // where all is done or `take` ended it; else what ended it. This rank may be computing still, until end().
  std::optional<Objection> run(const std::vector<PointRange>& open, const Work& work,
                               const std::function<bool(PointRange, std::string_view bytes)>& take);

  // Sends the others home. Whether all go; else somebody is lost, or does not stop what it is doing, perhaps this rank
  // itself: then waiting for it, as destruction does, can take long.
  bool end();

  const std::vector<Contribution>& accounts() const { return accounts_; }

 private:
  class Run;

  struct Peer {
    double silent = 0;  // seconds
    bool has_come = false, leaves = false;
  };

  void lose(int rank);
  bool say(int rank, const Word& word);

  Transport& transport_;
  const Habits habits_;
  std::vector<Contribution> accounts_;  // of all ranks
  std::vector<Peer> peers_;
  std::unique_ptr<Evaluator> evaluator_;
};

// Of all other ranks. False where rank 0 is gone.
bool follow(Transport& transport, const Hello& hello, const Work& work, const Habits& habits = {});

}  // namespace wave::ranks
