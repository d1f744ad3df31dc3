// `wave doc`: the declarations of a module with their documentation, defaults, ranges and sources; or what is in `std`.
#include "cli/display.h"
#include "cli/session.h"
#include "cli/signatures.h"
#include "cli/verbs.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace wave::cli {
namespace {

using frontend::Item;
namespace item = frontend::item;

constexpr std::string_view indent = "    ";
constexpr std::string_view library = "std";

// Each line behind `margin`.
std::string indented(const std::string& text, const std::string& margin) {
  std::string result;
  for (std::size_t begin = 0; begin < text.size();) {
    const auto end = std::min(text.find('\n', begin), text.size());
    const std::string line = text.substr(begin, end - begin);
    result += line.empty() ? "\n" : margin + line + "\n";
    begin = end + 1;
  }
  return result;
}

template <class... Kinds>
bool is_any(const Item& item) {
  return (std::holds_alternative<Kinds>(item.node) || ...);
}

// What a user of the module meets; the rest only where its author documents it.
bool worth_showing(const Item& item) {
  if (is_any<item::Import>(item)) return false;
  if (!item.doc.empty()) return true;
  return !is_any<item::Let, item::Grid, item::Recurrence, item::Process, item::Procedure>(item);
}

const std::vector<std::unique_ptr<Item>>* members_of(const Item& item) {
  if (const auto* interface = std::get_if<item::Interface>(&item.node)) return &interface->members;
  if (const auto* machine = std::get_if<item::Machine>(&item.node)) return &machine->members;
  if (const auto* model = std::get_if<item::Model>(&item.node)) return &model->members;
  return nullptr;
}

// What a machine has from those that it extends, a line each: what can be set, and what its messages and collectives are.
std::string inherited(const frontend::Sources& sources, const item::Machine& machine, const std::string& margin,
                      const Palette& palette) {
  std::set<std::string> replaced;
  for (const auto& member : machine.members) replaced.insert(member->name.text);
  std::string text;
  for (const Item* base = machine.base_item; base != nullptr;) {
    const auto& node = std::get<item::Machine>(base->node);
    std::string lines;
    for (const auto& member : node.members) {
      const bool is_hidden = !replaced.insert(member->name.text).second;
      if (is_hidden || !is_any<item::Param, item::Protocol, item::Collective>(*member)) continue;
      lines += margin + std::string(indent) + sanitize(signature(sources, *member)) + "\n";
    }
    if (!lines.empty()) text += "\n" + margin + palette(Style::strong, "from " + sanitize(base->name.text)) + "\n" + lines;
    base = node.base_item;
  }
  return text;
}

std::string describe(const frontend::Sources& sources, const Item& item, const std::string& margin, const Palette& palette) {
  std::string text = margin + palette(Style::strong, sanitize(signature(sources, item))) + "\n";
  const std::string inner = margin + std::string(indent);
  text += indented(sanitize(item.doc), inner);
  if (const auto* param = std::get_if<item::Param>(&item.node); param != nullptr && param->source) {
    text += inner + "from " + sanitize(*param->source) + "\n";
  }
  if (const auto* members = members_of(item)) {
    for (const auto& member : *members) {
      if (worth_showing(*member)) text += "\n" + describe(sources, *member, inner, palette);
    }
  }
  if (const auto* machine = std::get_if<item::Machine>(&item.node)) text += inherited(sources, *machine, inner, palette);
  return text;
}

// `std.machines.ibm_sp2`, not a file of that name.
bool is_library_module(const std::string& name) { return name.rfind("std.", 0) == 0 && name.find('/') == std::string::npos; }

const frontend::Module* load_module(Session& session, const std::string& what) {
  if (is_library_module(what)) return session.load_library(what);
  return session.load(what) ? &session.program().main() : nullptr;
}

// `wave doc std`: what there is, a line each.
int list_library(Session& session) {
  Console& console = session.console();
  const auto& palette = console.result_palette();
  for (const auto& [name, text] : frontend::standard_library()) {
    const auto* module = session.load_library(name);
    if (module == nullptr) return failure;
    console.print(palette(Style::strong, name) + "\n");
    for (const auto& item : module->items) {
      if (!worth_showing(*item)) continue;
      console.print(std::string(indent) + sanitize(signature(session.sources(), *item)) + "\n");
    }
  }
  return success;
}

}  // namespace

int execute(const DocCommand& command, const CommonOptions& options, Console& console) {
  Session session(console, options);
  if (command.what == library) return list_library(session);
  const auto* module = load_module(session, command.what);
  if (module == nullptr) return failure;
  const auto& palette = console.result_palette();
  console.print(palette(Style::strong, sanitize(module->name)) + "\n");
  console.print(indented(sanitize(module->doc), ""));
  for (const auto& item : module->items) {
    if (worth_showing(*item)) console.print("\n" + describe(session.sources(), *item, "", palette));
  }
  return success;
}

}  // namespace wave::cli
