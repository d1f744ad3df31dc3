// Lines end with \n or \r\n. A column is a code point. A text is UTF-8 without a byte 0.
#include "frontend/source/sources.h"

#include "base/utf8.h"
#include "frontend/source/diagnostics.h"

#include <algorithm>
#include <cstring>
#include <utility>

namespace wave::frontend {
namespace {

std::vector<std::uint32_t> find_line_starts(std::string_view text) {
  std::vector<std::uint32_t> starts{0};
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\n') starts.push_back(static_cast<std::uint32_t>(i + 1));
  }
  return starts;
}

std::vector<std::uint32_t> count_at_each(std::uint32_t bytes, std::string_view text) {
  std::vector<std::uint32_t> counts{0};
  for (std::size_t end = bytes; end <= text.size(); end += bytes)
    counts.push_back(counts.back() + static_cast<std::uint32_t>(count_code_points(text.substr(end - bytes, bytes))));
  return counts;
}

// Tables may have gigabytes, so ASCII is skipped eight bytes at a time.
bool is_plain(const char* bytes) {
  constexpr std::uint64_t ones = 0x0101010101010101, high = 0x8080808080808080;
  std::uint64_t word = 0;
  std::memcpy(&word, bytes, sizeof word);
  return (((word - ones) | word) & high) == 0;
}

std::size_t first_foreign_byte(std::string_view text) {
  for (std::size_t at = 0; at < text.size();) {
    if (at + sizeof(std::uint64_t) <= text.size() && is_plain(text.data() + at)) {
      at += sizeof(std::uint64_t);
      continue;
    }
    const auto [value, length] = first_code_point(text.substr(at));
    if (value == 0) return at;
    at += length;
  }
  return text.size();
}

// Encodings other than UTF-8 that spreadsheets and editors write.
std::string help_for(std::string_view text) {
  const auto begins = [&](std::string_view bytes) { return text.substr(0, bytes.size()) == bytes; };
  const auto is_zero = [&](std::size_t at) { return at < text.size() && text[at] == '\0'; };
  const auto utf16 = [](const char* name) {
    return std::string("it looks like UTF-16: save it as UTF-8, or convert it with `iconv -f ") + name +
           " -t utf-8 FILE`";
  };
  if (begins("\xFF\xFE") || begins("\xFE\xFF")) return utf16("utf-16");
  if (is_zero(1) && is_zero(3) && !is_zero(0)) return utf16("utf-16le");
  if (is_zero(0) && is_zero(2) && !is_zero(1)) return utf16("utf-16be");
  if (begins("PK\x03\x04")) return "it looks like a spreadsheet or an archive: export the table as CSV in UTF-8";
  return "save it as UTF-8, if it is text at all";
}

}  // namespace

std::uint32_t Sources::add(std::string name, std::string text) {
  files_.push_back({std::move(name), {}, {}, {}});
  const auto file = static_cast<std::uint32_t>(files_.size() - 1);
  replace(file, std::move(text));
  return file;
}

void Sources::replace(std::uint32_t file, std::string text) {
  files_[file].line_starts = find_line_starts(text);
  files_[file].code_points = count_at_each(bytes_between_counts, text);
  files_[file].text = std::move(text);
}

std::uint32_t Sources::File::code_points_before(std::uint32_t offset) const {
  const std::uint32_t rest = offset % bytes_between_counts;
  const std::size_t after_count = count_code_points(std::string_view(text).substr(offset - rest, rest));
  return code_points[offset / bytes_between_counts] + static_cast<std::uint32_t>(after_count);
}

std::string_view Sources::text(Location location) const {
  if (location.file >= files_.size()) return {};
  const std::string_view all = files_[location.file].text;
  const std::size_t begin = std::min<std::size_t>(location.begin, all.size());
  const std::size_t end = std::clamp<std::size_t>(location.end, begin, all.size());
  return all.substr(begin, end - begin);
}

LineColumn Sources::line_column(std::uint32_t file, std::uint32_t offset) const {
  const File& f = files_[file];
  offset = std::min<std::uint32_t>(offset, static_cast<std::uint32_t>(f.text.size()));
  const auto after = std::upper_bound(f.line_starts.begin(), f.line_starts.end(), offset);
  const auto line = static_cast<std::uint32_t>(after - f.line_starts.begin());
  const std::uint32_t start = f.line_starts[line - 1];
  return {line, f.code_points_before(offset) - f.code_points_before(start) + 1};
}

std::string_view Sources::line(std::uint32_t file, std::uint32_t number) const {
  const File& f = files_[file];
  if (number == 0 || number > f.line_starts.size()) return {};
  const std::size_t begin = f.line_starts[number - 1];
  std::size_t end = number < f.line_starts.size() ? f.line_starts[number] - 1 : f.text.size();
  if (end > begin && f.text[end - 1] == '\r') --end;
  return std::string_view(f.text).substr(begin, end - begin);
}

std::string location_text(const Sources& sources, Location location) {
  if (!location.known()) return "";
  const std::string& path = sources.name(location.file);
  return path.substr(path.rfind('/') + 1) + ":" +
         std::to_string(sources.line_column(location.file, location.begin).line);
}

TextLines::TextLines(std::string_view text, std::string_view blanks) : text_(text), blanks_(blanks) {
  constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";
  if (text_.substr(0, byte_order_mark.size()) == byte_order_mark) next_ = byte_order_mark.size();
}

bool TextLines::next() {
  while (next_ < text_.size()) {
    std::size_t begin = next_;
    const void* const newline = std::memchr(text_.data() + begin, '\n', text_.size() - begin);
    std::size_t end =
        newline != nullptr ? static_cast<std::size_t>(static_cast<const char*>(newline) - text_.data()) : text_.size();
    next_ = end + 1;
    while (begin < end && is_blank(text_[begin])) ++begin;
    while (begin < end && is_blank(text_[end - 1])) --end;
    if (begin == end) continue;
    begin_ = static_cast<std::uint32_t>(begin);
    end_ = static_cast<std::uint32_t>(end);
    return true;
  }
  return false;
}

std::optional<NotText> find_no_text(std::string_view text) {
  const std::size_t at = first_foreign_byte(text);
  if (at == text.size()) return std::nullopt;
  return NotText{at, text[at] == '\0' ? "a byte 0 is in no text" : "not a character in UTF-8", help_for(text)};
}

bool check_text(const Sources& sources, std::uint32_t file, Diagnostics& diagnostics) {
  const auto found = find_no_text(sources.text(file));
  if (!found) return true;
  const auto at = static_cast<std::uint32_t>(found->at);
  diagnostics.add(DiagnosticKind::invalid_utf8, {file, at, at + 1}, "this file is not UTF-8 text", found->why)
      .help.push_back(found->help);
  return false;
}

}  // namespace wave::frontend
