// See log_lines.h.
#include "analysis/machine_fit/log_lines.h"

#include "analysis/machine_fit/labels.h"
#include "analysis/machine_fit/log_marks.h"
#include "analysis/machine_fit/machine_names.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <map>

namespace wave::analysis::machine_fit {
namespace {

constexpr char escape = '\x1b';

bool is_between(char c, int first, int last) {
  const auto byte = static_cast<unsigned char>(c);
  return byte >= first && byte <= last;
}

// The length of the control sequence (ECMA-48) that begins here with an escape character. None is longer than its line.
std::size_t sequence_length(std::string_view text) {
  if (text.size() < 2) return 1;
  std::size_t end = 2;
  if (text[1] == '[') {
    while (end < text.size() && is_between(text[end], 0x20, 0x3F)) ++end;
    return end < text.size() && is_between(text[end], 0x40, 0x7E) ? end + 1 : end;
  }
  if (text[1] == ']') {  // up to a bell, or to an escape and a backslash
    while (end < text.size() && text[end] != '\a' && text[end] != escape && text[end] != '\n') ++end;
    if (end >= text.size() || text[end] == '\n') return end;
    return text[end] == '\a' ? end + 1 : std::min(end + 2, text.size());
  }
  end = 1;
  while (end < text.size() && is_between(text[end], 0x20, 0x2F)) ++end;
  return end < text.size() && is_between(text[end], 0x30, 0x7E) ? end + 1 : end;
}

}  // namespace

// A line without its end.
struct CleanLog::LabelledLine {
  std::uint32_t begin = 0, end = 0;
  std::uint32_t source = 0;  // of the line, as its label says: a number
  std::uint16_t label = 0;   // its length
  bool begins_run = false;   // lines before it stay before it
};

CleanLog::CleanLog(std::string_view text) : text_(text) {
  remove_escapes();
  remove_labels();
}

std::uint32_t CleanLog::original(std::uint32_t at) const {
  const auto after = std::upper_bound(pieces_.begin(), pieces_.end(), at,
                                      [](std::uint32_t at, const Piece& one) { return at < one.at; });
  if (after == pieces_.begin()) return at;
  const Piece& piece = *std::prev(after);
  return piece.original + (at - piece.at);
}

void CleanLog::keep(std::string& out, std::vector<Piece>& pieces, std::uint32_t begin, std::uint32_t end) const {
  if (begin >= end) return;
  pieces.push_back({static_cast<std::uint32_t>(out.size()), original(begin)});
  // What was already in pieces stays in them.
  auto piece = std::upper_bound(pieces_.begin(), pieces_.end(), begin,
                                [](std::uint32_t at, const Piece& one) { return at < one.at; });
  for (; piece != pieces_.end() && piece->at < end; ++piece)
    pieces.push_back({static_cast<std::uint32_t>(out.size() + (piece->at - begin)), piece->original});
  out += text_.substr(begin, end - begin);
}

void CleanLog::take(std::string text, std::vector<Piece> pieces) {
  own_ = std::move(text);
  pieces_ = std::move(pieces);
  text_ = own_;
}

void CleanLog::remove_escapes() {
  std::size_t at = text_.find(escape);
  if (at == std::string_view::npos) return;
  std::string out;
  std::vector<Piece> pieces;
  std::size_t begin = 0;
  for (; at != std::string_view::npos; at = text_.find(escape, begin)) {
    keep(out, pieces, static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(at));
    begin = at + sequence_length(text_.substr(at));
  }
  keep(out, pieces, static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(text_.size()));
  take(std::move(out), std::move(pieces));
  notes_.push_back("escape sequences are taken off");
}

// Which lines have a label is seen where a benchmark's title or heading stands behind one; from there on, the lines
// that have one of these shapes have it, until a heading has none.
std::vector<CleanLog::LabelledLine> CleanLog::labelled_lines() const {
  std::vector<LabelledLine> lines;
  constexpr std::size_t most_shapes = 16;  // of sources whose names differ by more than numbers
  std::vector<LabelShape> shapes;
  std::map<std::string, std::uint32_t> sources;
  std::size_t before = 0;  // lines before the first heading
  bool seen = false;
  const auto cut = [&](LabelledLine& line) {
    const std::string_view text = text_.substr(line.begin, line.end - line.begin);
    for (const LabelShape& shape : shapes) {
      const auto length = shape.length_in(text);
      if (!length) continue;
      line.label = static_cast<std::uint16_t>(*length);
      const auto next = static_cast<std::uint32_t>(sources.size());
      line.source = sources.try_emplace(shape.source(text.substr(0, *length)), next).first->second;
      return;
    }
  };
  constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";
  for (std::size_t begin = text_.starts_with(byte_order_mark) ? byte_order_mark.size() : 0; begin < text_.size();) {
    const std::size_t end = std::min(text_.find('\n', begin), text_.size());
    lines.push_back({static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(end)});
    const std::string_view text = text_.substr(begin, end - begin);
    if (const auto marks = begin_of_marks(text)) {
      auto shape = LabelShape::of(text.substr(0, *marks));
      if (!shape) shapes.clear();
      const auto is_known = [&](const LabelShape& one) { return one.length_in(text) == marks; };
      if (shape && shapes.size() < most_shapes && std::none_of(shapes.begin(), shapes.end(), is_known))
        shapes.push_back(std::move(*shape));
      if (!seen) before = lines.size() - 1;
      for (std::size_t i = 0; i < before && !seen; ++i) cut(lines[i]);
      seen = true;
    }
    cut(lines.back());
    begin = end + 1;
  }
  return lines;
}

// Whether a benchmark's title or heading stands behind something in its line. Few logs have that, and to note the lines
// of the others takes memory.
bool CleanLog::has_labels() const {
  for (std::size_t at = text_.find('#'); at != std::string_view::npos;) {
    const std::size_t begin = text_.rfind('\n', at) + 1;  // 0 in the first line
    const std::size_t end = std::min(text_.find('\n', at), text_.size());
    const std::string_view line = text_.substr(begin, end - begin);
    const auto marks = begin_of_marks(line);
    if (marks && LabelShape::of(line.substr(0, *marks))) return true;
    at = text_.find('#', end);
  }
  return false;
}

void CleanLog::remove_labels() {
  constexpr std::ptrdiff_t most_lines = 4000000;
  if (!has_labels()) return;
  if (std::count(text_.begin(), text_.end(), '\n') > most_lines) {
    notes_.push_back(fmt::format("labels stay before the lines, of which there are more than {}", most_lines));
    return;
  }
  std::vector<LabelledLine> lines = labelled_lines();
  const auto first = std::find_if(lines.begin(), lines.end(), [](const auto& line) { return line.label > 0; });
  if (first == lines.end()) return;
  const std::string label(text_.substr(first->begin, first->label));
  // Echoed commands and headings without a label begin runs, whose lines do not mix. Other lines without a label stay
  // before the next one of their run that has one: they may say what comes. Those at the end of a run stay there.
  constexpr auto at_end = std::numeric_limits<std::uint32_t>::max();
  std::uint32_t following = at_end;
  for (auto line = lines.rbegin(); line != lines.rend(); ++line) {
    if (line->label > 0) {
      following = line->source;
      continue;
    }
    LineReader words(text_.substr(line->begin, line->end - line->begin));
    line->begins_run = words.next() && (command_in(words.words()) || tool_of(words.line()));
    line->source = following;
    if (line->begins_run) following = at_end;
  }
  // The sources of each run, in the order in which they appear.
  std::vector<std::pair<std::uint32_t, std::uint32_t>> order;  // of a line: its source among all, and its number
  std::map<std::uint32_t, std::uint32_t> sources;
  std::uint32_t next = 0;
  for (std::uint32_t i = 0; i < lines.size(); ++i) {
    if (lines[i].begins_run) {
      sources.clear();
      order.push_back({next++, i});
      continue;
    }
    const auto [source, is_new] = sources.try_emplace(lines[i].source, next);
    if (is_new) ++next;
    order.push_back({source->second, i});
  }
  const bool is_sorted = std::is_sorted(order.begin(), order.end());
  std::sort(order.begin(), order.end());
  if (!text_.ends_with('\n') && order.back().second + 1 < lines.size()) {
    std::erase_if(order, [&](const auto& one) { return one.second + 1 == lines.size(); });
    notes_.push_back("the last line is cut off, and left out");
  }
  const auto size = static_cast<std::uint32_t>(text_.size());
  std::string out;
  std::vector<Piece> pieces;
  for (const auto& [source, number] : order) {
    const LabelledLine& line = lines[number];
    keep(out, pieces, line.begin + line.label, std::min(line.end + 1, size));
  }
  take(std::move(out), std::move(pieces));
  notes_.push_back(fmt::format("the label before each line is taken off: `{}`", harmless(label)));
  if (!is_sorted) notes_.push_back("lines of several sources are sorted by their labels");
}

}  // namespace wave::analysis::machine_fit
