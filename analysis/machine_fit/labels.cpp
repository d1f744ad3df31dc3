// See labels.h.
#include "analysis/machine_fit/labels.h"

#include "analysis/machine_fit/timings.h"

#include <algorithm>
#include <array>

namespace wave::analysis::machine_fit {
namespace {

constexpr std::size_t longest_label = 200;

bool is_gap(char c) { return c == ' ' || c == '\t'; }

// Words that stand for one another in labels.
using Words = std::initializer_list<std::string_view>;
const std::array<Words, 5> classes = {
    Words{"Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"},
    Words{"Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"},
    Words{"TRACE", "DEBUG", "INFO", "NOTICE", "WARN", "WARNING", "ERROR", "CRITICAL", "FATAL", "trace", "debug", "info",
          "notice", "warn", "warning", "error", "critical", "fatal"},
    Words{"stdout", "stderr", "stddiag", "out", "err"}, Words{"AM", "PM", "am", "pm"}};

const Words* class_of(std::string_view word) {
  const auto found = std::find_if(classes.begin(), classes.end(), [&](const Words& words) {
    return std::find(words.begin(), words.end(), word) != words.end();
  });
  return found == classes.end() ? nullptr : &*found;
}

}  // namespace

std::size_t LabelShape::part_length(std::string_view text, Kind& kind) {
  std::size_t end = 0;
  if (is_gap(text.front())) {
    while (end < text.size() && is_gap(text[end])) ++end;
    kind = Kind::blank;
    return end;
  }
  bool has_digit = false;
  while (end < text.size() && (is_digit(text[end]) || is_letter(text[end]))) has_digit |= is_digit(text[end++]);
  kind = end == 0 ? Kind::mark : has_digit ? Kind::number : Kind::word;
  return std::max<std::size_t>(end, 1);
}

std::optional<LabelShape> LabelShape::of(std::string_view text) {
  LabelShape shape;
  while (!text.empty() && is_gap(text.front())) text.remove_prefix(1);
  // Quotes stand before headings in the source of a program.
  if (text.empty() || text.size() > longest_label || text.find('"') != std::string_view::npos) return std::nullopt;
  while (!text.empty()) {
    Kind kind{};
    const std::size_t length = part_length(text, kind);
    shape.parts_.push_back({kind, std::string(text.substr(0, length))});
    text.remove_prefix(length);
  }
  shape.mark_times();
  return shape;
}

// 14:20:23, 2026-11-30, 30/11/2026, .123456 after one of these, and seconds since 1970. Marks between two numbers join
// them; `node01:3` and `1,0` are none.
void LabelShape::mark_times() {
  const auto digits = [&](std::size_t i) {
    const std::string& text = parts_[i].text;
    return parts_[i].kind == Kind::number ? static_cast<std::size_t>(std::count_if(text.begin(), text.end(), is_digit))
                                          : 0;
  };
  const auto joined = [&](std::size_t i, std::string_view marks) {
    return i + 2 < parts_.size() && parts_[i + 1].kind == Kind::mark &&
           marks.find(parts_[i + 1].text.front()) != std::string_view::npos && parts_[i + 2].kind == Kind::number;
  };
  constexpr std::size_t of_seconds = 9;
  for (std::size_t i = 0; i < parts_.size(); ++i) {
    if (digits(i) >= of_seconds) parts_[i].is_time = true;
    if (joined(i, ":-/") && digits(i) >= 2 && digits(i + 2) >= 2) parts_[i].is_time = parts_[i + 2].is_time = true;
    if (parts_[i].is_time && joined(i, ".,+:-")) parts_[i + 2].is_time = true;
    // glog's level with month and day: I1130 14:20:23.
    const std::string& text = parts_[i].text;
    if (digits(i) == 4 && text.size() == 5 && is_letter(text.front()) && i + 1 < parts_.size() &&
        parts_[i + 1].kind == Kind::blank)
      parts_[i].is_time = true;
    // The day of a month.
    if (parts_[i].kind == Kind::word && class_of(parts_[i].text) == &classes[0] && i + 2 < parts_.size() &&
        parts_[i + 1].kind == Kind::blank)
      parts_[i + 2].is_time = true;
  }
}

std::optional<std::size_t> LabelShape::length_in(std::string_view line) const {
  std::size_t at = 0;
  const auto skip_blanks = [&] {
    while (at < line.size() && is_gap(line[at])) ++at;
  };
  skip_blanks();
  for (const auto& part : parts_) {
    if (part.kind == Kind::blank) {
      skip_blanks();
      continue;
    }
    if (at >= line.size()) return std::nullopt;
    Kind kind{};
    const std::size_t length = part_length(line.substr(at), kind);
    const std::string_view text = line.substr(at, length);
    if (kind != part.kind) return std::nullopt;
    const bool is_alike = kind == Kind::number || text == part.text ||
                          (kind == Kind::word && class_of(text) && class_of(text) == class_of(part.text));
    if (!is_alike) return std::nullopt;
    at += length;
    if (at > longest_label) return std::nullopt;
  }
  return at > longest_label ? std::nullopt : std::optional(at);
}

std::string LabelShape::source(std::string_view label) const {
  std::string text;
  for (const auto& part : parts_) {
    while (!label.empty() && is_gap(label.front())) label.remove_prefix(1);
    if (part.kind == Kind::blank || label.empty()) continue;
    Kind kind{};
    const std::size_t length = part_length(label, kind);
    const bool tells = kind == Kind::number ? !part.is_time : class_of(label.substr(0, length)) == nullptr;
    if (tells) text += label.substr(0, length);
    label.remove_prefix(length);
  }
  return text;
}

}  // namespace wave::analysis::machine_fit
