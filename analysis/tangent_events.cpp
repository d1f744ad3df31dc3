// The tangents of recurrences. At each point, it is that of the constraint that counts there. See tangent.h.
#include "analysis/tangent.h"
#include "ir/operations.h"
#include "ir/visit.h"

#include <utility>

namespace wave::analysis {

using ir::BinaryOp;
using ir::ScalarType;
using ir::ValueId;

namespace {

// Operands of a maximum whose relative difference is smaller count as equal. They may be sums of the same numbers,
// which are added here without the rounding to the quantum that makes such sums exact.
constexpr double indifference = 0x1p-42;

}  // namespace

ValueId Tangents::both(ValueId a, ValueId b) {
  if (!a.valid() || !b.valid()) return a.valid() ? a : b;
  return b_.logical_and(a, b);
}

// The greatest (or least) of the candidates that are present, the first one of several. If none is present, the value
// and the tangent mean nothing.
Tangents::Candidate Tangents::choose(const std::vector<Candidate>& candidates, bool greatest) {
  Candidate best = candidates.front();
  for (std::size_t i = 1; i < candidates.size(); ++i) {
    const Candidate& next = candidates[i];
    const ValueId margin = b_.multiply(b_.unary(ir::UnaryOp::absolute, best.value), b_.real(indifference));
    ValueId takes = greatest ? b_.less(b_.add(best.value, margin), next.value)
                             : b_.less(next.value, b_.subtract(best.value, margin));
    if (best.present.valid()) takes = b_.logical_or(b_.logical_not(best.present), takes);
    takes = both(next.present, takes);
    const bool always = !best.present.valid() || !next.present.valid();
    best = {always ? ValueId{} : b_.logical_or(best.present, next.present), b_.select(takes, next.value, best.value),
            b_.select(takes, next.tangent, best.tangent)};
  }
  return best;
}

// Whether the present point plus an offset is in the space.
ValueId Tangents::in_space(const ir::Space& space, const std::vector<std::int32_t>& offset) {
  ValueId result;
  for (std::size_t axis = 0; axis < offset.size(); ++axis) {
    if (offset[axis] == 0 || space.axes[axis].wrap) continue;
    const ir::Axis& one = space.axes[axis];
    const ValueId there = b_.add(b_.index(one.binder), b_.integer(offset[axis]), site_);
    result = both(result, offset[axis] < 0 ? b_.less_equal(one.first, there) : b_.less_equal(there, one.last));
  }
  return result;
}

// When a value in the body of an event is present.
struct Tangents::Presence {
  Tangents& self;
  ir::Builder& b;

  ValueId all(std::initializer_list<ValueId> values) const {
    ValueId result;
    for (const ValueId value : values) {
      if (value.valid()) result = self.both(result, self.present(value));
    }
    return result;
  }
  ValueId all(const std::vector<ValueId>& values) const {
    ValueId result;
    for (const ValueId value : values) result = self.both(result, self.present(value));
    return result;
  }
  ValueId any(const std::vector<ValueId>& values) const {
    ValueId result;
    for (const ValueId value : values) {
      const ValueId one = self.present(value);
      if (!one.valid()) return {};
      result = result.valid() ? b.logical_or(result, one) : one;
    }
    return result;
  }

  ValueId operator()(const ir::Constant&) const { return {}; }
  ValueId operator()(const ir::Parameter&) const { return {}; }
  ValueId operator()(const ir::Index&) const { return {}; }
  ValueId operator()(const ir::Reference&) const { return {}; }
  ValueId operator()(const ir::Fail&) const { return {}; }
  ValueId operator()(const ir::Unary& n) const { return all({n.operand}); }
  ValueId operator()(const ir::Binary& n) const {
    const ValueId left = self.present(n.left);
    ValueId right = self.present(n.right);
    if (right.valid() && n.op == BinaryOp::logical_and) right = b.logical_or(b.logical_not(n.left), right);
    if (right.valid() && n.op == BinaryOp::logical_or) right = b.logical_or(n.left, right);
    return self.both(left, right);
  }
  ValueId operator()(const ir::Maximum& n) const { return any(n.operands); }
  ValueId operator()(const ir::Minimum& n) const { return any(n.operands); }
  ValueId operator()(const ir::Select& n) const {
    const ValueId yes = self.present(n.if_true), no = self.present(n.if_false);
    ValueId branch;
    if (yes.valid() || no.valid()) {
      const ValueId always = b.boolean(true);
      branch = b.select(n.condition, yes.valid() ? yes : always, no.valid() ? no : always);
    }
    return self.both(self.present(n.condition), branch);
  }
  ValueId operator()(const ir::Check& n) const { return all({n.condition, n.value}); }
  ValueId operator()(const ir::Call& n) const { return all(n.arguments); }
  ValueId operator()(const ir::Lookup& n) const { return all(n.keys); }
  ValueId operator()(const ir::Measure& n) const { return all(n.indices); }
  ValueId operator()(const ir::Neighbour& n) const {
    return self.in_space(self.system_[self.system_[n.event].space], n.offset);
  }
  ValueId operator()(const ir::Reduce& n) const {
    for (const ir::Level& level : n.levels) {
      if (all({level.first, level.last, level.step, level.filter}).valid()) unknown();
    }
    if (all({n.body, n.value}).valid()) unknown();
    return {};
  }
  ValueId operator()(const ir::Read& n) const {
    const ValueId indices = all(n.indices);
    if (n.site.valid()) return indices;
    const ir::Space space = self.system_[self.system_[n.event].space];
    ValueId inside = indices;
    for (std::size_t axis = 0; axis < n.indices.size(); ++axis) {
      inside = self.both(inside, b.less_equal(space.axes[axis].first, n.indices[axis]));
      inside = self.both(inside, b.less_equal(n.indices[axis], space.axes[axis].last));
    }
    return inside;
  }

 private:
  [[noreturn]] void unknown() const { throw NoTangent{"a loop over neighbours, some of which may not be there"}; }
};

ValueId Tangents::present(ValueId value) {
  if (const auto known = presences_.find(value); known != presences_.end()) return known->second;
  const ir::Node node = system_[value].node;
  const ValueId result = std::visit(Presence{*this, b_}, node);
  presences_.emplace(value, result);
  return result;
}

ir::EventId Tangents::event(ir::EventId id) {
  if (const auto known = of_event_.find(id); known != of_event_.end()) return known->second;
  const ir::Event original = system_[id];
  if (original.frame != ir::System::root_frame) throw NoTangent{"a recurrence inside a function"};
  ir::Event made;
  made.name = original.name + "'";
  made.type = ScalarType::real;
  made.frame = original.frame;
  made.space = original.space;
  made.location = original.location;
  made.site = original.site;
  made.body = zero();  // until its own body is there, which may need the event itself
  const ir::EventId result = b_.event(made);
  of_event_[id] = result;
  const bool in_event = std::exchange(in_event_, true);
  const ValueId body = body_of(original);
  in_event_ = in_event;
  system_[result].body = body;
  return result;
}

ValueId Tangents::body_of(const ir::Event& original) {
  std::vector<Candidate> candidates;
  for (const ir::Constraint& one : original.constraints) {
    Candidate candidate;
    if (one.guard.valid()) candidate.present = both(present(one.guard), one.guard);
    if (one.source.valid()) {
      candidate.present = both(candidate.present, in_space(system_[original.space], one.offset));
      candidate.value = b_.neighbour(one.source, one.offset);
      if (events_[one.source.index]) candidate.tangent = b_.neighbour(event(one.source), one.offset);
    }
    for (const ValueId weight : one.weights) {
      candidate.present = both(candidate.present, present(weight));
      candidate.value = candidate.value.valid() ? b_.add(candidate.value, copy(weight)) : copy(weight);
      candidate.tangent = add(candidate.tangent, tangent(weight));
    }
    if (!candidate.value.valid()) candidate.value = zero();
    candidate.tangent = or_zero(candidate.tangent);
    candidates.push_back(candidate);
  }
  if (original.body.valid()) {
    candidates.push_back({present(original.body), original.body, or_zero(tangent(original.body))});
  }
  ValueId otherwise;
  for (const ValueId weight : original.otherwise) otherwise = add(otherwise, tangent(weight));
  if (candidates.empty()) return or_zero(otherwise);
  const Candidate best = choose(candidates, true);
  return best.present.valid() ? b_.select(best.present, best.tangent, or_zero(otherwise)) : best.tangent;
}

}  // namespace wave::analysis
