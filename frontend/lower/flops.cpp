// Counts the operations of `flops` blocks, and lists the blocks of a module, a model or a machine, statement by
// statement.
#include "frontend/lower/flops.h"

#include "frontend/ast/operators.h"
#include "frontend/ast/walk.h"
#include "frontend/lower/expressions.h"
#include "frontend/lower/instances.h"
#include "frontend/lower/outputs.h"
#include "ir/builder.h"
#include "ir/operations.h"

#include <algorithm>
#include <set>

namespace wave::frontend::lowering {
namespace {

constexpr std::int64_t flops_of_another_function = 8;

std::int64_t flops_of_call(const std::string& name) {
  const auto function = find_function(name);
  const auto* op = function ? std::get_if<ir::UnaryOp>(&*function) : nullptr;
  return op ? row_of(*op).flops : flops_of_another_function;
}

void add(FlopOperations& all, const FlopOperation& one) {
  if (one.weight == 0 || one.count == 0) return;
  const auto same =
      std::find_if(all.begin(), all.end(), [&](const FlopOperation& other) { return other.what == one.what; });
  if (same == all.end())
    all.push_back(one);
  else
    same->count += one.count;
}

void collect(const Expr& expr, FlopOperations& all);

void add_costliest(const std::vector<const Expr*>& branches, FlopOperations& all) {
  FlopOperations costliest;
  for (const Expr* branch : branches) {
    FlopOperations operations = operations_of(*branch);
    if (flops_of(operations) > flops_of(costliest)) costliest = std::move(operations);
  }
  for (const FlopOperation& one : costliest) add(all, one);
}

void collect_call(const expr::Call& call, FlopOperations& all) {
  for (const Argument& argument : call.arguments) collect(*argument.value, all);
  const auto* name = std::get_if<expr::Name>(&call.callee->node);
  const std::string text = name ? name->text : "call";
  if (text == "max" || text == "min") {
    add(all, {text, 1, std::max<std::int64_t>(1, static_cast<std::int64_t>(call.arguments.size())) - 1});
  } else {
    add(all, {text, flops_of_call(text)});
  }
}

void collect(const Expr& expr, FlopOperations& all) {
  std::visit(Overloaded{
                 [&](const expr::Uncertain& node) { collect(*node.mean, all); },
                 [&](const expr::Unary& node) { collect(*node.operand, all); },  // a sign is free
                 [&](const expr::Conversion& node) {
                   add(all, {"(" + node.type.text + ")"});
                   collect(*node.operand, all);
                 },
                 [&](const expr::Binary& node) {
                   collect(*node.left, all);
                   add(all, {name_of(node.op), row_of(node.op).flops});
                   collect(*node.right, all);
                 },
                 [&](const expr::If& node) {
                   collect(*node.condition, all);
                   add_costliest({node.then_value.get(), node.else_value.get()}, all);
                 },
                 [&](const expr::When& node) {
                   std::vector<const Expr*> branches;
                   for (const auto& [condition, value] : node.arms) {
                     collect(*condition, all);
                     branches.push_back(value.get());
                   }
                   if (node.otherwise) branches.push_back(node.otherwise.get());
                   add_costliest(branches, all);
                 },
                 [&](const expr::Call& node) { collect_call(node, all); },
                 // Constants, names and what stands in an index are free, and the checker refuses the rest.
                 []<OneOf<expr::Integer, expr::Number, expr::Boolean, expr::String, expr::Name, expr::Member,
                          expr::Index, expr::List, expr::Range, expr::Comprehension, expr::Reduce, expr::SignTuple,
                          expr::TableLiteral, expr::TableFile, expr::Within, expr::Flops>
                        Node>(const Node&) {},
             },
             expr.node);
}

}  // namespace

FlopOperations operations_of(const Expr& expr) {
  FlopOperations all;
  collect(expr, all);
  return all;
}

FlopOperations operations_of_assignment(const Expr& value) {
  FlopOperations all = operations_of(value);
  if (flops_of(all) == 0) all = {{"="}};
  return all;
}

std::int64_t flops_of(const FlopOperations& operations) {
  std::int64_t total = 0;
  for (const FlopOperation& one : operations) total += one.weight * one.count;
  return total;
}

// --- the count of a block ---

using ir::FailureKind;
using ir::ValueId;

namespace {

// Whether the statement is in the block, however deep.
bool contains(const Block& block, const Statement& wanted) {
  return std::any_of(block.begin(), block.end(), [&](const auto& one) {
    if (one.get() == &wanted) return true;
    bool found = false;
    for_each_block(*one, [&](const Block& inner) { found = found || contains(inner, wanted); });
    return found;
  });
}

}  // namespace

ValueId FlopCounter::number(std::int64_t count) { return parts_.b.real(static_cast<double>(count)); }

ValueId FlopCounter::count(const Block& statements, const Scope& scope) {
  ValueId total = parts_.b.real(0);
  for (const auto& statement : statements) total = parts_.b.add(total, count(*statement, scope));
  return total;
}

ValueId FlopCounter::count(const Statement& statement, const Scope& scope) {
  ir::Builder& b = parts_.b;
  if (const auto* assign = std::get_if<statement::Assign>(&statement.node)) {
    return number(flops_of(operations_of_assignment(*assign->value)));
  }
  if (const auto* evaluate = std::get_if<statement::Evaluate>(&statement.node))
    return number(flops_of(operations_of(*evaluate->value)));
  if (const auto* condition = std::get_if<statement::If>(&statement.node)) {
    const ValueId then_count = count(condition->then_body, scope);
    const ValueId else_count = count(condition->else_body, scope);
    return b.add(number(flops_of(operations_of(*condition->condition))), b.maximum({then_count, else_count}));
  }
  if (const auto* loop = std::get_if<statement::For>(&statement.node)) {
    return in_rounds(*loop, scope, [&](const Scope& inside) { return count(loop->body, inside); });
  }
  return number(0);
}

ValueId FlopCounter::runs(const Block& statements, const Statement& wanted, const Scope& scope) {
  ir::Builder& b = parts_.b;
  for (const auto& statement : statements) {
    const auto* loop = std::get_if<statement::For>(&statement->node);
    const auto* condition = std::get_if<statement::If>(&statement->node);
    if (statement.get() == &wanted) {
      return loop ? in_rounds(*loop, scope, [&](const Scope&) { return number(1); }) : number(1);
    }
    if (loop && contains(loop->body, wanted)) {
      return in_rounds(*loop, scope, [&](const Scope& inside) { return runs(loop->body, wanted, inside); });
    }
    if (!condition) continue;
    const bool in_then = contains(condition->then_body, wanted);
    if (!in_then && !contains(condition->else_body, wanted)) continue;
    const ValueId then_counts = b.less_equal(count(condition->else_body, scope), count(condition->then_body, scope));
    const ValueId inside = runs(in_then ? condition->then_body : condition->else_body, wanted, scope);
    return in_then ? b.select(then_counts, inside, number(0)) : b.select(then_counts, number(0), inside);
  }
  return number(0);
}

ValueId FlopCounter::in_rounds(const statement::For& loop, const Scope& scope,
                               const std::function<ValueId(const Scope&)>& of_body) {
  ir::Builder& b = parts_.b;
  const ValuePtr list = parts_.expressions.evaluate(*loop.list, scope);
  const auto iterations = parts_.lists.enumerate(list, true, loop.list->location);
  if (iterations.empty()) return number(0);
  const Iteration& loops = iterations.front();
  const ValueId body = of_body(bind_local(scope, loop.variable.text, loops.element));
  const auto& free = parts_.facts.of(body).free;
  const bool same_each_time = std::none_of(loops.levels.begin(), loops.levels.end(), [&](const ir::Level& level) {
    return std::find(free.begin(), free.end(), level.binder) != free.end();
  });
  if (same_each_time) return b.multiply(b.to_real(parts_.lists.count(list, location_)), body);
  return b.reduce(ir::ReduceKind::sum, loops.levels, body, {},
                  parts_.sites.site(FailureKind::integer_overflow, location_));
}

ValuePtr Expressions::flops(const expr::Flops& node, const Scope& scope, Location location) {
  return number(FlopCounter(parts_, location).count(node.body, scope));
}

// --- the list of blocks, to show what was counted ---
namespace {

void find_blocks(const Expr& e, std::vector<const Expr*>& into) {
  if (std::holds_alternative<expr::Flops>(e.node))
    into.push_back(&e);
  else
    for_each_child(e, [&](const Expr& child) { find_blocks(child, into); });
}

// The names in a bound that only a caller, or a loop around the block, knows.
class FreeNames {
 public:
  void of_bound(const Expr& e) {
    const auto before = bound_;
    bind_inside(e);
    visit(e);
    bound_ = before;
  }
  void bind(const std::string& name) { bound_.insert(name); }
  const std::vector<std::string>& found() const { return found_; }

 private:
  void bind_inside(const Expr& e) {
    const auto add = [&](const std::vector<Binder>& binders) {
      for (const Binder& binder : binders) bound_.insert(binder.name.text);
    };
    if (const auto* comprehension = std::get_if<expr::Comprehension>(&e.node)) add(comprehension->binders);
    if (const auto* reduce = std::get_if<expr::Reduce>(&e.node)) add(reduce->binders);
    for_each_child(e, [&](const Expr& child) { bind_inside(child); });
  }
  void visit(const Expr& e) {
    const auto* name = std::get_if<expr::Name>(&e.node);
    const bool is_local = name && std::holds_alternative<target::Local>(name->target) && bound_.count(name->text) == 0;
    if (is_local && std::find(found_.begin(), found_.end(), name->text) == found_.end()) found_.push_back(name->text);
    for_each_child(e, [&](const Expr& child) { visit(child); });
  }

  std::multiset<std::string> bound_;
  std::vector<std::string> found_;
};

// The lines of a block, each with its statement.
class Lines {
 public:
  std::vector<FlopsLine> lines;
  std::vector<const Statement*> statements;
  FreeNames names;

  void block(const Block& body, int depth, const std::vector<Location>& loops) {
    for (const auto& statement : body) one(*statement, depth, loops);
  }

 private:
  void add(const Statement& statement, FlopsLine line) {
    lines.push_back(std::move(line));
    statements.push_back(&statement);
  }

  void one(const Statement& statement, int depth, const std::vector<Location>& loops) {
    const Location location = statement.location;
    if (const auto* assign = std::get_if<statement::Assign>(&statement.node)) {
      add(statement, {FlopsLine::Kind::statement, location, depth, operations_of_assignment(*assign->value), loops});
    } else if (const auto* evaluate = std::get_if<statement::Evaluate>(&statement.node)) {
      add(statement, {FlopsLine::Kind::statement, location, depth, operations_of(*evaluate->value), loops});
    } else if (const auto* condition = std::get_if<statement::If>(&statement.node)) {
      add(statement, {FlopsLine::Kind::condition,
                      {location.file, location.begin, condition->condition->location.end},
                      depth,
                      operations_of(*condition->condition),
                      loops});
      block(condition->then_body, depth + 1, loops);
      block(condition->else_body, depth + 1, loops);
    } else if (const auto* loop = std::get_if<statement::For>(&statement.node)) {
      names.of_bound(*loop->list);
      names.bind(loop->variable.text);
      const Location head{location.file, location.begin, loop->list->location.end};
      add(statement, {FlopsLine::Kind::loop, head, depth, {}, loops});
      auto inside = loops;
      inside.push_back(head);
      block(loop->body, depth + 1, inside);
    }
  }
};

}  // namespace

void Outputs::list_flops(const std::vector<std::unique_ptr<Item>>& items, Instance* owner,
                         std::vector<FlopsInfo>& into) {
  for (const auto& item : items) {
    std::vector<const Expr*> blocks;
    for_each_expression(*item, [&](const Expr& e) { find_blocks(e, blocks); });
    for (const Expr* block : blocks) {
      FlopsInfo info{
          owner ? owner->declaration->name.text + "." + item->name.text : item->name.text, block->location, {}, {}, {}};
      const auto& body = std::get<expr::Flops>(block->node).body;
      Lines lines;
      lines.block(body, 0, {});
      info.lines = lines.lines;
      info.arguments = lines.names.found();
      Scope scope = owner ? instances_.scope_of(*owner) : Scope{};
      scope.module = item->module;
      try {
        ir::Root root;
        root.name = info.name;
        if (owner) root.precondition = instances_.requirements(*owner);
        FlopCounter counter(parts_, block->location);
        for (const Statement* statement : lines.statements) {
          if (info.arguments.empty()) root.blocks.push_back({{}, {counter.runs(body, *statement, scope)}});
        }
        if (info.arguments.empty()) info.root = b_.root(std::move(root));
      } catch (const Abandoned&) {  // has been reported
        continue;
      }
      into.push_back(std::move(info));
    }
  }
}

}  // namespace wave::frontend::lowering
