// Every kind of node with the expressions that it holds.
#include "frontend/ast/walk.h"

namespace wave::frontend {
namespace {

class Walker {
 public:
  explicit Walker(const ExprVisitor& visit) : visit_(visit) {}

  // --- expressions ---
  void operator()(const expr::Integer&) const {}
  void operator()(const expr::Number&) const {}
  void operator()(const expr::Boolean&) const {}
  void operator()(const expr::String&) const {}
  void operator()(const expr::Name&) const {}
  void operator()(const expr::SignTuple&) const {}
  void operator()(const expr::Uncertain& n) const { one(n.mean), one(n.deviation); }
  void operator()(const expr::Unary& n) const { one(n.operand); }
  void operator()(const expr::Binary& n) const { one(n.left), one(n.right); }
  void operator()(const expr::If& n) const { one(n.condition), one(n.then_value), one(n.else_value); }
  void operator()(const expr::When& n) const { pairs(n.arms), one(n.otherwise); }
  void operator()(const expr::Call& n) const { one(n.callee), arguments(n.arguments); }
  void operator()(const expr::Member& n) const { one(n.object); }
  void operator()(const expr::Index& n) const { one(n.object), arguments(n.indices); }
  void operator()(const expr::List& n) const { all(n.elements); }
  void operator()(const expr::Range& n) const { one(n.first), one(n.last), one(n.step); }
  void operator()(const expr::Comprehension& n) const { one(n.element), binders(n.binders); }
  void operator()(const expr::Reduce& n) const { binders(n.binders), one(n.body); }
  void operator()(const expr::TableLiteral& n) const { pairs(n.entries), one(n.otherwise); }
  void operator()(const expr::TableFile& n) const { one(n.otherwise); }
  void operator()(const expr::Within& n) const { one(n.shared); }
  void operator()(const expr::Flops& n) const { block(n.body); }
  void operator()(const expr::Conversion& n) const { one(n.operand); }

  // --- statements ---
  void operator()(const statement::Let& n) const { one(n.value); }
  void operator()(const statement::Compute& n) const { one(n.time); }
  void operator()(const statement::Hold& n) const { one(n.size); }
  void operator()(const statement::Message& n) const { one(n.size), all(n.peer.indices), one(n.tag); }
  void operator()(const statement::Wait&) const {}
  void operator()(const statement::WaitAll&) const {}
  void operator()(const statement::WaitAny&) const {}
  void operator()(const statement::Ready& n) const { block(n.body); }
  void operator()(const statement::Task& n) const { block(n.receives), one(n.priority), block(n.body); }
  void operator()(const statement::Sweep& n) const { one(n.order), all(n.corners), one(n.tiles), block(n.body); }
  void operator()(const statement::Repeat& n) const { one(n.count), block(n.body); }
  void operator()(const statement::For& n) const { one(n.list), block(n.body); }
  void operator()(const statement::If& n) const { one(n.condition), block(n.then_body), block(n.else_body); }
  void operator()(const statement::Phase& n) const { block(n.body); }
  void operator()(const statement::Call& n) const { one(n.callee), arguments(n.arguments); }
  void operator()(const statement::Busy& n) const { one(n.time); }
  void operator()(const statement::Emit& n) const { uses(n.uses), one(n.after); }
  void operator()(const statement::Await& n) const { uses(n.uses), one(n.after); }
  void operator()(const statement::Sent& n) const { one(n.after); }
  void operator()(const statement::Acquire& n) const { use(n.use); }
  void operator()(const statement::Arrival& n) const {
    if (n.use) use(*n.use);
    one(n.time);
  }
  void operator()(const statement::Assign& n) const { one(n.target), one(n.value); }
  void operator()(const statement::Evaluate& n) const { one(n.value); }

  // --- declarations ---
  void operator()(const item::Import&) const {}
  void operator()(const item::Param& n) const { one(n.default_value), one(n.lower), one(n.upper); }
  void operator()(const item::Let& n) const { one(n.value); }
  void operator()(const item::Function& n) const { parameters(n.parameters), lets(n.lets), one(n.body); }
  void operator()(const item::Record&) const {}
  void operator()(const item::Require& n) const { one(n.condition), one(n.message); }
  void operator()(const item::Protocol& n) const {
    parameters(n.parameters), one(n.window), one(n.condition), block(n.sender), block(n.receiver);
  }
  void operator()(const item::Levels&) const {}
  void operator()(const item::Resource& n) const { one(n.count), one(n.servers); }
  void operator()(const item::Collective& n) const {
    parameters(n.parameters), one(n.cost), axes(n.axes), block(n.algorithm);
  }
  void operator()(const item::Interface&) const {}
  void operator()(const item::Machine&) const {}
  void operator()(const item::Grid& n) const {
    for (const item::GridAxis& axis : n.axes) one(axis.extent);
    for (const item::GridLevel& level : n.levels) all(level.blocks), one(level.value);
  }
  void operator()(const item::Recurrence& n) const {
    for (const auto& axis : n.axes) one(axis.range);
    lets(n.lets), one(n.body), one(n.otherwise);
  }
  void operator()(const item::Process& n) const { one(n.net), block(n.body); }
  void operator()(const item::Procedure& n) const { parameters(n.parameters), axes(n.axes), block(n.body); }
  void operator()(const item::Output& n) const { binders(n.indices), one(n.value); }
  void operator()(const item::Model&) const {}
  void operator()(const item::Study& n) const {
    for (const auto& vary : n.vary) one(vary.values);
    for (const auto& set : n.set) one(set.value);
    for (const auto& show : n.show) one(show.value);
    for (const auto& plot : n.plot) all(plot.y), all(plot.x);
    all(n.where);
  }
  void operator()(const item::Test& n) const {
    lets(n.lets);
    for (const item::Expect& expect : n.expects) binders(expect.binders), one(expect.condition), one(expect.tolerance);
  }
  void operator()(const item::Unknown&) const {}

 private:
  void one(const ExprPtr& e) const {
    if (e) visit_(*e);
  }
  void all(const std::vector<ExprPtr>& es) const {
    for (const ExprPtr& e : es) one(e);
  }
  void use(const statement::Use& n) const { one(n.index), one(n.occupied); }
  void uses(const std::vector<statement::Use>& all) const {
    for (const statement::Use& n : all) use(n);
  }
  void pairs(const std::vector<std::pair<ExprPtr, ExprPtr>>& es) const {
    for (const auto& [first, second] : es) one(first), one(second);
  }
  void arguments(const std::vector<Argument>& given) const {
    for (const Argument& argument : given) one(argument.value);
  }
  void binders(const std::vector<Binder>& all) const {
    for (const Binder& binder : all) one(binder.list), one(binder.filter);
  }
  void parameters(const std::vector<Parameter>& all) const {
    for (const Parameter& parameter : all) one(parameter.default_value);
  }
  void lets(const std::vector<LocalLet>& all) const {
    for (const LocalLet& let : all) one(let.value);
  }
  void axes(const std::vector<std::pair<Identifier, ExprPtr>>& all) const {
    for (const auto& [name, extent] : all) one(extent);
  }
  void block(const Block& statements) const {
    for (const auto& statement : statements) std::visit(*this, statement->node);
  }

  const ExprVisitor& visit_;
};

}  // namespace

void for_each_child(const Expr& e, const ExprVisitor& visit) { std::visit(Walker(visit), e.node); }
void for_each_block(const Statement& statement, const std::function<void(const Block&)>& visit) {
  const auto blocks = [&](const auto& n) {
    if constexpr (requires { n.body; }) visit(n.body);
    if constexpr (requires { n.then_body; }) visit(n.then_body), visit(n.else_body);
  };
  std::visit(blocks, statement.node);
}
void for_each_expression(const Item& item, const ExprVisitor& visit) { std::visit(Walker(visit), item.node); }

}  // namespace wave::frontend
