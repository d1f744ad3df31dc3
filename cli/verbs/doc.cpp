// `wave doc`: the declarations of a module, or one of them, with their documentation, defaults, ranges and sources; or
// what is in `std`.
#include "cli/verbs/doc.h"

#include "cli/formats/readable.h"
#include "cli/option_words.h"
#include "cli/results.h"
#include "cli/session.h"
#include "cli/text.h"
#include "cli/verb.h"
#include "frontend/ast/ast.h"
#include "frontend/check/members.h"
#include "frontend/check/modules.h"
#include "frontend/format/signatures.h"
#include "frontend/project/project.h"
#include "frontend/source/sources.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <set>
#include <string>

namespace wave::cli {
namespace {

namespace item = frontend::item;
using frontend::Item;
using frontend::Location;
using frontend::Sources;
using frontend::check::is_any_of;

struct DocCommand {
  std::string what;  // a file, a module, a declaration of one, a folder; empty: a list of modules
  std::string html;  // the folder of pages
};

void declare(CLI::App& verb, DocCommand& command, CommonOptions& common) {
  add_text(verb, "MODULE", command.what, "",
           "A .wave file, a module such as std.machines.ibm_sp2, one of its declarations (.SP2 after it), a folder, or "
           "std (default: a list of modules)");
  add_text(
      verb, "--html", command.html, "DIR",
      "Write pages with a search into this folder: of the project, the folder or the module, or of std with all of the "
      "documentation");
  add_search(verb, common);
}

constexpr std::string_view doc_indent = "    ";

}  // namespace

bool worth_showing(const Item& item) {
  if (is_any_of<item::Import>(item)) return false;
  if (!item.doc.empty()) return true;
  return !is_any_of<item::Let, item::Grid, item::Recurrence, item::Process, item::Procedure>(item);
}

namespace {

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
      if (is_hidden || !is_any_of<item::Param, item::Protocol, item::Collective>(*member)) continue;
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

// What a module hands on, a line each: where it is declared, and how.
std::string handed_on(const Sources& sources, const frontend::Module& module, const Palette& palette) {
  std::map<std::string, std::string> lines;  // by the module that declares
  for (const auto& [name, one] : module.handed_on) {
    const std::string other = name == one.item->name.text ? "" : fmt::format("  as {}", name);
    lines[one.item->module->name] += std::string(doc_indent) + sanitize(signature(sources, *one.item)) + other + "\n";
  }
  std::string text;
  for (const auto& [name, declared] : lines)
    text += "\n" + palette(Style::strong, "from " + sanitize(name)) + "\n" + declared;
  return text;
}

// Modules, a line each.
void list_modules(Console& console, const ModuleList& list) {
  ReadableTable readable{{}, {Align::left, Align::left}, {}};
  analysis::RowTable table{
      list.folder.empty() ? "library" : "project", "", {{"module", text_type(), {}}, {"about", text_type(), {}}}, {}};
  for (const ListedModule& one : list.modules) {
    const std::string about = first_sentence(documentation_of(one));
    readable.rows.push_back({sanitize(one.name), sanitize(about)});
    table.rows.push_back({one.name, about});
  }
  Document document = document_about(list.folder, "");
  document.tables = {row_table(table)};
  document.page = [&readable](const std::vector<OutputTable>&) { return Passages{{"", readable}}; };
  write_document(std::move(document), Format(), "", console);
}

// `wave doc FOLDER`, and `wave doc` in a project.
int list_folder(Console& console, const std::string& folder) {
  const auto list = modules_of_folder(folder, console);
  if (!list) return failure;
  list_modules(console, *list);
  return success;
}

// `wave doc`: those of the project of this folder, then the library.
int list_all(Console& console) {
  int code = success;
  if (const std::string project = frontend::project_folder("."); !project.empty()) {
    code = list_folder(console, project);
    if (code == success) console.print("\n");
  }
  list_modules(console, modules_of_library());
  return code;
}

// `wave doc std`: their declarations, a line each.
int list_library(Session& session) {
  Console& console = session.console();
  const auto& palette = console.result_palette();
  if (!load_all(modules_of_library(), session)) return failure;
  for (const auto* module : loaded_modules(session.program())) {
    console.print(palette(Style::strong, module->name) + "\n", Printed::coloured);
    for (const auto& item : module->items) {
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
  auto& d = session.diagnostics().add(frontend::DiagnosticKind::unknown_name, {},
                                      fmt::format("{} declares no `{}`", session.name(), name));
  suggest_nearest(d, name, names_of(module));
  session.settle();
  return nullptr;
}

// One module, as a list.
ModuleList list_of(const std::string& name, const frontend::ModuleFile& file) {
  if (file.is_standard) return {name, "", {}, {{name, ""}}};
  return {name, frontend::folder_of(file.path), {}, {{name, file.path}}};
}

// Whether a word is meant as a module rather than as a folder.
bool is_module_name(const std::string& word, const frontend::SearchPath& search) {
  const bool looks_so = word == library_name || word.starts_with("std.") || word.ends_with(".wave");
  return looks_so || (frontend::is_dotted(word) && find_module(word, search));
}

int refuse_module_as_folder(Console& console, const std::string& word, const frontend::SearchPath& search) {
  const bool is_one = word == library_name || find_module(word, search);
  const std::string near = is_one ? "" : frontend::nearest_module(word);
  const std::string module = is_one ? word : near.empty() ? "MODULE" : near;
  return report_misuse(
      console, fmt::format("`--html` takes the folder for the pages, and `{}` looks like a module", word),
      fmt::format("`wave doc {} --html FOLDER` makes pages of a module; a folder of that name is `./{}`", module,
                  word));
}

// `wave doc --html DIR`: of the project of this folder, if there is one, else of the library.
int write_pages(const DocCommand& command, const CommonOptions& options, Session& session) {
  const frontend::SearchPath search = search_path(options);
  if (is_module_name(command.html, search)) return refuse_module_as_folder(session.console(), command.html, search);
  const std::string what = command.what.empty() ? frontend::project_folder(".") : command.what;
  if (what.empty() || what == library_name) return write_site(modules_of_library(), command.html, session);
  if (std::error_code error; std::filesystem::is_directory(what, error)) {
    const auto list = modules_of_folder(what, session.console());
    return list ? write_site(*list, command.html, session) : failure;
  }
  if (const auto file = find_module(what, search)) return write_site(list_of(what, *file), command.html, session);
  if (is_module_name(what, search)) {
    session.load(what);  // says why there is none
    return failure;
  }
  return report_misuse(session.console(), fmt::format("`{}` is neither a folder nor a module", what),
                       "pages are made of a project, of a folder with modules, of a module or of `std`");
}

int execute(const DocCommand& command, const CommonOptions& options, Console& console) {
  if (!command.html.empty()) {
    Session session(console, options);
    return write_pages(command, options, session);
  }
  if (command.what.empty()) return list_all(console);
  Session session(console, options);
  if (command.what == library_name) return list_library(session);
  if (std::error_code error; std::filesystem::is_directory(command.what, error))
    return list_folder(console, command.what);
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
  console.print(handed_on(session.sources(), module, palette), Printed::coloured);
  return success;
}

}  // namespace

Verb doc_verb() {
  return make_verb<DocCommand>("doc",
                               "Show the documentation of a module, or list the modules of a project and the library",
                               {{"List the modules of the project and of the library", "wave doc"},
                                {"Read about one machine", "wave doc std.machines.ibm_sp2.SP2"},
                                {"Make pages of a project, a folder or a module; of std with the documentation",
                                 "wave doc --html site examples"}},
                               declare, execute);
}

}  // namespace wave::cli
