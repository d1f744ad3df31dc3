// See declarations.h.
#include "editors/server/declarations.h"

#include "frontend/ast/walk.h"
#include "frontend/check/members.h"
#include "frontend/check/modules.h"
#include "frontend/check/type_tools.h"

#include <algorithm>
#include <functional>

namespace wave::editors {
namespace {

using namespace frontend;

// Collects the declarations of one item after the other.
class Collector {
 public:
  explicit Collector(std::vector<Declaration>& found) : found_(found) {}

  void add_item(const Item& item) {
    item_ = &item;
    if (!item.name.text.empty() && !std::holds_alternative<item::Import>(item.node))
      add(DeclarationKind::item, item.name, type_of(item));
    std::visit(*this, item.node);
    for_each_expression(item, [this](const Expr& e) { expression(e); });
    if (const auto* members = check::members_of(item)) {
      for (const auto& member : *members) add_item(*member);
    }
  }

  // --- what an item declares besides itself ---
  void operator()(const item::Import& n) {
    if (n.selective) return;
    const Location path = n.path_location.known() ? n.path_location : item_->location;
    found_.push_back(
        {DeclarationKind::import, import_name(n), n.alias ? n.alias->location : path, item_, nullptr, {}, n.module});
  }
  void operator()(const item::Function& n) {
    parameters(n.parameters);
    lets(n.lets);
  }
  void operator()(const item::Record& n) {
    for (std::size_t i = 0; i < n.fields.size(); ++i) {
      const bool known = n.checked_types.size() == n.fields.size();
      add(DeclarationKind::field, n.fields[i].first, known ? n.checked_types[i] : nullptr, n.fields[i].second.get());
    }
  }
  void operator()(const item::Protocol& n) {
    parameters(n.parameters);
    block(n.sender);
    block(n.receiver);
  }
  void operator()(const item::Levels& n) {
    for (const Identifier& name : n.names) add(DeclarationKind::level, name, check::level_type());
  }
  void operator()(const item::Collective& n) {
    parameters(n.parameters);
    own_grid(n.grid, n.axes);
    block(n.algorithm);
  }
  void operator()(const item::Grid& n) {
    for (const item::GridAxis& axis : n.axes) add(DeclarationKind::axis, axis.name, check::int_type());
    for (const item::GridLevel& level : n.levels) add(DeclarationKind::level, level.name, check::level_type());
  }
  void operator()(const item::Recurrence& n) {
    for (const auto& axis : n.axes) add(DeclarationKind::axis, axis.name, check::int_type());
    lets(n.lets);
  }
  void operator()(const item::Process& n) { block(n.body); }
  void operator()(const item::Procedure& n) {
    parameters(n.parameters);
    own_grid(n.grid, n.axes);
    block(n.body);
  }
  void operator()(const item::Output& n) { binders(n.indices); }
  void operator()(const item::Study& n) {
    for (const auto& vary : n.vary) {
      if (vary.name.text.find('.') == std::string::npos) add(DeclarationKind::varied, vary.name, vary.type);
    }
    for (const auto& show : n.show) {
      if (show.name) add(DeclarationKind::shown, *show.name, show.value ? show.value->type : nullptr);
    }
  }
  void operator()(const item::Test& n) {
    lets(n.lets);
    for (const item::Expect& expect : n.expects) binders(expect.binders);
  }
  template <class Other>
  void operator()(const Other&) {}  // these declare nothing but themselves and their members

 private:
  void add(DeclarationKind kind, const Identifier& name, TypeRef type, const TypeExpr* written = nullptr) {
    if (name.text.empty() || !name.location.known()) return;
    found_.push_back(
        {kind, name.text, name.location, item_, std::move(type), written ? written->location : Location{}});
  }
  void parameters(const std::vector<Parameter>& all) {
    for (const Parameter& one : all) {
      // Without a type it has that of the argument, another one at each call.
      add(DeclarationKind::parameter, one.name, nullptr, one.type.get());
    }
  }
  void lets(const std::vector<LocalLet>& all) {
    for (const LocalLet& let : all)
      add(DeclarationKind::local, let.name, let.value ? let.value->type : nullptr, let.type.get());
  }
  void binders(const std::vector<Binder>& all) {
    for (const Binder& one : all)
      add(DeclarationKind::variable, one.name, one.list ? check::element_of(one.list->type) : nullptr);
  }
  void own_grid(const Identifier& grid, const std::vector<std::pair<Identifier, ExprPtr>>& axes) {
    if (axes.empty()) return;
    add(DeclarationKind::grid, grid, nullptr);
    for (const auto& [axis, extent] : axes) {
      add(DeclarationKind::axis, axis, check::int_type());
      // The number of those that take part gets its name here, unless it has one.
      const auto* name = extent ? std::get_if<expr::Name>(&extent->node) : nullptr;
      if (name && std::holds_alternative<target::Local>(name->target))
        add(DeclarationKind::variable, {name->text, extent->location}, check::int_type());
    }
  }

  void expression(const Expr& e) {
    if (const auto* node = std::get_if<expr::Comprehension>(&e.node)) binders(node->binders);
    if (const auto* node = std::get_if<expr::Reduce>(&e.node)) binders(node->binders);
    if (const auto* node = std::get_if<expr::Flops>(&e.node)) block(node->body);
    for_each_child(e, [this](const Expr& child) { expression(child); });
  }

  void block(const Block& statements) {
    for (const auto& one : statements) {
      if (const auto* let = std::get_if<statement::Let>(&one->node))
        add(DeclarationKind::local, let->name, let->value ? let->value->type : nullptr, let->type.get());
      if (const auto* loop = std::get_if<statement::For>(&one->node))
        add(DeclarationKind::variable, loop->variable, loop->list ? check::element_of(loop->list->type) : nullptr);
      if (const auto* emit = std::get_if<statement::Emit>(&one->node))
        add(DeclarationKind::signal, emit->signal, nullptr);
      const auto* message = std::get_if<statement::Message>(&one->node);
      if (message && message->handle && message->handle->location.known())
        add(DeclarationKind::operation, *message->handle, nullptr);
      for_each_block(*one, [this](const Block& inner) { block(inner); });
    }
  }

  std::vector<Declaration>& found_;
  const Item* item_ = nullptr;
};

}  // namespace

std::vector<Declaration> declarations_of(const Module& module) {
  std::vector<Declaration> found;
  Collector collector(found);
  for (const auto& item : module.items) collector.add_item(*item);
  std::stable_sort(found.begin(), found.end(),
                   [](const auto& a, const auto& b) { return a.place.begin < b.place.begin; });
  return found;
}

TypeRef type_of(const Item& item) {
  if (const auto* n = std::get_if<item::Param>(&item.node)) return n->checked_type;
  if (const auto* n = std::get_if<item::Let>(&item.node)) return n->checked_type;
  if (const auto* n = std::get_if<item::Function>(&item.node)) return n->checked_type;
  if (const auto* n = std::get_if<item::Recurrence>(&item.node)) return n->value_type;
  if (const auto* n = std::get_if<item::Output>(&item.node)) return n->value ? n->value->type : nullptr;
  return nullptr;
}

void for_each_item(const Module& module, const std::function<void(const Item&)>& visit) {
  for (const auto& item : module.items) {
    visit(*item);
    const auto* members = check::members_of(*item);
    for (std::size_t i = 0; members && i < members->size(); ++i) visit(*(*members)[i]);
  }
}

}  // namespace wave::editors
