// See against.h.
#include "analysis/recorded/against.h"

#include "analysis/recorded/recording.h"

#include <algorithm>
#include <functional>
#include <limits>
#include <map>
#include <numeric>
#include <set>
#include <tuple>
#include <utility>

namespace wave::analysis::recorded {

namespace {

using Kind = Step::Kind;

bool is_same_collective(const Step& program, const Step& model) {
  const bool is_same_size = program.size < 0 || model.size < 0 || program.size == model.size;
  return collective_of(model.name) == program.name && is_same_size && program.participants == model.participants;
}

// What is compared of a message.
using Key = std::tuple<Kind, std::int64_t, double>;
Key key_of(const Step& step) { return {step.kind, step.peer, step.size}; }

// An exchange as it is written most often. Of one side alone, that.
void write_exchange(const Step& exchange, Steps& steps) {
  Step receive = exchange, send = exchange, wait = exchange;
  receive.kind = exchange.peer < 0 ? Kind::receive : Kind::posted_receive;
  receive.peer = exchange.from;
  receive.size = exchange.received;
  send.kind = Kind::send;
  wait.kind = Kind::wait;
  wait.peer = -1;
  if (exchange.from >= 0) {
    wait.ended = {steps.size()};
    steps.push_back(receive);
  }
  if (exchange.peer >= 0) steps.push_back(send);
  if (exchange.from >= 0 && exchange.peer >= 0) steps.push_back(wait);
}

// What an exchange sends and receives.
using Values = std::tuple<std::int64_t, double, std::int64_t, double>;
Values values_of(const Step& exchange) {
  return {exchange.peer, exchange.peer < 0 ? 0 : exchange.size, exchange.from,
          exchange.from < 0 ? 0 : exchange.received};
}
std::set<Values> exchanges_in(const Steps& steps) {
  std::set<Values> result;
  for (const Step& step : steps) {
    if (step.kind == Kind::exchange) result.insert(values_of(step));
  }
  return result;
}

// These exchanges written alike, whether one call or several; and waits as they are compared.
Steps comparable(const Steps& steps, const std::set<Values>& exchanges) {
  Steps result;
  std::vector<std::size_t> place(steps.size());
  for (std::size_t i = 0; i < steps.size();) {
    auto written = steps[i].kind == Kind::exchange ? std::optional(WrittenExchange{steps[i], i + 1}) : std::nullopt;
    if (!written && !exchanges.empty()) written = exchange_at(steps, i);
    if (written && exchanges.count(values_of(written->exchange)) > 0) {
      write_exchange(written->exchange, result);
      i = written->end;
      continue;
    }
    place[i] = result.size();
    result.push_back(steps[i]);
    for (std::size_t& ended : result.back().ended) ended = place[ended];
    for (std::size_t& chosen : result.back().chosen) chosen = place[chosen];
    ++i;
  }
  return with_whole_waits(result);
}

// Takes one of those that are left, if there is one.
bool take_one(std::map<Key, std::int64_t>& left, const Key& key) {
  const auto found = left.find(key);
  if (found == left.end() || found->second == 0) return false;
  --found->second;
  return true;
}

// The first of these messages that none of the others matches, each of which matches one. What came from anybody
// matches what is the same but for that, where nothing matches it better.
std::optional<std::size_t> first_unmatched(const Steps& steps, const std::vector<std::size_t>& some,
                                           const Steps& others, const std::vector<std::size_t>& matches) {
  std::map<Key, std::int64_t> left;
  for (const std::size_t i : matches) ++left[key_of(others[i])];
  std::vector<std::size_t> rest;
  for (const std::size_t i : some) {
    if (!take_one(left, key_of(steps[i]))) rest.push_back(i);
  }
  for (const std::size_t i : rest) {
    const Step& step = steps[i];
    const auto is_match = [&](const auto& one) {
      return one.second > 0 && std::get<0>(one.first) == step.kind && std::get<2>(one.first) == step.size;
    };
    if (take_one(left, {step.kind, Step::anybody, step.size})) continue;
    const auto found = step.peer == Step::anybody ? std::find_if(left.begin(), left.end(), is_match) : left.end();
    if (found == left.end()) return i;
    --found->second;
  }
  return std::nullopt;
}

bool is_same(const Steps& program, const Step& one, const Steps& model, const Step& other) {
  if (one.kind != other.kind) return false;
  if (one.kind == Kind::collective) return is_same_collective(one, other);
  if (one.kind == Kind::wait)
    return one.ended.size() == other.ended.size() && !first_unmatched(program, one.ended, model, other.ended);
  return one.size == other.size && (one.peer == other.peer || one.peer == Step::anybody);
}

// Whether others may come before or after it where only waits give an order.
bool is_in_any_order(const Step& step) { return is_send(step) || step.kind == Kind::posted_receive; }

class Ranks {
 public:
  Ranks(const Steps& program, Steps model) : program_(program), model_(std::move(model)) {
    if (std::ranges::all_of(model_, [](const Step& step) { return step.chosen.empty(); })) return;
    for (std::size_t m = 0; m < model_.size(); ++m) {
      for (const std::size_t ended : model_[m].ended) ended_at_[ended] = m;
    }
  }

  std::optional<Difference> first_difference(CallOrder order) {
    std::size_t p = 0, m = 0;
    while (p < program_.size() || m < model_.size()) {
      if (order == CallOrder::by_wait) {
        if (auto difference = skip_up_to_wait(p, m)) return difference;
        if (p == program_.size() && m == model_.size()) break;
      }
      if (p < program_.size() && m < model_.size() && !model_[m].chosen.empty() && program_[p].kind == Kind::wait)
        choose_as(program_[p], m);
      if (p == program_.size() || m == model_.size() || !is_same(program_, program_[p], model_, model_[m]))
        return difference_at(p, m);
      ++p;
      ++m;
    }
    return std::nullopt;
  }

 private:
  static std::vector<std::size_t> in_any_order(const Steps& steps, std::size_t from) {
    std::vector<std::size_t> result;
    for (; from < steps.size() && is_in_any_order(steps[from]); ++from) result.push_back(from);
    return result;
  }

  // Lets a `waitany` of the model take what the program took, where that is among what it may take.
  void choose_as(const Step& one, std::size_t m) {
    Step& wait = model_[m];
    while (const auto wanted = first_unmatched(program_, one.ended, model_, wait.ended)) {
      const auto surplus = first_unmatched(model_, wait.ended, program_, one.ended);
      if (!surplus) return;
      const auto chosen = std::ranges::find_if(
          wait.chosen, [&](std::size_t step) { return key_of(model_[step]) == key_of(model_[*surplus]); });
      const auto other = chosen == wait.chosen.end() ? std::nullopt : pending_as(program_[*wanted], m);
      if (!other) return;
      exchange(std::size_t{*chosen}, *other, m);
    }
  }
  // What a `waitany` of this wait may take, that is pending, and that is like this call of the program.
  std::optional<std::size_t> pending_as(const Step& call, std::size_t m) const {
    for (std::size_t step = m; step-- > 0;) {
      const Step& begun = model_[step];
      if (begun.name_of_call == Step::no_name || std::ranges::count(model_[m].names, begun.name_of_call) == 0) continue;
      const auto ended = ended_at_.find(step);
      if ((ended == ended_at_.end() || ended->second > m) && is_same(program_, call, model_, begun)) return step;
    }
    return std::nullopt;
  }
  // Ends `other` at the wait m in place of `chosen`, and that where `other` was.
  void exchange(std::size_t chosen, std::size_t other, std::size_t m) {
    const auto later = ended_at_.find(other);
    ended_at_.erase(chosen);
    if (later != ended_at_.end()) {
      Step& wait = model_[later->second];
      std::ranges::replace(wait.ended, other, chosen);
      std::ranges::replace(wait.chosen, other, chosen);
      ended_at_[chosen] = later->second;
    }
    std::ranges::replace(model_[m].ended, chosen, other);
    std::ranges::replace(model_[m].chosen, chosen, other);
    ended_at_[other] = m;
  }

  std::optional<Difference> skip_up_to_wait(std::size_t& p, std::size_t& m) const {
    const auto in_program = in_any_order(program_, p), in_model = in_any_order(model_, m);
    const auto program_only = first_unmatched(program_, in_program, model_, in_model),
               model_only = first_unmatched(model_, in_model, program_, in_program);
    p += in_program.size();
    m += in_model.size();
    if (!program_only && !model_only) return std::nullopt;
    return difference_at(program_only.value_or(p), model_only.value_or(m));
  }

  Difference difference_at(std::size_t p, std::size_t m) const {
    Difference result;
    if (p < program_.size()) result.in_program = program_[p];
    if (m < model_.size()) {
      result.in_model = model_[m];
      const Location& here = model_[m].location;
      result.times_before = static_cast<std::size_t>(
          std::count_if(model_.begin(), model_.begin() + static_cast<std::ptrdiff_t>(m), [&](const Step& one) {
            return one.location.file == here.file && one.location.begin == here.begin && one.location.end == here.end;
          }));
    }
    if (result.in_program && result.in_model && result.in_program->kind == Kind::wait &&
        result.in_model->kind == Kind::wait) {
      const auto &in_program = program_[p].ended, &in_model = model_[m].ended;
      if (const auto only = first_unmatched(program_, in_program, model_, in_model))
        result.ended_in_program = program_[*only];
      if (const auto only = first_unmatched(model_, in_model, program_, in_program))
        result.ended_in_model = model_[*only];
    }
    return result;
  }

  const Steps& program_;
  Steps model_;
  std::map<std::size_t, std::size_t> ended_at_;  // of a model with `waitany`: the wait for what was begun there
};

// The model's rank of each rank of the program, if ranks run along the axes in this order.
std::vector<std::size_t> ranks_by(const std::vector<std::size_t>& numbering, const std::vector<std::int64_t>& extents) {
  const auto count =
      static_cast<std::size_t>(std::accumulate(extents.begin(), extents.end(), std::int64_t{1}, std::multiplies<>()));
  std::vector<std::size_t> result(count);
  std::vector<std::int64_t> point(extents.size());
  for (std::size_t rank = 0; rank < count; ++rank) {
    auto rest = static_cast<std::int64_t>(rank);
    for (std::size_t k = numbering.size(); k-- > 0;) {
      point[numbering[k]] = rest % extents[numbering[k]];
      rest /= extents[numbering[k]];
    }
    std::int64_t row_major = 0;
    for (std::size_t axis = 0; axis < extents.size(); ++axis) row_major = row_major * extents[axis] + point[axis];
    result[rank] = static_cast<std::size_t>(row_major);
  }
  return result;
}

// How far off what ranks send is from what the model's do: whom they send to counts more than how much.
std::size_t distance(const std::vector<SentTo>& program, const std::vector<SentTo>& model,
                     const std::vector<std::size_t>& ranks) {
  std::size_t off = 0;
  for (std::size_t rank = 0; rank < program.size(); ++rank) {
    const SentTo& own = model[ranks[rank]];
    std::size_t shared = 0, same = 0;
    for (const auto& [peer, sent] : program[rank]) {
      const auto found = own.find(static_cast<std::int64_t>(ranks[static_cast<std::size_t>(peer)]));
      shared += found != own.end();
      same += found != own.end() && found->second == sent;
    }
    off += 2 * (program[rank].size() + own.size() - 2 * shared) + shared - same;
  }
  return off;
}

std::vector<std::size_t> find_numbering(const std::vector<Steps>& program, const std::vector<Steps>& model,
                                        const std::vector<std::int64_t>& extents) {
  std::vector<SentTo> in_program, in_model;
  for (const Steps& steps : program) in_program.push_back(sent_by(steps));
  for (const Steps& steps : model) in_model.push_back(sent_by(steps));
  std::vector<std::size_t> axes(extents.size());
  std::iota(axes.begin(), axes.end(), 0);
  std::vector<std::size_t> best = axes;
  std::size_t least = std::numeric_limits<std::size_t>::max();
  constexpr std::size_t most_axes = 6;
  do {
    const std::size_t off = distance(in_program, in_model, ranks_by(axes, extents));
    if (off >= least) continue;
    least = off;
    best = axes;
  } while (least > 0 && axes.size() <= most_axes && std::next_permutation(axes.begin(), axes.end()));
  return best;
}

}  // namespace

Totals totals_of(const Steps& steps) {
  Totals totals;
  for (const auto& [peer, sent] : sent_by(steps)) {
    totals.messages += sent.messages;
    totals.bytes += sent.bytes;
    ++totals.partners;
  }
  totals.collectives =
      std::count_if(steps.begin(), steps.end(), [](const Step& step) { return step.kind == Kind::collective; });
  totals.calls = static_cast<std::int64_t>(steps.size());
  return totals;
}

Compared compare(const std::vector<Steps>& program, const std::vector<Steps>& model,
                 const std::vector<std::int64_t>& extents, CallOrder order) {
  Compared result;
  result.numbering = find_numbering(program, model, extents);
  const auto ranks = ranks_by(result.numbering, extents);
  std::vector<std::int64_t> program_rank(ranks.size());
  for (std::size_t rank = 0; rank < ranks.size(); ++rank) program_rank[ranks[rank]] = static_cast<std::int64_t>(rank);
  for (std::size_t rank = 0; rank < program.size(); ++rank) {
    Steps own = model[ranks[rank]];
    for (Step& step : own) {
      if (step.peer >= 0) step.peer = program_rank[static_cast<std::size_t>(step.peer)];
    }
    const std::set<Values> exchanges = exchanges_in(program[rank]);
    const Steps recorded = comparable(program[rank], exchanges);
    own = comparable(own, exchanges);
    result.program.push_back(totals_of(recorded));
    result.model.push_back(totals_of(own));
    result.differences.push_back(Ranks(recorded, std::move(own)).first_difference(order));
  }
  return result;
}

}  // namespace wave::analysis::recorded
