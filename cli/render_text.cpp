// A diagnostic as text. See render_text.h.
#include "cli/render_text.h"

#include "cli/display.h"
#include "cli/excerpt.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace wave::cli {
namespace {

using frontend::Diagnostic;
using frontend::Severity;
using frontend::Sources;

// The marks of each file, the primary one's file first, the others in the order in which they appear.
std::vector<std::vector<Mark>> marks_by_file(const Sources& sources, const Diagnostic& diagnostic) {
  std::vector<std::vector<Mark>> groups;
  bool primary = true;
  for (const auto& label : diagnostic.labels) {
    if (!label.place.known() || label.place.file >= sources.size()) continue;
    const auto same_file = [&](const auto& group) { return group.front().place.file == label.place.file; };
    auto group = std::find_if(groups.begin(), groups.end(), same_file);
    if (group == groups.end()) group = groups.insert(groups.end(), std::vector<Mark>{});
    std::string text = sanitize(label.text);
    std::replace(text.begin(), text.end(), '\n', ' ');
    group->push_back({label.place, text, primary});
    primary = false;
  }
  return groups;
}

// `  = note: text`, with the lines after the first indented below it.
std::string attached(std::string_view kind, std::string_view text, std::size_t gutter, const Palette& palette) {
  const std::string margin(gutter + 2, ' ');
  std::string result = margin + palette(Style::accent, "=") + " " + palette(Style::strong, kind) + ": ";
  for (const char c : sanitize(text)) {
    result += c;
    if (c == '\n') result += margin + std::string(kind.size() + 4, ' ');
  }
  return result + "\n";
}

}  // namespace

std::string render_text(const Sources& sources, const Diagnostic& diagnostic, const Palette& palette) {
  const bool error = diagnostic.severity == Severity::error;
  const Style style = error ? Style::error : Style::warning;
  std::string result = palette(style, fmt::format("{}[{}]", error ? "error" : "warning", code_of(diagnostic.kind)));
  result += palette(Style::strong, ": " + sanitize(diagnostic.message)) + "\n";
  const auto groups = marks_by_file(sources, diagnostic);
  std::size_t gutter = 1;
  for (const auto& marks : groups) gutter = std::max(gutter, gutter_width(sources, marks));
  for (const auto& marks : groups) {
    const auto place = marks.front().place;
    const auto at = sources.line_column(place.file, place.begin);
    const bool first = &marks == &groups.front();
    result += palette(Style::accent, fmt::format("{}{}", std::string(gutter + 1, ' '), first ? "-->" : ":::"));
    result += fmt::format(" {}:{}:{}\n", sanitize(sources.name(place.file)), at.line, at.column);
    result += render_excerpt(sources, marks, gutter, palette, style);
  }
  for (const auto& note : diagnostic.notes) result += attached("note", note, gutter, palette);
  for (const auto& help : diagnostic.help) result += attached("help", help, gutter, palette);
  return result;
}

std::string count_line(std::size_t errors, std::size_t warnings) {
  const auto counted = [](std::size_t n, std::string_view word) {
    return fmt::format("{} {}{}", n, word, n == 1 ? "" : "s");
  };
  std::string result;
  if (errors > 0) result = counted(errors, "error");
  if (warnings > 0) result += (result.empty() ? "" : ", ") + counted(warnings, "warning");
  return result;
}

}  // namespace wave::cli
