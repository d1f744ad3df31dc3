// See diagnostic_text.h.
#include "frontend/source/diagnostic_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace wave::frontend {
namespace {

// --- the excerpt of a source text: numbered lines with underlined locations, each with a text of its own ---

struct Mark {
  Location location;
  std::string text;
  bool primary = false;
};

// A line wider than this is clipped around its first mark.
constexpr std::size_t widest_line = 140;
constexpr std::size_t context_before = 30;
// In a run of lines without marks, at most one is shown; a longer run becomes `...`.
constexpr std::uint32_t shown_gap = 1;

// The part of a mark that lies on one line, in bytes of that line.
struct Span {
  std::size_t begin, end;
  std::string text;
  bool primary;
};

using SpansByLine = std::map<std::uint32_t, std::vector<Span>>;

std::size_t offset_in_line(const Sources& sources, std::uint32_t file, std::uint32_t line, std::uint32_t offset) {
  const auto text = sources.line(file, line);
  const auto start = static_cast<std::size_t>(text.data() - sources.text(file).data());
  return std::min<std::size_t>(offset - std::min<std::size_t>(start, offset), text.size());
}

// A mark over several lines underlines the rest of its first line, and its last line up to the mark's end.
void add_spans(const Sources& sources, const Mark& mark, SpansByLine& lines) {
  const auto file = mark.location.file;
  const auto first = sources.line_column(file, mark.location.begin).line;
  const auto last_byte = mark.location.end > mark.location.begin ? mark.location.end - 1 : mark.location.begin;
  const auto last = sources.line_column(file, last_byte).line;
  const std::size_t begin = offset_in_line(sources, file, first, mark.location.begin);
  const std::size_t end = offset_in_line(sources, file, last, mark.location.end);
  if (first == last) {
    lines[first].push_back({begin, std::max(end, begin), mark.text, mark.primary});
    return;
  }
  lines[first].push_back({begin, sources.line(file, first).size(), "", mark.primary});
  const auto text = sources.line(file, last);
  const std::size_t indent = std::min(text.find_first_not_of(" \t"), end);
  lines[last].push_back({indent, end, mark.text, mark.primary});
}

SpansByLine spans_by_line(const Sources& sources, const std::vector<Mark>& marks) {
  SpansByLine lines;
  for (const auto& mark : marks) add_spans(sources, mark, lines);
  return lines;
}

// A mark's columns in what is shown of a line.
struct Underline {
  std::size_t begin, end;
  std::string text;
  bool primary;
};

// What is shown of a line: all of it, or a window around the first mark.
class ShownLine {
 public:
  explicit ShownLine(std::string_view line, std::vector<Span> spans = {}) : spans_(std::move(spans)) {
    const std::string_view part = part_of(line);
    line_ = display(part);
    end_ = line_.width();
    if (line_.width() > widest_line) {
      std::size_t first = line_.width();
      for (const auto& span : spans_) first = std::min(first, line_.columns[span.begin]);
      begin_ = first > context_before ? first - context_before : 0;
      end_ = std::min(line_.width(), begin_ + widest_line);
    }
    clipped_left_ = begin_ > 0 || part.data() > line.data();
    clipped_right_ = end_ < line_.width() || part.data() + part.size() < line.data() + line.size();
  }

  std::string text() const {
    std::string result = clipped_left_ ? "…" : "";
    std::size_t from = line_.text.size(), to = line_.text.size();
    for (std::size_t i = line_.columns.size(); i-- > 0;) {
      if (line_.columns[i] >= begin_) from = line_.offsets[i];
      if (line_.columns[i] >= end_) to = line_.offsets[i];
    }
    result += line_.text.substr(from, to - from);
    return clipped_right_ ? result + "…" : result;
  }

  std::vector<Underline> underlines() const {
    const std::size_t shift = clipped_left_ ? 1 : 0;
    std::vector<Underline> result;
    for (const auto& span : spans_) {
      const auto clamp = [&](std::size_t column) { return std::clamp(column, begin_, end_) - begin_ + shift; };
      const std::size_t begin = clamp(line_.columns[span.begin]);
      const std::size_t end = std::max(begin + 1, clamp(line_.columns[span.end]));
      result.push_back({begin, end, span.text, span.primary});
    }
    std::stable_sort(result.begin(), result.end(), [](const auto& a, const auto& b) { return a.begin < b.begin; });
    return result;
  }

 private:
  // The bytes among which the window is chosen. Many diagnostics in one very long line take no longer each than in
  // short ones. The spans are moved along.
  std::string_view part_of(std::string_view line) {
    constexpr std::size_t most_bytes = 1024, bytes_before = 256;
    if (line.size() <= most_bytes) return line;
    std::size_t first = line.size();
    for (const Span& span : spans_) first = std::min(first, span.begin);
    if (spans_.empty()) first = 0;
    const auto is_inside_character = [&](std::size_t at) {
      return at < line.size() && (static_cast<unsigned char>(line[at]) & 0xC0) == 0x80;
    };
    std::size_t begin = first - std::min(first, bytes_before);
    while (begin < first && is_inside_character(begin)) ++begin;
    std::size_t end = std::min(line.size(), begin + most_bytes);
    while (end > first && is_inside_character(end)) --end;
    for (Span& span : spans_) {
      span.begin = std::clamp(span.begin, begin, end) - begin;
      span.end = std::clamp(span.end, begin, end) - begin;
    }
    return line.substr(begin, end - begin);
  }

  std::vector<Span> spans_;
  DisplayText line_;
  std::size_t begin_ = 0, end_ = 0;  // display columns
  bool clipped_left_ = false, clipped_right_ = false;
};

// A row of single-column characters with styles, written from left to right in the end.
class Row {
 public:
  void put(std::size_t column, std::string_view text, Style style) {
    if (cells_.size() < column + text.size()) cells_.resize(column + text.size(), {' ', Style::strong});
    for (std::size_t i = 0; i < text.size(); ++i) cells_[column + i] = {text[i], style};
  }
  std::string str(const Palette& palette) const {
    std::string result;
    for (std::size_t i = 0; i < cells_.size();) {
      std::size_t end = i;
      std::string run;
      while (end < cells_.size() && cells_[end].style == cells_[i].style) run += cells_[end++].character;
      result += cells_[i].character == ' ' && run.find_first_not_of(' ') == std::string::npos
                    ? run
                    : palette(cells_[i].style, run);
      i = end;
    }
    return result;
  }
  std::size_t width() const { return cells_.size(); }

 private:
  struct Cell {
    char character;
    Style style;
  };
  std::vector<Cell> cells_;
};

// The rows under a line: the underlines, with the text of the last one beside them, and then the other texts. Each of
// these hangs from the beginning of its underline.
std::vector<std::string> underline_rows(const std::vector<Underline>& marks, const Palette& palette,
                                        Style primary_style) {
  const auto style = [&](const Underline& m) { return m.primary ? primary_style : Style::accent; };
  std::vector<std::string> rows;
  Row row;
  for (const bool primary : {false, true}) {
    for (const auto& m : marks) {
      if (m.primary == primary) row.put(m.begin, std::string(m.end - m.begin, primary ? '^' : '-'), style(m));
    }
  }
  std::vector<const Underline*> hanging;
  for (const auto& m : marks) {
    if (!m.text.empty()) hanging.push_back(&m);
  }
  std::string first = row.str(palette);
  // The last text stands beside the underlines if nothing reaches further to the right.
  if (!hanging.empty() && hanging.back()->end == row.width()) {
    first += " " + palette(style(*hanging.back()), hanging.back()->text);
    hanging.pop_back();
  }
  rows.push_back(first);
  if (hanging.empty()) return rows;
  Row bars;
  for (const auto* m : hanging) bars.put(m->begin, "|", style(*m));
  rows.push_back(bars.str(palette));
  while (!hanging.empty()) {
    const auto* last = hanging.back();
    hanging.pop_back();
    Row line;
    for (const auto* m : hanging) {
      if (m->begin < last->begin) line.put(m->begin, "|", style(*m));
    }
    std::string text = line.str(palette);
    text.append(last->begin - line.width(), ' ');
    rows.push_back(text + palette(style(*last), last->text));
  }
  return rows;
}

std::string gutter_line(const std::string& number, std::size_t gutter, const std::string& rest,
                        const Palette& palette) {
  const std::string bar = fmt::format(" {:>{}} |", number, gutter);
  return palette(Style::accent, bar) + (rest.empty() ? "" : " " + rest) + "\n";
}

// The number of digits in the largest line number of the excerpt.
std::size_t gutter_width(const Sources& sources, const std::vector<Mark>& marks) {
  std::size_t width = 1;
  for (const auto& mark : marks) {
    width = std::max(width, fmt::format("{}", sources.line_column(mark.location.file, mark.location.end).line).size());
  }
  return width;
}

// `marks` are locations in one file. Every line ends with a newline.
std::string render_excerpt(const Sources& sources, const std::vector<Mark>& marks, std::size_t gutter,
                           const Palette& palette, Style primary_style) {
  const std::uint32_t file = marks.front().location.file;
  std::string result = gutter_line("", gutter, "", palette);
  std::uint32_t previous = 0;
  auto lines = spans_by_line(sources, marks);
  for (auto& [number, spans] : lines) {
    if (previous != 0 && number > previous + 1) {
      if (number - previous - 1 <= shown_gap) {
        result += gutter_line(fmt::format("{}", previous + 1), gutter,
                              ShownLine(sources.line(file, previous + 1)).text(), palette);
      } else {
        result += palette(Style::accent, fmt::format(" {}...", std::string(gutter - 1, ' '))) + "\n";
      }
    }
    const ShownLine line(sources.line(file, number), std::move(spans));
    result += gutter_line(fmt::format("{}", number), gutter, line.text(), palette);
    for (const auto& row : underline_rows(line.underlines(), palette, primary_style)) {
      result += gutter_line("", gutter, row, palette);
    }
    previous = number;
  }
  return result;
}

// --- for people ---

// The marks of each file: first the file of the primary mark, then the others in the order in which they appear.
std::vector<std::vector<Mark>> marks_by_file(const Sources& sources, const Diagnostic& diagnostic) {
  std::vector<std::vector<Mark>> groups;
  bool primary = true;
  for (const auto& label : diagnostic.labels) {
    if (!label.location.known() || label.location.file >= sources.size()) continue;
    const auto same_file = [&](const auto& group) { return group.front().location.file == label.location.file; };
    auto group = std::find_if(groups.begin(), groups.end(), same_file);
    if (group == groups.end()) group = groups.insert(groups.end(), std::vector<Mark>{});
    std::string text = sanitize(label.text);
    std::replace(text.begin(), text.end(), '\n', ' ');
    group->push_back({label.location, text, primary});
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
    const auto location = marks.front().location;
    const auto at = sources.line_column(location.file, location.begin);
    const bool first = &marks == &groups.front();
    result += palette(Style::accent, fmt::format("{}{}", std::string(gutter + 1, ' '), first ? "-->" : ":::"));
    result += fmt::format(" {}:{}:{}\n", sanitize(sources.name(location.file)), at.line, at.column);
    result += render_excerpt(sources, marks, gutter, palette, style);
  }
  for (const auto& note : diagnostic.notes) result += attached("note", note, gutter, palette);
  for (const auto& help : diagnostic.help) result += attached("help", help, gutter, palette);
  return result;
}

}  // namespace wave::frontend
