// A diagnostic is data: a kind, locations with labels, help. diagnostic_text.h and diagnostic_fields.h write it.
#pragma once

#include "frontend/source/sources.h"

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace wave::frontend {

// One entry per kind in diagnostics.def: WAVE_DIAGNOSTIC(E0201, unknown_name, "unknown name").
enum class DiagnosticKind {
#define WAVE_DIAGNOSTIC(code, name, title) name,
#include "frontend/source/diagnostics.def"
#undef WAVE_DIAGNOSTIC
};

std::string_view code_of(DiagnosticKind kind);  // "E0201"
std::string_view title_of(DiagnosticKind kind);
std::string_view name_of(DiagnosticKind kind);  // "unknown_name"
// "E0201" read again. Nothing: no kind has this code.
std::optional<DiagnosticKind> kind_of(std::string_view code);
// Every kind, in the order of its code.
const std::vector<DiagnosticKind>& all_kinds();

enum class Severity { error, warning };

struct Label {
  Location location;
  std::string text;  // may be empty
};

// What would take the place of a text so that it is right, where the help names it.
struct Fix {
  Location place;
  std::string text;
};

// The message is lower case, without a full stop, code in backticks: "unknown name `net.totl`".
struct Diagnostic {
  DiagnosticKind kind;
  std::string message;
  std::vector<Label> labels;       // the first is the primary location
  std::vector<std::string> notes;  // what was expected, and why
  std::vector<std::string> help;   // a way on
  Severity severity = Severity::error;
  std::vector<Fix> fixes{};  // any one of them
};

class Diagnostics {
 public:
  // The reference is valid until the next call.
  Diagnostic& add(DiagnosticKind kind, Location location, std::string message, std::string label = {},
                  Severity severity = Severity::error);
  bool has_errors() const;
  const std::vector<Diagnostic>& all() const { return items_; }
  // What a renderer shows: sorted by file and location, without duplicates.
  std::vector<Diagnostic> sorted() const;

 private:
  std::vector<Diagnostic> items_;
};

// "`a`, `b`", as names stand in messages.
std::string quoted_list(const std::vector<std::string>& names);

// "did you mean `a`?", for one or several.
std::string did_you_mean(const std::vector<std::string>& candidates);

// The candidate closest to `word` by edit distance, or "" if none is near.
std::string nearest(std::string_view word, const std::vector<std::string>& candidates);

// Adds "did you mean" with the nearest candidate. False if none is near.
bool suggest_nearest(Diagnostic& d, std::string_view word, const std::vector<std::string>& candidates);

}  // namespace wave::frontend
