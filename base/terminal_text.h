// Texts on a terminal: how wide it shows them, how they become harmless to it, and their colours.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace wave {

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
// A text without the sequences that choose a colour.
std::string without_colours(std::string_view text);

// Fills a text up with spaces to a width, on the right or on the left.
std::string pad_right(std::string_view text, std::size_t width);
std::string pad_left(std::string_view text, std::size_t width);

// The colours of the terminal, or none.
enum class Style { error, warning, accent, secondary, strong, good };

class Palette {
 public:
  explicit Palette(bool coloured) : coloured_(coloured) {}
  bool is_coloured() const { return coloured_; }
  std::string operator()(Style style, std::string_view text) const;

 private:
  bool coloured_;
};

}  // namespace wave
