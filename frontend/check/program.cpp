// Loading, checking, and single expressions: what program.h promises.
#include "frontend/check/program.h"

#include "frontend/check/checker.h"
#include "frontend/check/loader.h"
#include "frontend/check/module_names.h"
#include "frontend/parse/parser.h"
#include "stdlib/standard_library.h"

#include <algorithm>

namespace wave::frontend {
namespace {

std::vector<std::string> names_of(const Module& module) {
  std::vector<std::string> names;
  for (const auto& item : module.items) names.push_back(item->name.text);
  return names;
}

// Modules of the standard library that are loaded after the rest, checked like the others.
Module* load_standard(Program& program, const std::string& name, Diagnostics& diagnostics) {
  const SearchPath nowhere;
  const std::size_t before = program.modules.size();
  check::Loader loader(program, nowhere, diagnostics);
  Module* module = loader.load_standard(name);
  if (program.modules.size() != before) {
    check::Checker checker(program, nowhere, diagnostics, nullptr);
    checker.check_modules(before);
  }
  return module;
}

}  // namespace

const std::vector<std::pair<std::string, std::string>>& standard_library() { return stdlib::modules(); }

std::unique_ptr<Program> load(const std::string& path, const SearchPath& search, Diagnostics& diagnostics,
                              const std::string* text) {
  auto program = std::make_unique<Program>();
  check::Loader loader(*program, search, diagnostics);
  loader.load_main(path, text);
  check::Checker checker(*program, search, diagnostics, nullptr);
  checker.check_modules();
  return program;
}

ExprPtr check_expression(Program& program, const Item* model, const std::string& source_name, const std::string& text,
                         TypeRef expected, Diagnostics& diagnostics) {
  const std::size_t errors = diagnostics.all().size();
  const std::uint32_t file = program.sources.add(source_name, text);
  ExprPtr e = parse_expression(program.sources, file, diagnostics);
  if (!e) return nullptr;
  const SearchPath nowhere;
  check::Loader loader(program, nowhere, diagnostics);
  check::Checker checker(program, nowhere, diagnostics,
                         [&](const std::string& name) { return loader.load_standard(name); });
  checker.check_override(*e, model, model && model->module ? *model->module : program.main(), expected);
  const auto is_error = [](const Diagnostic& d) { return d.severity == Severity::error; };
  const auto& all = diagnostics.all();
  return std::any_of(all.begin() + static_cast<std::ptrdiff_t>(errors), all.end(), is_error) ? nullptr : std::move(e);
}

const Item* find_item(Program& program, const std::string& path, Diagnostics& diagnostics) {
  if (const Item* item = find_imported(program.main(), path)) return item;
  const std::size_t dot = path.rfind('.');
  const std::string name = dot == std::string::npos ? path : path.substr(dot + 1);
  const std::string module_name = dot == std::string::npos ? "" : path.substr(0, dot);
  const Module* module = module_name.empty() ? &program.main() : nullptr;
  if (module_name.rfind("std.", 0) == 0) module = load_standard(program, module_name, diagnostics);
  if (!module) module = imported_module(program.main(), module_name);
  if (!module) {
    Diagnostic& d = diagnostics.add(DiagnosticKind::unknown_module, {}, "there is no module `" + module_name + "`");
    if (const std::string near = nearest_module(module_name); !near.empty())
      d.help.push_back("did you mean `" + near + "`?");
    return nullptr;
  }
  if (const Item* item = find_declaration(*module, name)) return item;
  Diagnostic& d =
      diagnostics.add(DiagnosticKind::unknown_name, {}, "`" + module->name + "` declares no `" + name + "`");
  if (const std::string near = nearest(name, names_of(*module)); !near.empty())
    d.help.push_back("did you mean `" + near + "`?");
  return nullptr;
}

}  // namespace wave::frontend
