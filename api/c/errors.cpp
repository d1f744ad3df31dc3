// See errors.h.
#include "api/c/errors.h"

#include "api/c/json_text.h"
#include "frontend/source/diagnostic_fields.h"
#include "frontend/source/diagnostic_text.h"
#include "frontend/source/patience.h"

#include <exception>
#include <new>
#include <stdexcept>

namespace wave::api {
namespace {

using frontend::DiagnosticKind;

Error::Shown shown(const frontend::Sources& sources, const frontend::Diagnostic& diagnostic) {
  Error::Shown one{std::string(code_of(diagnostic.kind)),
                   std::string(name_of(diagnostic.kind)),
                   diagnostic.message,
                   lines_of(diagnostic.notes),
                   lines_of(diagnostic.help),
                   "",
                   {0, 0},
                   diagnostic.severity == frontend::Severity::warning};
  if (diagnostic.labels.empty()) return one;
  const Location at = diagnostic.labels.front().location;
  if (!at.known() || at.file >= sources.size()) return one;
  one.file = sources.name(at.file);
  one.place = sources.line_column(at.file, at.begin);
  return one;
}

std::shared_ptr<Error> one_error(wave_status status, DiagnosticKind kind, const std::string& message,
                                 const std::string& help) {
  frontend::Diagnostics diagnostics;
  auto& diagnostic = diagnostics.add(kind, {}, message);
  if (!help.empty()) diagnostic.help.push_back(help);
  return std::make_shared<Error>(status, frontend::Sources{}, diagnostics);
}

std::shared_ptr<Error> no_memory() {
  return one_error(WAVE_LIMIT, DiagnosticKind::out_of_memory, "this needs more memory than there is",
                   "make the model smaller");
}

// What is being thrown as an error.
std::shared_ptr<Error> error_of_thrown() {
  try {
    throw;
  } catch (const Failed& failed) {
    return failed.error;
  } catch (const Misuse& misuse) {
    return one_error(WAVE_MISUSE, DiagnosticKind::misuse, misuse.message, misuse.help);
  } catch (const frontend::GivenUp&) {
    return one_error(WAVE_LIMIT, DiagnosticKind::out_of_time, "reading the model took longer than the limit",
                     "give it more time, or make the model smaller");
  } catch (const std::bad_alloc&) {
    return no_memory();
  } catch (const std::length_error&) {  // of a vector for more than there can be
    return no_memory();
  } catch (const std::exception& error) {
    return one_error(WAVE_INTERNAL, DiagnosticKind::misuse,
                     std::string("a mistake in the library, please report it with the model: ") + error.what(), "");
  }
}

}  // namespace

Error::Error(wave_status status, const frontend::Sources& sources, const frontend::Diagnostics& diagnostics)
    : status(status) {
  JsonText fields;
  fields.begin_array();
  for (const frontend::Diagnostic& one : diagnostics.sorted()) {
    all.push_back(shown(sources, one));
    coloured += (coloured.empty() ? "" : "\n") + sanitize_coloured(render_text(sources, one, Palette(true)));
    frontend::write_fields(fields, sources, one);
  }
  fields.end_array();
  text = without_colours(coloured);
  json = fields.take();
}

Error::Error(wave_status status, const std::vector<Error>& parts) : status(status) {
  json = "[";
  for (const Error& part : parts) {
    all.insert(all.end(), part.all.begin(), part.all.end());
    coloured += (coloured.empty() ? "" : "\n") + part.coloured;
    text += (text.empty() ? "" : "\n") + part.text;
    const std::string objects = part.json.substr(1, part.json.size() - 2);
    json += (json.size() > 1 && !objects.empty() ? "," : "") + objects;
  }
  json += "]";
}

wave_status status_of(const frontend::Diagnostics& diagnostics) {
  for (const auto& one : diagnostics.all()) {
    if (one.severity != frontend::Severity::error) continue;
    const bool is_limit = one.kind == DiagnosticKind::out_of_time || one.kind == DiagnosticKind::out_of_memory;
    return is_limit ? WAVE_LIMIT : WAVE_FAILED;
  }
  return WAVE_FAILED;
}

void fail(const frontend::Sources& sources, const frontend::Diagnostics& diagnostics) {
  throw Failed{std::make_shared<Error>(status_of(diagnostics), sources, diagnostics)};
}

void fail(wave_status status, DiagnosticKind kind, const std::string& message, const std::string& help) {
  throw Failed{one_error(status, kind, message, help)};
}

void stop() { fail(WAVE_STOPPED, DiagnosticKind::out_of_time, "it was stopped before its end"); }

wave_status caught(wave_error** error) noexcept {
  try {
    const auto thrown = error_of_thrown();
    if (error) *error = open_handle<wave_error>(thrown);
    return thrown->status;
  } catch (...) {
    return WAVE_LIMIT;  // not even the error can be made
  }
}

std::vector<std::string> texts_of(const char* const* texts, std::size_t count, const char* argument) {
  need_array(texts, count, argument);
  std::vector<std::string> all;
  for (std::size_t i = 0; i < count; ++i) {
    need(texts[i], argument);
    all.emplace_back(texts[i]);
  }
  return all;
}

std::string lines_of(const std::vector<std::string>& texts) {
  std::string lines;
  for (const std::string& text : texts) lines += (lines.empty() ? "" : "\n") + text;
  return lines;
}

void need_index(std::size_t index, std::size_t count, const char* argument) {
  if (index < count) return;
  throw Misuse{std::string("`") + argument + "` is " + std::to_string(index) + ", but there are " +
               std::to_string(count)};
}

}  // namespace wave::api

using namespace wave::api;

extern "C" {

wave_status wave_error_text(const wave_error* error, int form, const char** text) {
  return call(nullptr, [&] {
    const auto found = get<Error>(error, "error");
    need(text, "text");
    switch (form) {
      case WAVE_ERROR_PLAIN: *text = found->text.c_str(); break;
      case WAVE_ERROR_COLOURED: *text = found->coloured.c_str(); break;
      case WAVE_ERROR_JSON: *text = found->json.c_str(); break;
      default: throw Misuse{"`form` is " + std::to_string(form) + ", which is no form of an error"};
    }
  });
}

wave_status wave_error_count(const wave_error* error, size_t* count) {
  return call(nullptr, [&] {
    const auto found = get<Error>(error, "error");
    need(count, "count");
    *count = found->all.size();
  });
}

wave_status wave_error_diagnostic(const wave_error* error, size_t index, wave_diagnostic* diagnostic) {
  return call(nullptr, [&] {
    const auto found = get<Error>(error, "error");
    need_index(index, found->all.size(), "index");
    const Error::Shown& one = found->all[index];
    fill(diagnostic,
         wave_diagnostic{0, one.code.c_str(), one.kind.c_str(), one.message.c_str(), one.notes.c_str(),
                         one.help.c_str(), one.file.c_str(), one.place.line, one.place.column, one.is_warning},
         "diagnostic");
  });
}

}  // extern "C"
