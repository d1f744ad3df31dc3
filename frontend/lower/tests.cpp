// Tests: every expectation is a root, whose rows say whether it holds and which values it compares.
#include "frontend/ast/operators.h"
#include "frontend/lower/expressions.h"
#include "frontend/lower/outputs.h"
#include "ir/builder.h"
#include "ir/operations.h"

#include <fmt/format.h>

#include <limits>

namespace wave::frontend::lowering {

using ir::BinaryOp;
using ir::FailureKind;
using ir::ScalarType;
using ir::UnaryOp;
using ir::ValueId;

namespace {

class ExpectLowering {
 public:
  ExpectLowering(const Parts& parts, const item::Expect& expect, ExpectInfo& info)
      : parts_(parts),
        b_(parts.b),
        expect_(expect),
        info_(info),
        comparison_(std::get_if<expr::Binary>(&expect.condition->node)) {}

  void lower(const Scope& scope) {
    if (comparison_ && !is_comparison(comparison_->op)) comparison_ = nullptr;
    const TypeRef left = comparison_ ? comparison_->left->type : nullptr;
    const TypeRef right = comparison_ ? comparison_->right->type : nullptr;
    const bool scalars = scalar_type(left) && scalar_type(right);
    lists_ =
        scalar_type(element_type(left)) && scalar_type(element_type(right)) && comparison_->op == BinaryOperator::equal;
    info_.compares = scalars || lists_;
    info_.has_tolerance = expect_.tolerance && info_.compares;
    for (const Binder& binder : expect_.binders) binder_types_.push_back(element_type(binder.list->type));
    columns(lists_ ? element_type(left) : left, lists_ ? element_type(right) : right);
    ir::Root root{"expect", {}, {}};
    for (const Iteration& one : parts_.lists.iterate(expect_.binders, scope, false)) root.blocks.push_back(block(one));
    info_.root = b_.root(std::move(root));
  }

 private:
  void columns(const TypeRef& left, const TypeRef& right) {
    for (std::size_t i = 0; i < expect_.binders.size(); ++i) {
      refuse_too_many_columns(parts_, binder_types_[i], expect_.binders[i].list->location);
      if (!add_columns(binder_types_[i], expect_.binders[i].name.text, std::nullopt, info_.columns)) {
        parts_.sites.abandon(DiagnosticKind::not_expressible, expect_.binders[i].list->location,
                             "an expectation goes over numbers, quantities or words");
      }
    }
    if (lists_) info_.columns.push_back({"element", check::int_type(), std::nullopt});
    info_.binders = info_.columns.size();
    if (!info_.compares) return;
    info_.columns.push_back({"left", left, std::nullopt});
    info_.columns.push_back({"right", right, std::nullopt});
    if (info_.has_tolerance) info_.columns.push_back({"tolerance", expect_.tolerance->type, std::nullopt});
  }

  ir::RowBlock block(const Iteration& one) {
    std::vector<ValueId> binders;
    for (std::size_t i = 0; i < expect_.binders.size(); ++i) {
      const ValuePtr bound = parts_.expressions.look_up(expect_.binders[i].name.text, one.scope, expect_.location);
      add_cells(parts_, bound, binder_types_[i], expect_.location, binders);
    }
    if (!info_.compares) {
      std::vector<ValueId> cells{condition(one.scope)};
      cells.insert(cells.end(), binders.begin(), binders.end());
      return block_of(parts_, one, std::move(cells), expect_.location);
    }
    const ValuePtr left = parts_.expressions.evaluate(*comparison_->left, one.scope);
    const ValuePtr right = parts_.expressions.evaluate(*comparison_->right, one.scope);
    const auto tolerance =
        expect_.tolerance ? std::optional(parts_.expressions.real(*expect_.tolerance, one.scope)) : std::nullopt;
    if (lists_) return element_wise(one, std::move(binders), left, right, tolerance);
    const auto both = sides(left, right);
    const ValueId holds = compare(both[0], both[1], tolerance);
    return block_of(parts_, one, cells(holds, binders, both, tolerance), expect_.location);
  }

  ValueId condition(const Scope& scope) { return parts_.expressions.boolean(*expect_.condition, scope); }

  // Both sides, in the types of their columns.
  std::vector<ValueId> sides(const ValuePtr& left, const ValuePtr& right) {
    std::vector<ValueId> both;
    const std::size_t at = info_.binders;
    add_cells(parts_, left, info_.columns[at].type, comparison_->left->location, both);
    add_cells(parts_, right, info_.columns[at + 1].type, comparison_->right->location, both);
    return both;
  }

  static std::vector<ValueId> cells(ValueId holds, const std::vector<ValueId>& binders,
                                    const std::vector<ValueId>& both, std::optional<ValueId> tolerance) {
    std::vector<ValueId> all{holds};
    all.insert(all.end(), binders.begin(), binders.end());
    all.insert(all.end(), both.begin(), both.end());
    if (tolerance) all.push_back(*tolerance);
    return all;
  }

  ValueId compare(ValueId left, ValueId right, std::optional<ValueId> tolerance) {
    const auto op = comparison_->op;
    if (tolerance && (op == BinaryOperator::equal || op == BinaryOperator::not_equal)) {
      const ValueId difference = b_.unary(UnaryOp::absolute, b_.subtract(b_.to_real(left), b_.to_real(right)));
      const ValueId near = b_.less_equal(difference, *tolerance);
      return op == BinaryOperator::equal ? near : b_.logical_not(near);
    }
    const ValuePtr result = parts_.expressions.binary(op, number(left), number(right), expect_.condition->location);
    return parts_.values.scalar_of(result, ScalarType::boolean, expect_.condition->location);
  }

  ir::RowBlock element_wise(const Iteration& one, std::vector<ValueId> binders, const ValuePtr& left,
                            const ValuePtr& right, std::optional<ValueId> tolerance) {
    const Location location = expect_.condition->location;
    const ValueId left_count = parts_.lists.count(left, location);
    const ValueId right_count = parts_.lists.count(right, location);
    ir::Level level;
    level.binder = b_.binder("element");
    level.first = level.step = b_.integer(1);
    level.last = b_.maximum({left_count, right_count});
    level.site = parts_.sites.site(FailureKind::no_progress, location);
    const ValueId k = b_.index(level.binder);
    const auto both = sides(parts_.lists.index(left, k, location), parts_.lists.index(right, k, location));
    const ValueId holds = b_.logical_and(b_.equal(left_count, right_count), compare(both[0], both[1], tolerance));
    // A list that is too short shows no value.
    std::vector<ValueId> shown{b_.select(b_.less_equal(k, left_count), both[0], missing(both[0])),
                               b_.select(b_.less_equal(k, right_count), both[1], missing(both[1]))};
    binders.push_back(k);
    Iteration loops = one;
    loops.levels.push_back(level);
    return block_of(parts_, loops, cells(holds, binders, shown, tolerance), location);
  }

  ValueId missing(ValueId like) {
    switch (b_.type(like)) {
      case ScalarType::real: return b_.real(std::numeric_limits<double>::quiet_NaN());
      case ScalarType::integer: return b_.integer(0);
      case ScalarType::boolean: return b_.boolean(false);
    }
    return like;
  }

  const Parts& parts_;
  ir::Builder& b_;
  const item::Expect& expect_;
  ExpectInfo& info_;
  const expr::Binary* comparison_;
  bool lists_ = false;
  std::vector<TypeRef> binder_types_;
};

}  // namespace

TestInfo Outputs::test(const Item& item) {
  const auto& node = std::get<item::Test>(item.node);
  TestInfo info{item.name.text, item.name.location, {}};
  Scope scope;
  scope.module = item.module;
  for (const LocalLet& let : node.lets) scope = bind_later(scope, let, true);
  for (const item::Expect& expect : node.expects) {
    ExpectInfo one;
    one.location = expect.location;
    try {
      ExpectLowering(parts_, expect, one).lower(scope);
    } catch (const Abandoned& error) {
      one.failed = error.kind;
    }
    info.expects.push_back(std::move(one));
  }
  return info;
}

}  // namespace wave::frontend::lowering
