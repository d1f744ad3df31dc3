// Diagnostics as programs read them: {"kind", "code", "severity", "message", "file", "line", "column", "end": {"line",
// "column"}, "labels", "notes", "help"}. Lines and columns count from 1, columns in code points; `end` is just past the
// location. A diagnostic without one has "file": null and neither line, column nor end.
#pragma once

#include "frontend/source/diagnostics.h"

namespace wave::frontend {

template <class Writer>
void write_location(Writer& json, const Sources& sources, Location location) {
  const auto begin = sources.line_column(location.file, location.begin);
  const auto end = sources.line_column(location.file, location.end);
  json.key("file").value(sources.name(location.file)).key("line").value(begin.line).key("column").value(begin.column);
  json.key("end").begin_object().key("line").value(end.line).key("column").value(end.column).end_object();
}

// `Writer` makes an object from its beginning to its end, as the data writers of cli/formats/ and api/c/ do.
template <class Writer>
void write_fields(Writer& json, const Sources& sources, const Diagnostic& diagnostic) {
  json.begin_object().key("kind").value(name_of(diagnostic.kind)).key("code").value(code_of(diagnostic.kind));
  json.key("severity").value(diagnostic.severity == Severity::error ? "error" : "warning");
  json.key("message").value(diagnostic.message);
  const auto known = [&](Location location) { return location.known() && location.file < sources.size(); };
  if (!diagnostic.labels.empty() && known(diagnostic.labels.front().location)) {
    write_location(json, sources, diagnostic.labels.front().location);
  } else {
    json.key("file").null();
  }
  json.key("labels").begin_array();
  for (const auto& label : diagnostic.labels) {
    if (!known(label.location)) continue;
    json.begin_object();
    write_location(json, sources, label.location);
    json.key("text").value(label.text).key("primary").value(&label == &diagnostic.labels.front()).end_object();
  }
  json.end_array();
  json.texts("notes", diagnostic.notes);
  json.texts("help", diagnostic.help);
  json.end_object();
}

}  // namespace wave::frontend
