// Lines and characters, as the protocol counts them, and offsets in bytes, as the front end does.
#pragma once

#include "editors/server/messages.h"
#include "ir/location.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace wave::editors {

// What a character of a position is: a byte of UTF-8, or a unit of UTF-16. The client chooses.
enum class Encoding { utf8, utf16 };

struct Position {
  std::uint32_t line = 0, character = 0;
};

// The text has to outlive it. Lines end with `\n`, `\r\n` or `\r`.
class Lines {
 public:
  Lines(std::string_view text, Encoding encoding);

  Position position(std::uint32_t offset) const;
  // Beyond the end of a line, the end of the line; beyond that of the text, that of the text.
  std::uint32_t offset(Position position) const;
  Json range(std::uint32_t begin, std::uint32_t end) const;
  Json range(Location location) const { return range(location.begin, location.end); }
  std::uint32_t line_begin(std::uint32_t line) const;
  std::uint32_t line_end(std::uint32_t line) const;  // before its end of line
  std::uint32_t line_of(std::uint32_t offset) const;
  std::size_t count() const { return starts_.size(); }

 private:
  std::string_view text_;
  Encoding encoding_;
  std::vector<std::uint32_t> starts_;
};

// RequestError if they are none.
Position read_position(const Json& json);

// `file:///a%20b` is `/a b`. Empty for any other scheme, and where it is malformed.
std::string path_of_uri(const std::string& uri);
std::string uri_of_path(const std::string& path);

}  // namespace wave::editors
