// See positions.h.
#include "editors/server/positions.h"

#include "base/utf8.h"

#include <algorithm>

namespace wave::editors {
namespace {

std::size_t width_of(CodePoint c, Encoding encoding) {
  if (encoding == Encoding::utf8) return std::max<std::size_t>(c.length, 1);
  return c.length == 0 || c.value < 0x10000 ? 1 : 2;
}

}  // namespace

Lines::Lines(std::string_view text, Encoding encoding) : text_(text), encoding_(encoding), starts_{0} {
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool is_end = text[i] == '\n' || (text[i] == '\r' && (i + 1 == text.size() || text[i + 1] != '\n'));
    if (is_end) starts_.push_back(static_cast<std::uint32_t>(i + 1));
  }
}

std::uint32_t Lines::line_of(std::uint32_t offset) const {
  const auto after = std::upper_bound(starts_.begin(), starts_.end(), offset);
  return static_cast<std::uint32_t>(after - starts_.begin() - 1);
}

std::uint32_t Lines::line_begin(std::uint32_t line) const {
  return line < starts_.size() ? starts_[line] : static_cast<std::uint32_t>(text_.size());
}

std::uint32_t Lines::line_end(std::uint32_t line) const {
  std::uint32_t end =
      line + std::size_t{1} < starts_.size() ? starts_[line + 1] : static_cast<std::uint32_t>(text_.size());
  const std::uint32_t begin = line_begin(line);
  while (end > begin && (text_[end - 1] == '\n' || text_[end - 1] == '\r')) --end;
  return end;
}

Position Lines::position(std::uint32_t offset) const {
  offset = std::min(offset, static_cast<std::uint32_t>(text_.size()));
  Position position{line_of(offset), 0};
  for (std::uint32_t at = starts_[position.line]; at < offset;) {
    const CodePoint c = first_code_point(text_.substr(at));
    position.character += static_cast<std::uint32_t>(width_of(c, encoding_));
    at += static_cast<std::uint32_t>(std::max<std::size_t>(c.length, 1));
  }
  return position;
}

std::uint32_t Lines::offset(Position position) const {
  if (position.line >= starts_.size()) return static_cast<std::uint32_t>(text_.size());
  const std::uint32_t end = line_end(position.line);
  std::uint32_t at = starts_[position.line];
  for (std::size_t left = position.character; at < end;) {
    const CodePoint c = first_code_point(text_.substr(at));
    if (width_of(c, encoding_) > left) break;
    left -= width_of(c, encoding_);
    at += static_cast<std::uint32_t>(std::max<std::size_t>(c.length, 1));
  }
  return std::min(at, end);
}

Json Lines::range(std::uint32_t begin, std::uint32_t end) const {
  const auto json = [](Position p) { return Json{{"line", p.line}, {"character", p.character}}; };
  return {{"start", json(position(begin))}, {"end", json(position(end))}};
}

Position read_position(const Json& json) {
  const auto number = [&](const char* name) -> std::uint32_t {
    if (!json.is_object() || !json.contains(name) || !json[name].is_number_integer())
      throw RequestError{ErrorCode::invalid_params, "a position has whole numbers `line` and `character`"};
    if (json[name].is_number_integer() && !json[name].is_number_unsigned() && json[name].get<std::int64_t>() < 0)
      throw RequestError{ErrorCode::invalid_params, "a position counts from 0"};
    return static_cast<std::uint32_t>(std::min<std::uint64_t>(json[name].get<std::uint64_t>(), 0xfffffffe));
  };
  return {number("line"), number("character")};
}

namespace {

constexpr std::string_view file_scheme = "file://";

int hexadecimal(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

}  // namespace

std::string path_of_uri(const std::string& uri) {
  if (uri.rfind(file_scheme, 0) != 0) return "";
  const std::size_t begin = uri.find('/', file_scheme.size());
  const std::string host = uri.substr(file_scheme.size(), begin - file_scheme.size());
  if (begin == std::string::npos || (!host.empty() && host != "localhost")) return "";
  std::string path;
  for (std::size_t i = begin; i < uri.size(); ++i) {
    if (uri[i] != '%') {
      path += uri[i];
      continue;
    }
    const int high = i + 2 < uri.size() ? hexadecimal(uri[i + 1]) : -1;
    const int low = i + 2 < uri.size() ? hexadecimal(uri[i + 2]) : -1;
    if (high < 0 || low < 0 || high + low == 0) return "";
    path += static_cast<char>(high * 16 + low);
    i += 2;
  }
  return path;
}

std::string uri_of_path(const std::string& path) {
  constexpr std::string_view plain = "/-_.~";
  std::string uri(file_scheme);
  for (const char c : path) {
    const bool is_plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                          plain.find(c) != std::string_view::npos;
    if (is_plain) {
      uri += c;
      continue;
    }
    constexpr const char* digits = "0123456789ABCDEF";
    uri += '%';
    uri += digits[static_cast<unsigned char>(c) >> 4];
    uri += digits[static_cast<unsigned char>(c) & 15];
  }
  return uri;
}

}  // namespace wave::editors
