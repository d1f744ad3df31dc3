// Text as a terminal shows it: how wide it is, and without what a terminal would obey.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace wave::cli {

// A stretch of UTF-8 with tabs expanded and control characters, malformed bytes and direction marks replaced, so that
// a source text cannot command the terminal.
struct DisplayText {
  std::string text;
  // Per byte of the original, and one past it: the display column (from 0) and where it stands in `text`.
  std::vector<std::size_t> columns;
  std::vector<std::size_t> offsets;
  std::size_t width() const { return columns.back(); }
};
DisplayText display(std::string_view original);

// Bytes of the well-formed UTF-8 sequence at `at`; 0 where there is none.
std::size_t utf8_length(std::string_view text, std::size_t at);

// Display columns of a text (wide characters take two, combining ones none).
std::size_t display_width(std::string_view text);

// Without control characters except the end of line; for messages.
std::string sanitize(std::string_view text);

// Filled up with spaces to a width, on the right or on the left.
std::string pad_right(std::string_view text, std::size_t width);
std::string pad_left(std::string_view text, std::size_t width);

}  // namespace wave::cli
