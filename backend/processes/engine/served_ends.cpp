// See served_ends.h.
#include "backend/processes/engine/served_ends.h"

#include "backend/processes/engine/recording.h"

#include <algorithm>
#include <limits>

namespace wave::backend::processes::engine {

namespace {

using Kind = ir::Step::Kind;
using Steps = std::vector<ServedEnds::Step>;

double lookahead(const Steps& steps, const std::vector<bool>& is_at_once) {
  double least = std::numeric_limits<double>::infinity(), since = 0;
  for (const ServedEnds::Step& step : steps) {
    const bool asks = step.use.resource != none && !is_at_once[step.use.resource];
    if (step.kind == Kind::busy) since += step.time;
    if (ir::is_awaiting(step.kind) || (step.kind == Kind::acquire && asks)) since = 0;
    if (step.kind == Kind::emit) least = std::min(least, step.time + (asks ? 0 : since));
  }
  return least;
}

bool has_charge(const Steps& steps) {
  const auto first = std::ranges::find_if(steps, ir::is_awaiting, &ServedEnds::Step::kind);
  return std::any_of(first, steps.end(),
                     [](const auto& step) { return step.kind == Kind::busy && step.is_charged_later; });
}

}  // namespace

std::size_t ServedEnds::bytes() const {
  return sizeof(ServedEnds) + (steps[0].size() + steps[1].size()) * sizeof(Step) + targets.size() * sizeof(targets[0]) +
         passes.size() * sizeof(ServedUse);
}

std::unique_ptr<ServedEnds> ServedEnds::make(const ResolvedEnds& resolved,
                                             const std::function<ServedUse(const ResolvedUse&)>& find,
                                             const std::vector<bool>& is_at_once) {
  auto ends = std::make_unique<ServedEnds>();
  ends->resolved = &resolved;
  ends->protocol = resolved.protocol;
  ends->window = resolved.window;
  const std::vector<ResolvedStep>* const sides[2] = {&resolved.sender, &resolved.receiver};
  if (std::max(sides[0]->size(), sides[1]->size()) > std::numeric_limits<std::int16_t>::max()) return nullptr;
  for (std::size_t side = 0; side < 2; ++side) {
    for (const ResolvedStep& one : *sides[side]) {
      Step step;
      step.kind = one.kind;
      step.slot = static_cast<std::uint16_t>(one.slot);
      step.place = static_cast<std::int16_t>(ends->steps[side].size());
      step.signal = one.signal;
      if (one.asks()) step.use = find(one.uses.front());
      step.time = one.time;
      step.next = static_cast<std::uint16_t>(ends->passes.size());
      if (one.uses.size() > Service::most_uses) return nullptr;
      for (std::size_t i = 1; i < one.uses.size(); ++i) {
        if (ends->passes.size() == std::numeric_limits<std::uint16_t>::max()) return nullptr;
        ends->passes.push_back(find(one.uses[i]));
      }
      step.last = static_cast<std::uint16_t>(ends->passes.size());
      step.first = static_cast<std::uint16_t>(ends->targets.size());
      for (std::size_t i = 0; one.kind == Kind::emit && i < sides[1 - side]->size(); ++i) {
        const ResolvedStep& there = (*sides[1 - side])[i];
        if ((there.kind != Kind::await && there.kind != Kind::arrival) || there.signal != one.signal) continue;
        if (ends->targets.size() == std::numeric_limits<std::uint16_t>::max()) return nullptr;
        ends->targets.push_back(static_cast<std::uint16_t>(i));
        step.is_taken = step.is_taken || there.kind == Kind::arrival;
      }
      step.end = static_cast<std::uint16_t>(ends->targets.size());
      step.is_watched = one.kind == Kind::emit && std::ranges::any_of(*sides[side], [&](const ResolvedStep& later) {
                          return later.kind == Kind::sent && later.signal == one.signal;
                        });
      ends->steps[side].push_back(step);
    }
    bool is_last = true;
    double work = 0;
    for (auto step = ends->steps[side].rbegin(); step != ends->steps[side].rend(); ++step) {
      step->is_charged_later = is_last;
      if (step->kind == Kind::emit) is_last = false;
      if (step->kind == Kind::busy) work = step->time;
      if (step->kind == Kind::acquire) step->time = work;
    }
    ends->is_charged[side] = has_charge(ends->steps[side]);
  }
  ends->lookahead =
      std::min(engine::lookahead(ends->steps[0], is_at_once), engine::lookahead(ends->steps[1], is_at_once));
  return ends;
}

}  // namespace wave::backend::processes::engine
