// Texts: how wide a terminal shows them, how they become harmless to it, their endings and blanks, and locations.
#pragma once

#include "base/text.h"
#include "frontend/source/sources.h"

#include <fmt/format.h>

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace wave::cli {

// A text in which tabs are expanded, and control characters, malformed bytes and direction marks are replaced, so that
// a source text cannot control the terminal.
struct DisplayText {
  std::string text;
  // For each byte of the original, and one past its end: the display column (from 0), and the position in `text`.
  std::vector<std::size_t> columns;
  std::vector<std::size_t> offsets;
  std::size_t width() const { return columns.back(); }
};
DisplayText display(std::string_view original);

// Display columns of a text (wide characters take two, combining ones none).
std::size_t display_width(std::string_view text);

// A text of any length in which whatever a terminal would obey is replaced, but tabs and ends of lines stay.
std::string sanitize(std::string_view text);
// The same for a text with colours: sequences that only choose a colour stay, too.
std::string sanitize_coloured(std::string_view text);

// Fills a text up with spaces to a width, on the right or on the left.
std::string pad_right(std::string_view text, std::size_t width);
std::string pad_left(std::string_view text, std::size_t width);

// The ending of a file's or a table's name, which says what it holds. A name that consists only of an ending has none.
inline bool has_ending(std::string_view name, std::string_view ending) {
  return name.size() > ending.size() && name.ends_with(ending);
}

// A location as a cell of a table, "lu.wave:12"; empty if it is not known.
inline std::string location_text(const frontend::Sources& sources, frontend::Location location) {
  if (!location.known()) return "";
  const std::string& path = sources.name(location.file);
  return fmt::format("{}:{}", path.substr(path.rfind('/') + 1),
                     sources.line_column(location.file, location.begin).line);
}

}  // namespace wave::cli
