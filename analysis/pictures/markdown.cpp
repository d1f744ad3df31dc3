// The blocks of a document in Markdown.
#include "analysis/pictures/markdown.h"

#include "analysis/pictures/markdown_words.h"
#include "analysis/pictures/page.h"

#include <fmt/format.h>

#include <cctype>
#include <map>

namespace wave::analysis::pictures {
namespace {

using LineList = std::vector<std::string>;

LineList lines_of(std::string_view text) {
  LineList lines;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    lines.emplace_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return lines;
}

std::size_t indent_of(const std::string& line) { return std::min(line.find_first_not_of(' '), line.size()); }
bool is_blank(const std::string& line) { return indent_of(line) == line.size(); }
bool is_fence(const std::string& line) { return line.compare(indent_of(line), 3, "```") == 0; }
bool is_table(const std::string& line) { return line.starts_with("|"); }

int heading_level(const std::string& line) {
  const std::size_t level = std::min(line.find_first_not_of('#'), line.size());
  return level >= 1 && level <= 6 && level < line.size() && line[level] == ' ' ? static_cast<int>(level) : 0;
}

// How far the words of an item of a list are from the beginning of its line; 0 if none begins there.
std::size_t item_indent(const std::string& line) {
  std::size_t at = 0;
  while (at < line.size() && std::isdigit(static_cast<unsigned char>(line[at]))) ++at;
  const bool is_number = at > 0 && at < line.size() && line[at] == '.';
  const bool is_bullet = at == 0 && !line.empty() && (line[0] == '-' || line[0] == '*');
  if ((!is_number && !is_bullet) || at + 1 >= line.size() || line[at + 1] != ' ') return 0;
  return std::min(line.find_first_not_of(' ', at + 1), line.size());
}

bool is_numbered(const std::string& line) { return std::isdigit(static_cast<unsigned char>(line[0])) != 0; }

std::vector<std::string> cells_of(const std::string& line) {
  std::vector<std::string> cells(1);
  bool in_code = false;
  for (std::size_t i = 1; i < line.size(); ++i) {
    const bool is_escaped = line[i] == '\\' && i + 1 < line.size() && line[i + 1] == '|';
    if (is_escaped) ++i;
    if (line[i] == '`') in_code = !in_code;
    if (line[i] == '|' && !is_escaped && !in_code)
      cells.emplace_back();
    else
      cells.back() += line[i];
  }
  if (is_blank(cells.back())) cells.pop_back();
  return cells;
}

// What stands between two headings.
class Blocks {
 public:
  Blocks(LineList lines, const MarkdownPlaces& places, int depth)
      : lines_(std::move(lines)), places_(places), depth_(depth) {}

  std::string read() {
    while (at_ < lines_.size()) {
      const std::string& line = lines_[at_];
      if (is_blank(line))
        ++at_;
      else if (line.starts_with("<!--"))
        comment();
      else if (is_fence(line))
        fence();
      else if (is_table(line))
        table();
      else if (item_indent(line) > 0 && depth_ < deepest)
        list();
      else
        paragraph();
    }
    return std::move(html_);
  }

 private:
  static constexpr int deepest = 20;

  void comment() {
    while (at_ < lines_.size() && lines_[at_].find("-->") == std::string::npos) ++at_;
    if (at_ < lines_.size()) ++at_;
  }

  void fence() {
    const std::size_t indent = indent_of(lines_[at_]);
    const std::string language = lines_[at_].substr(indent + 3);
    std::string text;
    for (++at_; at_ < lines_.size() && !is_fence(lines_[at_]); ++at_)
      text += lines_[at_].substr(std::min(indent, indent_of(lines_[at_]))) + "\n";
    ++at_;
    html_ += "<pre tabindex=\"0\"><code>" + places_.code(language, text) + "</code></pre>\n";
  }

  void table() {
    std::vector<std::vector<std::string>> rows;
    for (; at_ < lines_.size() && is_table(lines_[at_]); ++at_) rows.push_back(cells_of(lines_[at_]));
    const std::vector<std::string> marks = rows.size() > 1 ? rows[1] : std::vector<std::string>();
    html_ += "<div class=\"scroll\" role=\"group\" aria-label=\"Table\" tabindex=\"0\">\n<table>\n";
    for (std::size_t i = 0; i < rows.size(); ++i) {
      if (i == 1) continue;  // the line below the head
      html_ += i == 0 ? "<thead><tr>" : "<tr>";
      for (std::size_t column = 0; column < rows[i].size(); ++column) {
        const std::string words = markdown_words(trimmed(rows[i][column]), places_);
        const bool is_right = column < marks.size() && trimmed(marks[column]).ends_with(":");
        const char* tag = i > 0 || words.empty() ? "td" : "th scope=\"col\"";
        html_ += fmt::format("<{}{}>{}</{}>", tag, is_right ? " class=\"n\"" : "", words,
                             std::string_view(tag).substr(0, 2));
      }
      html_ += i == 0 ? "</tr></thead>\n<tbody>\n" : "</tr>\n";
    }
    html_ += "</tbody>\n</table>\n</div>\n";
  }

  static std::string trimmed(const std::string& text) {
    const std::size_t begin = indent_of(text), end = text.find_last_not_of(' ');
    return begin == text.size() ? "" : text.substr(begin, end + 1 - begin);
  }

  void list() {
    const bool numbered = is_numbered(lines_[at_]);
    html_ += numbered ? "<ol>\n" : "<ul>\n";
    while (at_ < lines_.size() && item_indent(lines_[at_]) > 0 && is_numbered(lines_[at_]) == numbered) {
      std::string item = Blocks(lines_of_item(), places_, depth_ + 1).read();
      const std::string_view begin = "<p>", end = "</p>\n";
      if (item.starts_with(begin)) {  // its first words stand beside the mark
        const std::size_t close = item.find(end);
        item = item.substr(begin.size(), close - begin.size()) + "\n" + item.substr(close + end.size());
      }
      html_ += "<li>" + item + "</li>\n";
    }
    html_ += numbered ? "</ol>\n" : "</ul>\n";
  }

  // Its first line without the mark, and those that are indented as far or go on with its paragraph.
  LineList lines_of_item() {
    const std::size_t indent = item_indent(lines_[at_]);
    LineList item{lines_[at_++].substr(indent)};
    for (; at_ < lines_.size(); ++at_) {
      const std::string& line = lines_[at_];
      const bool was_blank = is_blank(item.back());
      const bool is_inside = is_blank(line) || indent_of(line) >= indent;
      if (!is_inside && (was_blank || item_indent(line) > 0 || is_fence(line) || is_table(line))) break;
      item.push_back(is_inside && !is_blank(line) ? line.substr(indent) : line);
    }
    return item;
  }

  void paragraph() {
    std::string words;
    for (; at_ < lines_.size(); ++at_) {
      const std::string& line = lines_[at_];
      const bool begins_another = is_fence(line) || is_table(line) || item_indent(line) > 0 || line.starts_with("<!--");
      if (is_blank(line) || (!words.empty() && begins_another)) break;
      words += (words.empty() ? "" : " ") + line.substr(indent_of(line));
    }
    html_ += "<p>" + markdown_words(words, places_) + "</p>\n";
  }

  LineList lines_;
  const MarkdownPlaces& places_;
  int depth_;
  std::size_t at_ = 0;
  std::string html_;
};

// As GitHub makes it: letters, digits, `-` and `_`, with `-` for blanks.
std::string id_of_heading(const std::string& heading, std::map<std::string, int>& seen) {
  std::string id;
  for (const char c : heading) {
    const auto byte = static_cast<unsigned char>(c);
    if (std::isalnum(byte) || c == '-' || c == '_' || byte >= 0x80) id += static_cast<char>(std::tolower(byte));
    if (c == ' ') id += '-';
  }
  const int before = seen[id]++;
  return before == 0 ? id : fmt::format("{}-{}", id, before);
}

}  // namespace

std::vector<MarkdownPart> read_markdown(std::string_view text, const MarkdownPlaces& places) {
  std::vector<MarkdownPart> parts{{}};
  std::vector<LineList> bodies{{}};
  std::map<std::string, int> seen;
  bool in_fence = false;
  for (std::string& line : lines_of(text)) {
    const int level = in_fence ? 0 : heading_level(line);
    if (is_fence(line)) in_fence = !in_fence;
    if (level == 0) {
      bodies.back().push_back(std::move(line));
      continue;
    }
    const std::string words = markdown_words(line.substr(static_cast<std::size_t>(level) + 1), places);
    const std::string heading = without_elements(words);
    parts.push_back({level, heading, id_of_heading(heading, seen), "", ""});
    bodies.emplace_back();
  }
  for (std::size_t i = 0; i < parts.size(); ++i) {
    parts[i].html = Blocks(std::move(bodies[i]), places, 0).read();
    parts[i].text = without_elements(parts[i].html);
  }
  return parts;
}

}  // namespace wave::analysis::pictures
