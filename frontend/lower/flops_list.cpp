// Lists the `flops` blocks of a module, a model or a machine, statement by statement, to show what was counted.
#include "frontend/ast/walk.h"
#include "frontend/check/program.h"
#include "frontend/lower/flops.h"
#include "frontend/lower/instances.h"
#include "frontend/lower/lower.h"
#include "frontend/lower/lowering.h"
#include "frontend/lower/outputs.h"
#include "frontend/lower/parameters.h"
#include "frontend/lower/values.h"
#include "ir/builder.h"

#include <algorithm>
#include <set>

namespace wave::frontend {

namespace lowering {
namespace {

void find_blocks(const Expr& e, std::vector<const Expr*>& into) {
  if (std::holds_alternative<expr::Flops>(e.node))
    into.push_back(&e);
  else
    for_each_child(e, [&](const Expr& child) { find_blocks(child, into); });
}

// What a bound depends on that only a caller, or a loop around the block, knows.
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

// The lines of a block, and the statements that they are.
class Lines {
 public:
  std::vector<FlopsLine> lines;
  std::vector<const Statement*> statements;
  FreeNames names;

  void block(const Block& body, int depth, const std::vector<Place>& loops) {
    for (const auto& statement : body) one(*statement, depth, loops);
  }

 private:
  void add(const Statement& statement, FlopsLine line) {
    lines.push_back(std::move(line));
    statements.push_back(&statement);
  }

  void one(const Statement& statement, int depth, const std::vector<Place>& loops) {
    const Place place = statement.place;
    if (const auto* assign = std::get_if<statement::Assign>(&statement.node)) {
      add(statement, {FlopsLine::Kind::statement, place, depth, operations_of_assignment(*assign->value), loops});
    } else if (const auto* evaluate = std::get_if<statement::Evaluate>(&statement.node)) {
      add(statement, {FlopsLine::Kind::statement, place, depth, operations_of(*evaluate->value), loops});
    } else if (const auto* condition = std::get_if<statement::If>(&statement.node)) {
      add(statement, {FlopsLine::Kind::condition,
                      {place.file, place.begin, condition->condition->place.end},
                      depth,
                      operations_of(*condition->condition),
                      loops});
      block(condition->then_body, depth + 1, loops);
      block(condition->else_body, depth + 1, loops);
    } else if (const auto* loop = std::get_if<statement::For>(&statement.node)) {
      names.of_bound(*loop->list);
      names.bind(loop->variable.text);
      const Place head{place.file, place.begin, loop->list->place.end};
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
          owner ? owner->declaration->name.text + "." + item->name.text : item->name.text, block->place, {}, {}, {}};
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
        FlopCounter counter(parts_, block->place);
        for (const Statement* statement : lines.statements) {
          if (info.arguments.empty()) root.blocks.push_back({{}, {counter.runs(body, *statement, scope)}});
        }
        if (info.arguments.empty()) info.root = b_.root(std::move(root));
      } catch (const Abandoned&) {  // reported
        continue;
      }
      into.push_back(std::move(info));
    }
  }
}

}  // namespace lowering

Lowered lower_flops(const Program& program, const Item* owner, const std::vector<Override>& overrides,
                    Diagnostics& diagnostics) {
  Lowered lowered;
  lowering::with_deep_stack([&] {
    lowering::Lowering lowering(program, lowered.system, lowered.words, lowered.notes, diagnostics);
    const lowering::Parts& parts = lowering.parts();
    if (!owner) {
      parts.outputs.list_flops(program.main().items, nullptr, lowered.flops);
      return;
    }
    parts.parameters.set_overrides(overrides);
    lowering::Instance& root = parts.instances.make_root(*owner, {}, owner->name.place);
    parts.parameters.list_parameters(root, lowered.parameters);
    const auto* model = std::get_if<item::Model>(&owner->node);
    parts.outputs.list_flops(model ? model->members : std::get<item::Machine>(owner->node).members, &root,
                             lowered.flops);
    parts.parameters.report_unused_overrides();
  });
  return lowered;
}

}  // namespace wave::frontend
