// Modules, imports, and which declarations may stand where.
#include "frontend/parse/tree_builder.h"

#include <array>

namespace wave::frontend {

std::unique_ptr<Module> TreeBuilder::module(Grammar::ModuleContext* context) {
  auto result = std::make_unique<Module>();
  result->file = file_;
  if (auto* edition = context->edition(); edition != nullptr && !broken(edition)) {
    const Place where = place(edition->INTEGER());
    if (text(where) == "1")
      result->edition = 1;
    else
      report(DiagnosticKind::edition, where, "edition " + text(where) + " of the language is not known",
             "not an edition")
          .help.emplace_back("this compiler knows edition 1: `wave 1`");
  }
  if (context->items() != nullptr) result->items = items(context->items(), Owner::module);
  return result;
}

std::vector<std::unique_ptr<Item>> TreeBuilder::items(Grammar::ItemsContext* context, Owner owner) {
  std::vector<std::unique_ptr<Item>> result;
  for (auto* child : context->item()) {
    if (auto built = item(child, owner)) result.push_back(std::move(built));
  }
  return result;
}

std::unique_ptr<Item> TreeBuilder::item(Grammar::ItemContext* context, Owner owner) {
  if (context->children.empty()) return nullptr;
  auto* rule = dynamic_cast<Rule*>(context->children[0]);
  if (rule == nullptr) return nullptr;
  auto result = std::make_unique<Item>();
  result->place = place(context);
  if (!fill(*result, rule)) return nullptr;
  check_place(*result, owner);
  return result;
}

namespace {

struct Standing {
  std::string_view what, where;
  unsigned owners;
};  // bits: module 1, interface 2, machine 4, model 8

// Which declarations may stand where, by the alternatives of Item::node.
constexpr std::array<Standing, 19> standings{{
    {"`import`", "at the top of a module", 1},
    {"`param`", "in a machine or a model", 4 | 8},
    {"`let`", "in a module, a machine, a model or a body", 1 | 4 | 8},
    {"`fn`", "in a module, an interface, a machine or a model", 1 | 2 | 4 | 8},
    {"`type`", "in a module", 1},
    {"`require`", "in a machine or a model", 4 | 8},
    {"`protocol`", "in a machine", 4},
    {"`collective`", "in an interface or a machine", 2 | 4},
    {"`interface`", "in a module", 1},
    {"`machine`", "in a module", 1},
    {"`grid`", "in a model", 8},
    {"`rec`", "in a model", 8},
    {"`process`", "in a model", 8},
    {"`procedure`", "in a module or a model", 1 | 8},
    {"`output`", "in a model", 8},
    {"`model`", "in a module", 1},
    {"`study`", "in a module", 1},
    {"`test`", "in a module", 1},
    {"what was not understood", "anywhere", 1 | 2 | 4 | 8},
}};
static_assert(std::variant_size_v<decltype(Item::node)> == standings.size());

}  // namespace

void TreeBuilder::check_place(const Item& item, Owner owner) {
  constexpr std::array names{"a module, outside any declaration", "an interface", "a machine", "a model"};
  const Standing& standing = standings[item.node.index()];
  if ((standing.owners & (1u << static_cast<unsigned>(owner))) != 0) return;
  const std::size_t word = standing.what.size() - 2;
  report(DiagnosticKind::misplaced, {file_, item.place.begin, item.place.begin + static_cast<std::uint32_t>(word)},
         std::string(standing.what) + " stands " + std::string(standing.where),
         "here it stands in " + std::string(names[static_cast<std::size_t>(owner)]));
}

item::Import TreeBuilder::import(Grammar::Import_itemContext* context) {
  item::Import result;
  result.is_broken = broken(context);
  if (context->path() != nullptr) {
    result.path = path(context->path());
    result.path_place = place(context->path());
  } else if (context->STRING() != nullptr) {
    const Identifier file = string(context->STRING());
    result.file = file.text;
    result.path_place = file.place;
  }
  auto names = context->name();
  std::size_t first = 0;
  if (context->AS() != nullptr && !names.empty()) {
    if (!broken(names[0])) result.alias = identifier(names[0]);
    first = 1;
  }
  result.selective = context->LBRACE() != nullptr;
  for (std::size_t i = first; i < names.size(); ++i) result.names.push_back(identifier(names[i]));
  return result;
}

}  // namespace wave::frontend
