// See steps.h.
#include "analysis/recorded/steps.h"

#include <algorithm>

namespace wave::analysis::recorded {

bool is_send(const Step& step) {
  return step.kind == Step::Kind::send || step.kind == Step::Kind::started_send ||
         (step.kind == Step::Kind::exchange && step.peer >= 0);
}

std::optional<WrittenExchange> exchange_at(const Steps& steps, std::size_t at) {
  using Kind = Step::Kind;
  WrittenExchange result;
  result.exchange.kind = Kind::exchange;
  result.exchange.location = steps[at].location;
  std::vector<std::size_t> in_background;
  bool sends = false, receives = false;
  std::size_t next = at;
  for (; next < steps.size(); ++next) {
    const Step& step = steps[next];
    const bool is_receive = step.kind == Kind::receive || step.kind == Kind::posted_receive;
    const bool is_sent = step.kind == Kind::send || step.kind == Kind::started_send;
    if ((is_receive && receives) || (is_sent && sends) || (!is_receive && !is_sent)) break;
    if (step.peer == Step::anybody) break;
    // What is not in the background comes last.
    if ((step.kind == Kind::receive || step.kind == Kind::send) && in_background.size() < next - at) break;
    if (step.kind == Kind::posted_receive || step.kind == Kind::started_send) in_background.push_back(next);
    if (is_receive) {
      receives = true;
      result.exchange.from = step.peer;
      result.exchange.received = step.size;
    } else {
      sends = true;
      result.exchange.peer = step.peer;
      result.exchange.size = step.size;
    }
    if (in_background.size() < next - at + 1) {
      ++next;
      break;
    }
  }
  if (next == at) return std::nullopt;
  if (!in_background.empty()) {
    if (next == steps.size() || steps[next].kind != Kind::wait) return std::nullopt;
    std::vector<std::size_t> ended = steps[next].ended;
    std::sort(ended.begin(), ended.end());
    if (ended != in_background) return std::nullopt;
    ++next;
  }
  result.end = next;
  return result;
}

Steps with_whole_waits(const Steps& steps, std::vector<std::size_t>* from) {
  constexpr auto gone = static_cast<std::size_t>(-1);
  Steps result;
  std::vector<std::size_t> place(steps.size(), gone);
  for (std::size_t i = 0; i < steps.size(); ++i) {
    const Step& step = steps[i];
    if (step.kind != Step::Kind::wait) {
      place[i] = result.size();
      result.push_back(step);
      if (from != nullptr) from->push_back(i);
      continue;
    }
    if (step.ended.empty()) continue;
    const bool goes_on = !result.empty() && result.back().kind == Step::Kind::wait;
    if (!goes_on) {
      result.push_back(step);
      result.back().ended.clear();
      result.back().chosen.clear();
      result.back().names.clear();
      if (from != nullptr) from->push_back(i);
    }
    const auto move = [&](const std::vector<std::size_t>& steps_before, std::vector<std::size_t>& into) {
      for (const std::size_t one : steps_before) {
        if (one < i && place[one] != gone) into.push_back(place[one]);
      }
    };
    move(step.ended, result.back().ended);
    move(step.chosen, result.back().chosen);
    result.back().names.insert(result.back().names.end(), step.names.begin(), step.names.end());
  }
  return result;
}

Steps part_of(const Steps& steps, std::size_t from, std::size_t to) {
  Steps result(steps.begin() + static_cast<std::ptrdiff_t>(from), steps.begin() + static_cast<std::ptrdiff_t>(to));
  for (Step& step : result) {
    std::vector<std::size_t> inside;
    for (const std::size_t ended : step.ended) {
      if (ended >= from) inside.push_back(ended - from);
    }
    step.ended = std::move(inside);
  }
  return result;
}

SentTo sent_by(const Steps& steps) {
  SentTo result;
  for (const Step& step : steps) {
    if (!is_send(step) || step.peer < 0) continue;
    Sent& sent = result[step.peer];
    ++sent.messages;
    sent.bytes += std::max(step.size, 0.0);
  }
  return result;
}

}  // namespace wave::analysis::recorded
