// From the straight line of a body to events, and their contraction.
#include "backend/jit/sweep/events.h"

#include "backend/jit/sweep/thresholds.h"

#include <algorithm>

namespace wave::jit::sweep {

namespace {

using backend::processes::SweepBody;
using Operation = SweepBody::Operation;

Offset offset_of(const std::vector<std::int8_t>& peer) {
  Offset offset{};
  std::copy(peer.begin(), peer.end(), offset.begin());
  return offset;
}

// One event an operation.
class Line {
 public:
  Line(const SweepBody& body, const Variation& variation) : body_(body), variation_(variation) {}

  std::optional<Events> build() {
    if (!signals_match()) return std::nullopt;
    for (std::uint32_t number = 0; number < body_.carried; ++number) {
      current_.push_back(add({.kind = SweepEvent::Kind::earlier, .number = number}));
    }
    current_.resize(body_.registers, 0);
    const EventIndex first_signal = size();
    for (std::uint32_t signal = 0; signal < body_.signals; ++signal) add({});
    first_signal_ = first_signal;
    for (std::uint32_t number = 0; number < body_.operations.size(); ++number) translate(number);
    for (std::uint32_t number = 0; number < body_.carried; ++number) {
      const EventIndex last = add({.edges = {{current_[number], {}, Weights::zero}}});
      result_.events[number].of = last;
      result_.carried.push_back({number, last});
    }
    return std::move(result_);
  }

 private:
  EventIndex size() const { return static_cast<EventIndex>(result_.events.size()); }

  EventIndex add(SweepEvent event) {
    result_.events.push_back(std::move(event));
    return size() - 1;
  }

  // Every awaited signal comes from where its emit sends it.
  bool signals_match() const {
    for (const Operation& await : body_.operations) {
      if (await.kind != Operation::Kind::await) continue;
      const Offset from = offset_of(await.peer);
      const auto sends_it = [&](const Operation& emit) {
        return emit.kind == Operation::Kind::emit && emit.signal == await.signal &&
               plus(offset_of(emit.peer), from) == Offset{};
      };
      if (std::none_of(body_.operations.begin(), body_.operations.end(), sends_it)) return false;
    }
    return true;
  }

  WeightId uniform(const Operation& operation) {
    WeightId sum = Weights::zero;
    for (const std::uint32_t weight : operation.weights) {
      if (variation_.weights[weight] == Variation::Kind::uniform) {
        sum = result_.weights.sum(sum, result_.weights.given(weight));
      }
    }
    return sum;
  }

  EventIndex array(std::uint32_t weight) {
    const auto [known, is_new] = arrays_.try_emplace(weight, size());
    if (is_new) add({.kind = SweepEvent::Kind::array, .number = weight});
    return known->second;
  }

  std::vector<Addend> varying(const Operation& operation, WeightId gate) {
    std::vector<Addend> addends;
    for (const std::uint32_t weight : operation.weights) {
      switch (variation_.weights[weight]) {
        case Variation::Kind::uniform: break;
        case Variation::Kind::by_process: addends.push_back({weight, array(weight), gate}); break;
        case Variation::Kind::by_tile: addends.push_back({weight, std::nullopt, gate}); break;
      }
    }
    return addends;
  }

  // source + the operation's weights, where it happens.
  Edge weighted(const Operation& operation, Edge source, const Offset& gate) {
    Weights& weights = result_.weights;
    const WeightId weight = weights.gated(gate, uniform(operation), Weights::never);
    auto addends = varying(operation, Weights::zero);
    if (!addends.empty()) source = {add({.edges = {source}, .addends = std::move(addends)}), {}, Weights::zero};
    source.weight = weight;
    return source;
  }

  // The target or another time, whichever is later.
  void take_larger(std::uint32_t number, Edge other) {
    EventIndex& target = current_[body_.operations[number].target];
    other.is_other = variation_.records;
    SweepEvent event{.edges = {{target, {}, Weights::zero}, other}};
    if (variation_.records) event.choice = number;
    target = add(std::move(event));
  }

  void translate(std::uint32_t number) {
    const Operation& operation = body_.operations[number];
    Weights& weights = result_.weights;
    const Offset peer = offset_of(operation.peer);
    const WeightId gate = weights.gated(peer, Weights::zero, Weights::never);
    const WeightId otherwise = weights.gated(peer, Weights::never, Weights::zero);
    EventIndex& target = current_[operation.target];
    switch (operation.kind) {
      case Operation::Kind::add: {
        const WeightId weight = weights.gated(peer, uniform(operation), Weights::zero);
        target = add({.edges = {{target, {}, weight}}, .addends = varying(operation, gate)});
        break;
      }
      case Operation::Kind::copy: {
        std::vector<Edge> edges{weighted(operation, {current_[operation.source], {}, Weights::zero}, peer)};
        if (otherwise != Weights::never) edges.push_back({target, {}, otherwise});
        target = add({.edges = std::move(edges)});
        break;
      }
      case Operation::Kind::join:
        take_larger(number, weighted(operation, {current_[operation.source], {}, Weights::zero}, peer));
        break;
      case Operation::Kind::emit: {
        const Edge edge = weighted(operation, {current_[operation.source], {}, Weights::zero}, {});
        result_.events[first_signal_ + operation.signal].edges = {edge};
        break;
      }
      case Operation::Kind::await:
        take_larger(number, weighted(operation, {first_signal_ + operation.signal, peer, Weights::zero}, peer));
        break;
    }
  }

  const SweepBody& body_;
  const Variation& variation_;
  Events result_;
  std::vector<EventIndex> current_;  // per register
  EventIndex first_signal_ = 0;
  std::map<std::uint32_t, EventIndex> arrays_;  // by weight
};

// Replaces events by what they are made of, where that leaves fewer additions.
class Contraction {
 public:
  Contraction(Events& events, const Variation& variation, std::span<const double> given)
      : all_(events), events_(events.events), variation_(variation), given_(given) {}

  // False: an event needs itself.
  bool run() {
    drop_dead();
    for (bool changed = true; changed;) {
      changed = false;
      for (EventIndex index = 0; index < events_.size(); ++index) changed = replace(index) || changed;
      // What is outdone may be as late all the same.
      if (variation_.records) continue;
      for (EventIndex index = 0; !changed && index < events_.size(); ++index) changed = drop_outdone(index);
    }
    if (variation_.subtract) {
      for (const Carried& carried : all_.carried) take_over(carried.last);
    }
    drop_dead();
    for (const SweepEvent& event : events_) {
      for (const Edge& edge : event.edges) {
        if (&events_[edge.source] == &event && edge.offset == Offset{}) return false;
      }
    }
    renumber();
    return true;
  }

 private:
  bool is_last(EventIndex index) const {
    return std::any_of(all_.carried.begin(), all_.carried.end(), [&](const Carried& c) { return c.last == index; });
  }

  template <class Visit>
  void for_uses(EventIndex index, const Visit& visit) {
    for (EventIndex user = 0; user < events_.size(); ++user) {
      if (!live_[user]) continue;
      for (Edge& edge : events_[user].edges) {
        if (edge.source == index) visit(user, edge);
      }
    }
  }

  void drop_dead() {
    live_.assign(events_.size(), false);
    std::vector<EventIndex> open;
    for (const Carried& carried : all_.carried) {
      if (variation_.kept[carried.number]) open.push_back(carried.last);
    }
    while (!open.empty()) {
      const EventIndex at = open.back();
      open.pop_back();
      if (live_[at]) continue;
      live_[at] = true;
      const SweepEvent& event = events_[at];
      if (event.kind == SweepEvent::Kind::earlier) open.push_back(event.of);
      for (const Edge& edge : event.edges) open.push_back(edge.source);
      for (const Addend& addend : event.addends) {
        if (addend.array) open.push_back(*addend.array);
      }
    }
    std::erase_if(all_.carried, [&](const Carried& carried) { return !live_[carried.last]; });
  }

  void add_edge(SweepEvent& event, const Edge& edge) {
    if (edge.weight == Weights::never) return;
    for (Edge& known : event.edges) {
      if (known.source != edge.source || known.offset != edge.offset || known.is_other != edge.is_other) continue;
      known.weight = all_.weights.largest(known.weight, edge.weight);
      return;
    }
    event.edges.push_back(edge);
  }

  // `edge` of `user` goes to `index`: its constraints in place of it.
  void substitute(EventIndex user, EventIndex index) {
    const std::vector<Edge> old = std::move(events_[user].edges);
    events_[user].edges.clear();
    for (const Edge& edge : old) {
      if (edge.source != index) {
        add_edge(events_[user], edge);
        continue;
      }
      for (const Edge& inner : events_[index].edges) {
        const WeightId weight = all_.weights.sum(all_.weights.moved(inner.weight, edge.offset), edge.weight);
        add_edge(events_[user], {inner.source, plus(inner.offset, edge.offset), weight, edge.is_other});
      }
    }
  }

  bool is_inner(const Edge& edge) { return all_.weights.inside(edge.weight) != Weights::never; }

  bool replace(EventIndex index) {
    const SweepEvent& event = events_[index];
    if (!live_[index] || event.kind != SweepEvent::Kind::largest || event.choice || is_last(index)) return false;
    std::vector<EventIndex> users;
    bool in_place = true, itself = false;
    std::ptrdiff_t inner_uses = 0;
    for_uses(index, [&](EventIndex user, const Edge& edge) {
      users.push_back(user);
      inner_uses += is_inner(edge) ? 1 : 0;
      itself = itself || user == index;
      in_place = in_place && edge.offset == Offset{} && events_[user].edges.size() == 1;
    });
    if (itself || users.empty()) return false;
    if (!event.addends.empty()) {
      // Varying weights stay with the process that they are of.
      if (users.size() != 1 || !in_place) return false;
      auto& addends = events_[users[0]].addends;
      addends.insert(addends.end(), event.addends.begin(), event.addends.end());
    } else {
      const auto inner =
          std::count_if(event.edges.begin(), event.edges.end(), [&](const Edge& edge) { return is_inner(edge); });
      if (inner > 1 && inner_uses > 1) return false;
      if (event.edges.size() * users.size() > most_edges_in_place) return false;
    }
    users.erase(std::unique(users.begin(), users.end()), users.end());
    for (const EventIndex user : users) substitute(user, index);
    live_[index] = false;
    return true;
  }

  // --- constraints that a chain of others always outdoes ---

  // The weight of a chain from `from`, `offset` away, to `to`, `at` away, of at most `length` constraints, with
  // `so_far` added: one that is at least `weight`.
  std::optional<WeightId> outdoing(EventIndex to, EventIndex from, const Offset& offset, WeightId weight,
                                   WeightId so_far, const Offset& at, int length) {
    if (!events_[to].addends.empty()) return std::nullopt;
    for (const Edge& edge : events_[to].edges) {
      if (!is_inner(edge)) continue;
      const WeightId sum = all_.weights.sum(so_far, all_.weights.moved(edge.weight, at));
      const Offset reached = plus(at, edge.offset);
      if (edge.source == from && reached == offset) {
        if (decide(weight, sum)) return sum;
      } else if (length > 1) {
        if (const auto found = outdoing(edge.source, from, offset, weight, sum, reached, length - 1)) return found;
      }
    }
    return std::nullopt;
  }

  bool decide(WeightId weight, WeightId bound) {
    if (all_.decisions.size() >= most_decisions) return false;
    all_.weights.evaluate(inner_, given_);
    all_.decisions.push_back({weight, bound, inner_[bound] >= inner_[weight]});
    return all_.decisions.back().is_bounded;
  }

  bool drop_outdone(EventIndex index) {
    if (!live_[index]) return false;
    SweepEvent& event = events_[index];
    for (std::size_t number = 0; number < event.edges.size(); ++number) {
      const Edge edge = event.edges[number];
      if (!is_inner(edge)) continue;
      for (std::size_t other = 0; other < event.edges.size(); ++other) {
        const Edge first = event.edges[other];
        if (other == number || !is_inner(first)) continue;
        if (const auto bound = outdoing(first.source, edge.source, edge.offset, edge.weight, first.weight, first.offset,
                                        longest_outdoing_chain)) {
          event.edges[number].weight = all_.weights.above(edge.weight, *bound);
          return true;
        }
      }
    }
    return false;
  }

  // The last value of a register that is another event plus a weight takes that event's place: both are one chain.
  void take_over(EventIndex last) {
    SweepEvent& event = events_[last];
    if (event.edges.size() != 1 || !event.addends.empty() || event.edges[0].offset != Offset{}) return;
    const Edge link = event.edges[0];
    if (all_.weights.may_be_never(link.weight)) return;
    const SweepEvent& source = events_[link.source];
    if (source.kind != SweepEvent::Kind::largest || source.choice || is_last(link.source) || link.source == last)
      return;
    event.addends = source.addends;
    substitute(last, link.source);
    const WeightId back = all_.weights.minus(link.weight);
    for_uses(link.source, [&](EventIndex, Edge& edge) {
      edge.weight = all_.weights.sum(edge.weight, all_.weights.moved(back, edge.offset));
      edge.source = last;
    });
    live_[link.source] = false;
    merge_parallel();
  }

  void merge_parallel() {
    for (SweepEvent& event : events_) {
      const std::vector<Edge> old = std::move(event.edges);
      event.edges.clear();
      for (const Edge& edge : old) add_edge(event, edge);
    }
  }

  void renumber() {
    std::vector<EventIndex> index(events_.size(), 0);
    std::vector<SweepEvent> kept;
    for (EventIndex old = 0; old < events_.size(); ++old) {
      if (!live_[old]) continue;
      index[old] = static_cast<EventIndex>(kept.size());
      kept.push_back(std::move(events_[old]));
    }
    for (SweepEvent& event : kept) {
      event.of = index[event.of];
      for (Edge& edge : event.edges) edge.source = index[edge.source];
      for (Addend& addend : event.addends) {
        if (addend.array) addend.array = index[*addend.array];
      }
    }
    for (Carried& carried : all_.carried) carried.last = index[carried.last];
    events_ = std::move(kept);
  }

  Events& all_;
  std::vector<SweepEvent>& events_;
  const Variation& variation_;
  const std::span<const double> given_;
  std::vector<double> inner_;  // values of weights far from the borders
  std::vector<bool> live_;
};

}  // namespace

bool Events::hold_for(std::span<const double> given) const {
  std::vector<double> values;
  weights.evaluate(values, given);
  return std::all_of(decisions.begin(), decisions.end(), [&](const Decision& decision) {
    return (values[decision.bound] >= values[decision.weight]) == decision.is_bounded;
  });
}

std::size_t Events::choices(EventIndex before) const {
  return static_cast<std::size_t>(std::count_if(events.begin(), events.begin() + before,
                                                [](const SweepEvent& event) { return event.choice.has_value(); }));
}

std::optional<Events> contract(const SweepBody& body, const Variation& variation, std::span<const double> given) {
  if (body.operations.size() > most_operations) return std::nullopt;
  auto events = Line(body, variation).build();
  if (!events || !Contraction(*events, variation, given).run()) return std::nullopt;
  return events;
}

}  // namespace wave::jit::sweep
