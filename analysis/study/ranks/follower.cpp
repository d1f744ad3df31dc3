// The ranks other than 0. See team.h.
#include "analysis/study/ranks/team.h"
#include "analysis/study/ranks/waiting.h"

namespace wave::ranks {
namespace {

// While nothing is being computed, rank 0 is about to give out work. Otherwise it rarely sends anything.
constexpr std::chrono::microseconds longest_pause_idle{500}, longest_pause_busy{5000};

}  // namespace

bool follow(Transport& transport, const Hello& hello, const Work& work, const Habits& habits) {
  constexpr int leader = 0;
  const auto send = [&](const Notice& notice) { return transport.send(leader, encode(notice)); };
  Hello own = hello;
  own.host = transport.host();
  if (!send(own)) return false;
  Evaluator evaluator(work, habits.chunks.seconds);
  Pause idle(longest_pause_idle), busy(longest_pause_busy);
  Awake awake;
  double silent = 0, since_sign = 0;
  for (bool ended = false; !ended || !evaluator.is_idle();) {
    bool happened = false;
    while (const auto packet = transport.receive()) {
      happened = true;
      silent = 0;
      const auto notice = decode(packet->bytes);
      const auto* const assignment = notice ? std::get_if<Assignment>(&*notice) : nullptr;
      if (assignment && evaluator.is_idle()) evaluator.start(assignment->range);
      if (!notice || !std::holds_alternative<NothingLeft>(*notice)) continue;
      ended = true;
      if (!evaluator.is_idle()) evaluator.stop();
    }
    if (happened) {
      idle.something_happened();
      busy.something_happened();
    }
    if (ended && evaluator.is_idle()) break;
    if (auto result = evaluator.wait((evaluator.is_idle() ? idle : busy).next())) {
      idle.something_happened();
      since_sign = 0;
      if (!ended && !result->parts.empty() && !send(Computed{std::move(result->parts), result->seconds})) return false;
      if (!ended && result->trouble && !send(Broken{result->trouble->text})) return false;
    }
    const double seconds = awake.lap();
    silent += seconds;
    since_sign += seconds;
    if (silent > habits.leader_silence_seconds) return false;
    if (since_sign > habits.sign_seconds) {
      since_sign = 0;
      if (!send(Alive{})) return false;
    }
  }
  return send(Leaving{});
}

}  // namespace wave::ranks
