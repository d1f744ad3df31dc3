// `wave doc`: the declarations of a module, or one of them, with their documentation, defaults, ranges and sources; or
// what is in `std`.
#include "cli/formats/readable.h"
#include "cli/option_words.h"
#include "cli/session.h"
#include "cli/text.h"
#include "cli/verb.h"
#include "frontend/ast/ast.h"
#include "frontend/check/members.h"
#include "frontend/check/modules.h"
#include "frontend/format/signatures.h"
#include "frontend/source/sources.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <string>

namespace wave::cli {
namespace {

namespace item = frontend::item;
using frontend::Item;
using frontend::Location;
using frontend::Sources;

struct Command {
  std::string what;  // a file, a module, a declaration of one; empty: the modules of std
};

void declare(CLI::App& verb, Command& command, CommonOptions& common) {
  add_text(verb, "MODULE", command.what, "",
           "A .wave file, a module such as std.machines.ibm_sp2, one of its declarations (.SP2 after it), or std "
           "(default: a list of modules)");
  add_search(verb, common);
}

constexpr std::string_view doc_indent = "    ";
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

// What a machine has from those that it extends, a line each: what can be set, and what its messages and collectives
// are.
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
      const auto* param = std::get_if<item::Param>(&member->node);
      lines += margin + std::string(doc_indent) + sanitize(signature(sources, *member));
      lines += param != nullptr && param->source ? fmt::format("  from {}\n", sanitize(*param->source)) : "\n";
    }
    if (!lines.empty())
      text += "\n" + margin + palette(Style::strong, "from " + sanitize(base->name.text)) + "\n" + lines;
    base = node.base_item;
  }
  return text;
}

std::string describe(const frontend::Sources& sources, const Item& item, const std::string& margin,
                     const Palette& palette) {
  std::string text = margin + palette(Style::strong, sanitize(signature(sources, item))) + "\n";
  const std::string inner = margin + std::string(doc_indent);
  text += indented(sanitize(item.doc), inner);
  if (const auto* param = std::get_if<item::Param>(&item.node); param != nullptr && param->source) {
    text += inner + "from " + sanitize(*param->source) + "\n";
  }
  if (const auto* members = frontend::check::members_of(item)) {
    for (const auto& member : *members) {
      if (worth_showing(*member)) text += "\n" + describe(sources, *member, inner, palette);
    }
  }
  if (const auto* machine = std::get_if<item::Machine>(&item.node))
    text += inherited(sources, *machine, inner, palette);
  return text;
}

// What stands in `///` lines at the head of a module, up to the end of its first sentence.
std::string first_sentence(const std::string& text) {
  std::string sentence;
  for (std::size_t begin = 0; text.compare(begin, 3, "///") == 0;) {
    const auto end = std::min(text.find('\n', begin), text.size());
    std::string line = text.substr(begin + 3, end - begin - 3);
    line.erase(0, line.find_first_not_of(' '));
    if (line.empty()) break;
    sentence += (sentence.empty() ? "" : " ") + line;
    begin = end + 1;
    if (begin >= text.size()) break;
  }
  const auto stop = sentence.find(". ");
  return stop == std::string::npos ? sentence : sentence.substr(0, stop + 1);
}

// `wave doc`: the modules, a line each.
void list_modules(Console& console) {
  ReadableTable table{{}, {Align::left, Align::left}, {}};
  for (const auto& [name, text] : frontend::standard_library())
    table.rows.push_back({name, sanitize(first_sentence(text))});
  console.print(render(table));
}

// `wave doc std`: their declarations, a line each.
int list_library(Session& session) {
  Console& console = session.console();
  const auto& palette = console.result_palette();
  std::string imports;
  for (const auto& [name, text] : frontend::standard_library()) {
    imports += fmt::format("import {} as module{}\n", name, imports.size());
  }
  if (!session.load("<command line>", imports)) return failure;
  for (const auto& [name, text] : frontend::standard_library()) {
    console.print(palette(Style::strong, name) + "\n", Printed::coloured);
    const auto& modules = session.program().modules;
    const auto module =
        std::find_if(modules.begin(), modules.end(), [&](const auto& one) { return one->name == name; });
    for (const auto& item : (*module)->items) {
      if (!worth_showing(*item)) continue;
      console.print(std::string(doc_indent) + sanitize(signature(session.sources(), *item)) + "\n");
    }
  }
  return success;
}

// `std.machines.ibm_sp2.SP2`, `lattice.shapes.Box`, `mine.wave:Box`: a module and the name of a declaration; that is
// empty where all of it is a module.
struct WantedItem {
  std::string module, name;
};
WantedItem split(const std::string& what, const frontend::SearchPath& search) {
  if (what == "-" || find_module(what, search)) return {what, ""};
  for (const char separator : {':', '.'}) {
    const auto at = what.rfind(separator);
    if (at != std::string::npos && at + 1 < what.size() && find_module(what.substr(0, at), search)) {
      return {what.substr(0, at), what.substr(at + 1)};
    }
  }
  return {what, ""};
}

// Null, reported, where there is none.
const Item* find_wanted(Session& session, const std::string& name) {
  const auto& module = session.program().main();
  if (const Item* item = find_declaration(module, name)) return item;
  std::vector<std::string> names;
  for (const auto& item : module.items) names.push_back(item->name.text);
  auto& d = session.diagnostics().add(frontend::DiagnosticKind::unknown_name, {},
                                      fmt::format("{} declares no `{}`", session.name(), name));
  suggest_nearest(d, name, names);
  session.settle();
  return nullptr;
}

int execute(const Command& command, const CommonOptions& options, Console& console) {
  if (command.what.empty()) {
    list_modules(console);
    return success;
  }
  Session session(console, options);
  if (command.what == library) return list_library(session);
  const auto [name, declaration] = split(command.what, search_path(options));
  if (!session.load(name)) return failure;
  const auto& module = session.program().main();
  const auto& palette = console.result_palette();
  if (!declaration.empty()) {
    const Item* item = find_wanted(session, declaration);
    if (item == nullptr) return failure;
    console.print(describe(session.sources(), *item, "", palette), Printed::coloured);
    return success;
  }
  console.print(palette(Style::strong, sanitize(module.name)) + "\n", Printed::coloured);
  console.print(indented(sanitize(module.doc), ""));
  for (const auto& item : module.items) {
    if (worth_showing(*item)) console.print("\n" + describe(session.sources(), *item, "", palette), Printed::coloured);
  }
  return success;
}

}  // namespace

Verb doc_verb() {
  return make_verb<Command>("doc", "Show the documentation of a module, or list the modules of the library",
                            {{"List the modules of the library", "wave doc"},
                             {"Read what a module offers", "wave doc std.machines.ibm_sp2"},
                             {"Read about one machine", "wave doc std.machines.ibm_sp2.SP2"}},
                            declare, execute);
}

}  // namespace wave::cli
