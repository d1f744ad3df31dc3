// `wave diff --api`: what changes for those who use a library, and which version that asks for.
#include "analysis/compare/api.h"
#include "cli/module_list.h"
#include "cli/results.h"
#include "cli/session.h"
#include "cli/verbs/diff.h"
#include "frontend/check/type_tools.h"
#include "frontend/project/project.h"

#include <fmt/format.h>

#include <filesystem>

namespace wave::cli {
namespace {

using analysis::ApiChange;
using frontend::DiagnosticKind;

// A library at one time.
struct Library {
  Library(Console& console, const CommonOptions& options) : session(console, options) {}

  Session session;
  analysis::Api api;
  bool is_folder = false;
  std::optional<frontend::Manifest> manifest;
};

// False, reported, if it cannot be used.
bool load(const std::string& what, Library& library) {
  if (std::error_code error; !std::filesystem::is_directory(what, error)) {
    if (!library.session.load(what)) return false;
    library.api = {&library.session.program(), {{"", &library.session.program().main()}}};
    return true;
  }
  auto list = modules_of_folder(what, library.session.console());
  if (!list || !load_all(*list, library.session)) return false;
  library.api.program = &library.session.program();
  const auto modules = loaded_modules(library.session.program());
  for (std::size_t i = 0; i < modules.size(); ++i) library.api.modules.push_back({list->modules[i].name, modules[i]});
  library.manifest = std::move(list->manifest);
  library.is_folder = true;
  return true;
}

const char* text_of(ApiChange::Effect effect) {
  switch (effect) {
    case ApiChange::Effect::breaks: return "breaks";
    case ApiChange::Effect::adds: return "adds";
    case ApiChange::Effect::other: return "changes";
  }
  return "";
}

Results results_of(const std::string& file, const std::vector<ApiChange>& changes,
                   const std::vector<std::pair<std::string, Cell>>& facts) {
  Results results;
  results.file = file;
  std::vector<frontend::ColumnInfo> columns;
  std::vector<Cell> cells;
  for (const auto& [name, cell] : facts) {
    columns.push_back({name, std::holds_alternative<bool>(cell) ? frontend::check::bool_type() : text_type(), {}});
    cells.push_back(cell);
  }
  results.add_record("api", std::move(columns), "");
  results.add_row(cells);
  results.add_table("changes", {{"effect", text_type(), {}}, {"name", text_type(), {}}, {"change", text_type(), {}}},
                    "for those who import the modules");
  for (const ApiChange& one : changes) results.add_row({text_of(one.effect), one.what, one.change});
  return results;
}

}  // namespace

int diff_apis(const std::string& before, const std::string& after, Format format, const CommonOptions& options,
              Console& console) {
  Library old(console, options), now(console, options);
  if (!load(before, old) || !load(after, now)) return failure;
  // Two modules are compared whatever they are called; modules of folders by their names.
  if (old.is_folder != now.is_folder || old.manifest.has_value() != now.manifest.has_value())
    return report_misuse(console, "a module and a folder, or a project and a plain folder, cannot be compared",
                         "name two of one kind");
  const auto changes = compare_apis(old.api, now.api);
  const auto step = step_of(changes, old.api, now.api);
  std::vector<std::pair<std::string, Cell>> facts{{"asks_for", std::string(to_string(step))}};
  bool suffices = true;
  if (old.manifest && now.manifest) {
    const frontend::Version &before_it = old.manifest->version, &version = now.manifest->version;
    const std::string least = to_string(next(before_it, step));
    suffices = may_have(version, before_it, step);
    facts.insert(
        facts.end(),
        {{"before", to_string(before_it)}, {"after", to_string(version)}, {"at_least", least}, {"suffices", suffices}});
    if (!suffices) {
      now.session.diagnostics()
          .add(DiagnosticKind::version_too_low, {},
               fmt::format("`{}` is version {}, and what has changed since {} asks for {}", now.manifest->name,
                           to_string(version), to_string(before_it), least))
          .help.push_back(fmt::format("write `version = \"{}\"` in `wave.toml`, or keep what was there", least));
    }
  }
  write_document(document_of(results_of(after, changes, facts)), format, "", console);
  now.session.settle();
  return suffices ? success : failure;
}

}  // namespace wave::cli
