// Diagnostics of the front end as those of the protocol.
#include "editors/server/features.h"
#include "frontend/format/quantities.h"

#include <map>

namespace wave::editors {
namespace {

using namespace frontend;

constexpr std::size_t most_shown = 1000;

std::string message_of(const Diagnostic& d) {
  std::string text = d.message;
  if (!d.labels.empty() && !d.labels.front().text.empty()) text += ": " + d.labels.front().text;
  for (const std::string& note : d.notes) text += "\nnote: " + note;
  for (const std::string& help : d.help) text += "\nhelp: " + help;
  return text;
}

Json related(const View& view, const Diagnostic& d) {
  Json all = Json::array();
  for (std::size_t i = 1; i < d.labels.size(); ++i) {
    Json location = view.project.location(view.analysis, d.labels[i].location);
    if (!location.is_null()) all.push_back({{"location", std::move(location)}, {"message", d.labels[i].text}});
  }
  return all;
}

// Where the document imports a module, itself or through another one.
Location import_of(const View& view, std::uint32_t file) {
  for (const auto& item : view.analysis.main().items) {
    const auto* import = std::get_if<item::Import>(&item->node);
    if (import && import->module && import->module->file == file)
      return import->path_location.known() ? import->path_location : item->location;
  }
  return {view.analysis.file(), 0, 0};
}

// Errors of imported files are shown where those are open. Here stands that there are some, and the first one of
// `wave.toml`, which is no model.
void add_imported(const View& view, Json& all) {
  std::map<std::uint32_t, std::vector<const Diagnostic*>> by_file;
  for (const Diagnostic& d : view.analysis.imported_errors()) by_file[d.labels.front().location.file].push_back(&d);
  for (const auto& [file, errors] : by_file) {
    const Module* module = view.analysis.module_of(file);
    if (!module) {
      all.push_back({{"range", view.lines.range({view.analysis.file(), 0, 0})},
                     {"severity", 1},
                     {"code", std::string(code_of(errors.front()->kind))},
                     {"source", "wave"},
                     {"message", "`" + view.analysis.sources().name(file) + "`: " + message_of(*errors.front())}});
      continue;
    }
    Json location = view.project.location(view.analysis, errors.front()->labels.front().location);
    if (location.is_null()) continue;
    all.push_back({{"range", view.lines.range(import_of(view, file))},
                   {"severity", 1},
                   {"source", "wave"},
                   {"message", "`" + module->name + "` has " + counted(errors.size(), "error")},
                   {"relatedInformation",
                    Json::array({{{"location", std::move(location)}, {"message", errors.front()->message}}})}});
  }
}

}  // namespace

Json diagnostics_of(const View& view, const std::function<std::string(std::string_view code)>& page) {
  Json all = Json::array();
  for (const Diagnostic& d : view.analysis.diagnostics().sorted()) {
    if (all.size() == most_shown) break;
    const Location place = d.labels.empty() ? Location{view.analysis.file(), 0, 0} : d.labels.front().location;
    if (place.known() && place.file != view.analysis.file()) continue;
    const std::string code(code_of(d.kind));
    Json one = {{"range", view.lines.range(place)},
                {"severity", d.severity == Severity::error ? 1 : 2},
                {"code", code},
                {"source", "wave"},
                {"message", message_of(d)},
                {"relatedInformation", related(view, d)}};
    if (const std::string address = page(code); !address.empty()) one["codeDescription"] = {{"href", address}};
    all.push_back(std::move(one));
  }
  add_imported(view, all);
  return all;
}

}  // namespace wave::editors
