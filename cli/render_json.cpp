// See render_json.h.
#include "cli/render_json.h"

#include "cli/formats/document.h"

namespace wave::cli {
namespace {

using frontend::Place;
using frontend::Sources;

void write_place(DataWriter& json, const Sources& sources, Place place) {
  const auto begin = sources.line_column(place.file, place.begin);
  const auto end = sources.line_column(place.file, place.end);
  json.key("file").value(sources.name(place.file)).key("line").value(begin.line).key("column").value(begin.column);
  json.key("end").begin_object().key("line").value(end.line).key("column").value(end.column).end_object();
}

}  // namespace

std::string render_json(const Sources& sources, const frontend::Diagnostic& diagnostic) {
  DataWriter json;
  json.begin_object().key("kind").value(name_of(diagnostic.kind)).key("code").value(code_of(diagnostic.kind));
  json.key("severity").value(diagnostic.severity == frontend::Severity::error ? "error" : "warning");
  json.key("message").value(diagnostic.message);
  const auto known = [&](Place place) { return place.known() && place.file < sources.size(); };
  if (!diagnostic.labels.empty() && known(diagnostic.labels.front().place)) {
    write_place(json, sources, diagnostic.labels.front().place);
  } else {
    json.key("file").null();
  }
  json.key("labels").begin_array();
  for (const auto& label : diagnostic.labels) {
    if (!known(label.place)) continue;
    json.begin_object();
    write_place(json, sources, label.place);
    json.key("text").value(label.text).key("primary").value(&label == &diagnostic.labels.front()).end_object();
  }
  json.end_array();
  json.texts("notes", diagnostic.notes);
  json.texts("help", diagnostic.help);
  return written(json.end_object().take());
}

}  // namespace wave::cli
