// Events of constraints are of this form as they are; a body may be a minimum, or a maximum, of sums.
#include "backend/closed_form/form.h"

#include "backend/closed_form/thresholds.h"
#include "ir/operations.h"

namespace wave::backend::closed_form {

namespace {

// One operand of a body: a neighbour first, or none, and rounded weights added to it or subtracted. (What stands before
// a neighbour that is absent is evaluated, so it must not stand there.)
class Sum {
 public:
  Sum(const ir::System& system, ir::EventId event, bool negated) : system_(system), event_(event), negated_(negated) {}

  std::optional<Bound> bound(ir::ValueId value) {
    if (!collect(value, true, false, 0)) return std::nullopt;
    return result_;
  }

 private:
  bool collect(ir::ValueId value, bool is_leftmost, bool subtracted, std::size_t depth) {
    if (depth > deepest_sum) return false;
    const ir::Node& node = system_[value].node;
    if (const auto* n = std::get_if<ir::Neighbour>(&node)) {
      if (!is_leftmost || subtracted || n->event != event_) return false;
      result_.has_source = true;
      result_.offset = n->offset;
      return true;
    }
    if (const auto* n = std::get_if<ir::Unary>(&node)) {
      if (n->op != ir::UnaryOp::quantize) return false;
      result_.summands.push_back({n->operand, subtracted != negated_});
      return true;
    }
    const auto* n = std::get_if<ir::Binary>(&node);
    if (!n || (n->op != ir::BinaryOp::add && n->op != ir::BinaryOp::subtract)) return false;
    return collect(n->left, is_leftmost, subtracted, depth + 1) &&
           collect(n->right, false, subtracted != (n->op == ir::BinaryOp::subtract), depth + 1);
  }

  const ir::System& system_;
  ir::EventId event_;
  bool negated_;
  Bound result_;
};

std::optional<Form> form_of_body(const ir::System& system, ir::EventId id) {
  const ir::Event& event = system[id];
  Form form;
  const ir::Node& body = system[event.body].node;
  std::vector<ir::ValueId> operands{event.body};
  if (const auto* n = std::get_if<ir::Maximum>(&body)) operands = n->operands;
  if (const auto* n = std::get_if<ir::Minimum>(&body)) {
    operands = n->operands;
    form.negated = true;
  }
  for (const ir::ValueId operand : operands) {
    auto bound = Sum(system, id, form.negated).bound(operand);
    if (!bound) return std::nullopt;
    form.bounds.push_back(std::move(*bound));
  }
  if (!event.otherwise.empty()) {
    const auto otherwise = Sum(system, id, form.negated).bound(event.otherwise.front());
    if (!otherwise || otherwise->has_source) return std::nullopt;
    form.otherwise = otherwise->summands;
    form.has_otherwise = true;
  }
  return form;
}

std::vector<Summand> summands(const std::vector<ir::ValueId>& weights) {
  std::vector<Summand> result;
  for (const ir::ValueId weight : weights) result.push_back({weight, false});
  return result;
}

}  // namespace

std::optional<Form> find_form(const ir::System& system, const ir::EventGroup& group) {
  if (group.events.size() != 1 || group.reads_itself) return std::nullopt;
  const ir::EventId id = group.events.front();
  const ir::Event& event = system[id];
  if (!event.exact || event.type != ir::ScalarType::real) return std::nullopt;
  if (event.general()) return form_of_body(system, id);
  if (event.constraints.empty()) return std::nullopt;
  Form form;
  for (const ir::Constraint& constraint : event.constraints) {
    if (constraint.source.valid() && constraint.source != id) return std::nullopt;
    form.bounds.push_back(
        {constraint.source.valid(), constraint.offset, summands(constraint.weights), constraint.guard});
  }
  form.otherwise = summands(event.otherwise);
  form.has_otherwise = !event.otherwise.empty();
  return form;
}

}  // namespace wave::backend::closed_form
