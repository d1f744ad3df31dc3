// Layout, as `wave fmt` gives it.
#include "editors/server/features.h"
#include "frontend/format/formatter.h"

#include <algorithm>

namespace wave::editors {
namespace {

std::vector<std::string_view> lines_of(std::string_view text) {
  std::vector<std::string_view> lines;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size() - 1) + 1;
    lines.push_back(text.substr(0, end));
    text.remove_prefix(end);
  }
  return lines;
}

std::string without_blanks(std::string_view line) {
  std::string text;
  std::copy_if(line.begin(), line.end(), std::back_inserter(text),
               [](char c) { return c != ' ' && c != '\t' && c != '\r' && c != '\n'; });
  return text;
}

bool is_blank(std::string_view line) { return line.find_first_not_of(" \t\r\n") == std::string_view::npos; }

// What stands from `begin` to `end`, whole lines, becomes this.
struct Change {
  std::uint32_t begin, end;
  std::string text;
};

// The layout changes blanks in lines, and takes blank lines away: lines that are not blank correspond in order.
std::vector<Change> changes_between(std::string_view before, std::string_view after) {
  const auto old_lines = lines_of(before), new_lines = lines_of(after);
  const std::vector<Change> all{{0, static_cast<std::uint32_t>(before.size()), std::string(after)}};
  std::vector<Change> changes;
  std::uint32_t begin = 0;
  std::size_t j = 0;
  for (std::size_t i = 0; i < old_lines.size();) {
    std::size_t end = i;  // of the blank lines, and the line after them
    while (end < old_lines.size() && is_blank(old_lines[end])) ++end;
    end = std::min(end + 1, old_lines.size());
    std::size_t new_end = j;
    while (new_end < new_lines.size() && is_blank(new_lines[new_end])) ++new_end;
    new_end = std::min(new_end + 1, new_lines.size());
    std::string old_text, new_text;
    for (std::size_t k = i; k < end; ++k) old_text += old_lines[k];
    for (; j < new_end; ++j) new_text += new_lines[j];
    if (without_blanks(old_text) != without_blanks(new_text)) return all;
    const auto past = static_cast<std::uint32_t>(begin + old_text.size());
    if (old_text != new_text) changes.push_back({begin, past, std::move(new_text)});
    begin = past;
    i = end;
  }
  return j < new_lines.size() ? all : changes;
}

}  // namespace

Json formatting(const std::string& text, Encoding encoding, const Json& range) {
  const Lines lines(text, encoding);
  std::uint32_t begin = 0, end = static_cast<std::uint32_t>(text.size());
  if (!range.is_null()) {
    begin = lines.line_begin(lines.line_of(lines.offset(read_position(range.value("start", Json())))));
    end = std::max(begin, lines.offset(read_position(range.value("end", Json()))));
  }
  frontend::Sources sources;
  frontend::Diagnostics diagnostics;
  const auto after = frontend::format(sources, sources.add("", text), diagnostics);
  if (!after) return nullptr;
  Json all = Json::array();
  for (const Change& change : changes_between(text, *after)) {
    if (change.end <= begin || change.begin > end) continue;
    all.push_back({{"range", lines.range(change.begin, change.end)}, {"newText", change.text}});
  }
  return all;
}

}  // namespace wave::editors
