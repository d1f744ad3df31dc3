// Rank 0. See team.h.
#include "analysis/study/ranks/team.h"
#include "analysis/study/ranks/waiting.h"

#include <fmt/format.h>

#include <thread>

namespace wave::ranks {
namespace {

// Longer pauses would keep finished ranks waiting.
constexpr std::chrono::microseconds longest_pause{1000};

}  // namespace

Leader::Leader(Transport& transport, Habits habits)
    : transport_(transport),
      habits_(habits),
      accounts_(static_cast<std::size_t>(transport.size())),
      followers_(static_cast<std::size_t>(transport.size())) {
  accounts_.front().host = transport.host();
}

void Leader::lose(int rank) { accounts_[static_cast<std::size_t>(rank)].lost = true; }

bool Leader::send(int rank, const Notice& notice) {
  if (accounts_[static_cast<std::size_t>(rank)].lost) return false;
  if (transport_.send(rank, encode(notice))) return true;
  lose(rank);
  return false;
}

std::vector<Objection> Leader::gather(const std::function<std::string(std::string_view)>& judge) {
  std::vector<Objection> objections;
  Pause pause(longest_pause);
  Awake awake;
  std::size_t missing = followers_.size() - 1;
  for (double waited = 0; missing > 0 && waited < habits_.gathering_seconds; waited += awake.lap()) {
    const auto packet = transport_.receive();
    if (!packet) {
      std::this_thread::sleep_for(pause.next());
      continue;
    }
    pause.something_happened();
    const auto rank = static_cast<std::size_t>(packet->from);
    auto notice = decode(packet->bytes);
    const auto* const hello = notice ? std::get_if<Hello>(&*notice) : nullptr;
    if (followers_[rank].has_come) continue;
    followers_[rank].has_come = true;
    --missing;
    if (hello) accounts_[rank].host = hello->host;
    const std::string trouble = !hello                   ? "it does not say hello: it is another version of the program"
                                : hello->trouble.empty() ? judge(hello->claim)
                                                         : hello->trouble;
    if (!trouble.empty()) objections.push_back({packet->from, accounts_[rank].host, trouble});
  }
  for (std::size_t rank = 1; rank < followers_.size(); ++rank) {
    if (followers_[rank].has_come) continue;
    lose(static_cast<int>(rank));
    objections.push_back(
        {static_cast<int>(rank), "", fmt::format("it has said nothing for {:.0f} s", habits_.gathering_seconds)});
  }
  return objections;
}

// What one call of Leader::run() does.
class Leader::Run {
 public:
  Run(Leader& leader, const std::vector<PointRange>& open,
      const std::function<bool(PointRange, std::string_view)>& take)
      : leader_(leader),
        scheduler_(open, leader.transport_.size(), leader.habits_.chunks),
        evaluator_(*leader.evaluator_),
        take_(take) {
    for (int rank = 1; rank < leader.transport_.size(); ++rank) {
      if (leader.accounts_[static_cast<std::size_t>(rank)].lost) scheduler_.lost(rank);
      leader.followers_[static_cast<std::size_t>(rank)].silent = 0;
    }
  }

  std::optional<Objection> go() {
    Pause pause(longest_pause);
    while (scheduler_.left() > 0 && !objection_ && !stopped_) {
      give_out();
      bool happened = false;
      while (!stopped_ && !objection_) {
        const auto packet = leader_.transport_.receive();
        if (!packet) break;
        hear(*packet);
        happened = true;
      }
      if (auto result = evaluator_.wait(happened ? std::chrono::microseconds(0) : pause.next())) {
        computed_here(std::move(*result));
        happened = true;
      }
      if (happened)
        pause.something_happened();
      else if (!take_({}, {}))
        stopped_ = true;
      mind_the_silent();
    }
    return objection_;
  }

 private:
  void give_out() {
    for (int rank = 1; rank < leader_.transport_.size(); ++rank) {
      const auto range = scheduler_.next(rank);
      if (range && !leader_.send(rank, Assignment{*range})) scheduler_.lost(rank);
    }
    if (!evaluator_.is_idle()) return;
    if (const auto range = scheduler_.next(0)) evaluator_.start(*range);
  }

  void hear(const Packet& packet) {
    const auto rank = static_cast<std::size_t>(packet.from);
    leader_.followers_[rank].silent = 0;
    auto notice = decode(packet.bytes);
    if (!notice) {
      object(packet.from, "it says what nobody understands");
    } else if (const auto* const computed = std::get_if<Computed>(&*notice)) {
      accept(packet.from, *computed);
    } else if (const auto* const broken = std::get_if<Broken>(&*notice)) {
      object(packet.from, broken->trouble);
    }
  }

  void computed_here(Evaluator::Result result) {
    if (!result.parts.empty()) accept(0, {std::move(result.parts), result.seconds});
    if (result.trouble) object(0, result.trouble->text);
  }

  // Parts from a rank that was taken for dead are left out, because others have been given them.
  void accept(int rank, const Computed& computed) {
    if (computed.parts.empty()) return;
    const PointRange all{computed.parts.front().range.begin, computed.parts.back().range.end};
    if (!scheduler_.done(rank, all, computed.seconds)) return;
    Contribution& account = leader_.accounts_[static_cast<std::size_t>(rank)];
    account.points += all.size();
    account.seconds += computed.seconds;
    ++account.chunks;
    for (const ComputedRange& part : computed.parts) {
      if (!stopped_ && !take_(part.range, part.bytes)) stopped_ = true;
    }
  }

  void object(int rank, const std::string& trouble) {
    if (!objection_) objection_ = Objection{rank, leader_.accounts_[static_cast<std::size_t>(rank)].host, trouble};
  }

  void mind_the_silent() {
    const double seconds = awake_.lap();
    const bool signs = (since_signs_ += seconds) > leader_.habits_.sign_seconds;
    if (signs) since_signs_ = 0;
    for (int rank = 1; rank < leader_.transport_.size(); ++rank) {
      if (scheduler_.is_lost(rank)) continue;
      Follower& follower = leader_.followers_[static_cast<std::size_t>(rank)];
      follower.silent += seconds;
      if (follower.silent > leader_.habits_.silence_seconds) leader_.lose(rank);
      if ((signs && !leader_.send(rank, Alive{})) || leader_.accounts_[static_cast<std::size_t>(rank)].lost)
        scheduler_.lost(rank);
    }
  }

  Leader& leader_;
  Scheduler scheduler_;
  Evaluator& evaluator_;
  const std::function<bool(PointRange, std::string_view)>& take_;
  std::optional<Objection> objection_;
  bool stopped_ = false;
  Awake awake_;
  double since_signs_ = 0;
};

std::optional<Objection> Leader::run(const std::vector<PointRange>& open, const Work& work,
                                     const std::function<bool(PointRange, std::string_view)>& take) {
  evaluator_ = std::make_unique<Evaluator>(work, habits_.chunks.seconds);
  try {
    return Run(*this, open, take).go();
  } catch (...) {
    evaluator_.reset();  // what it computes with may be gone soon
    throw;
  }
}

bool Leader::end() {
  std::size_t staying = 0;
  bool all = true;
  for (int rank = 1; rank < transport_.size(); ++rank) {
    if (send(rank, NothingLeft{}))
      ++staying;
    else
      all = false;
  }
  Pause pause(longest_pause);
  Awake awake;
  const auto is_busy = [&] {
    return evaluator_ && !evaluator_->is_idle() && !evaluator_->wait(std::chrono::microseconds(0));
  };
  bool busy = is_busy();
  if (busy) evaluator_->stop();
  for (double waited = 0; (staying > 0 || busy) && waited < habits_.leaving_seconds; waited += awake.lap()) {
    busy = busy && is_busy();
    const auto packet = transport_.receive();
    if (!packet) {
      std::this_thread::sleep_for(pause.next());
      continue;
    }
    pause.something_happened();
    Follower& follower = followers_[static_cast<std::size_t>(packet->from)];
    const auto notice = decode(packet->bytes);
    if (!notice || !std::holds_alternative<Leaving>(*notice) || follower.leaves) continue;
    follower.leaves = true;
    if (!accounts_[static_cast<std::size_t>(packet->from)].lost) --staying;
  }
  return all && staying == 0 && !busy;
}

}  // namespace wave::ranks
