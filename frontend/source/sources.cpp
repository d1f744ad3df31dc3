// Texts and their lines. Lines end with \n or \r\n; a column is a code point, so a malformed byte counts as one.
#include "frontend/source/sources.h"

#include <algorithm>
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

bool continues_code_point(char c) { return (static_cast<unsigned char>(c) & 0xc0) == 0x80; }

}  // namespace

std::uint32_t Sources::add(std::string name, std::string text) {
  auto starts = find_line_starts(text);
  files_.push_back({std::move(name), std::move(text), std::move(starts)});
  return static_cast<std::uint32_t>(files_.size() - 1);
}

std::string_view Sources::text(Place place) const {
  if (place.file >= files_.size()) return {};
  const std::string_view all = files_[place.file].text;
  const std::size_t begin = std::min<std::size_t>(place.begin, all.size());
  const std::size_t end = std::clamp<std::size_t>(place.end, begin, all.size());
  return all.substr(begin, end - begin);
}

LineColumn Sources::line_column(std::uint32_t file, std::uint32_t offset) const {
  const File& f = files_[file];
  offset = std::min<std::uint32_t>(offset, static_cast<std::uint32_t>(f.text.size()));
  const auto after = std::upper_bound(f.line_starts.begin(), f.line_starts.end(), offset);
  const auto line = static_cast<std::uint32_t>(after - f.line_starts.begin());
  const std::uint32_t start = f.line_starts[line - 1];
  const auto column =
      std::count_if(f.text.begin() + start, f.text.begin() + offset, [](char c) { return !continues_code_point(c); });
  return {line, static_cast<std::uint32_t>(column + 1)};
}

std::string_view Sources::line(std::uint32_t file, std::uint32_t number) const {
  const File& f = files_[file];
  if (number == 0 || number > f.line_starts.size()) return {};
  const std::size_t begin = f.line_starts[number - 1];
  std::size_t end = number < f.line_starts.size() ? f.line_starts[number] - 1 : f.text.size();
  if (end > begin && f.text[end - 1] == '\r') --end;
  return std::string_view(f.text).substr(begin, end - begin);
}

}  // namespace wave::frontend
