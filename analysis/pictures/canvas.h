// A grid of characters with finer dots below them: 2 x 4 dots of Braille in a character, or one dot of ASCII.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace wave::analysis::pictures {

class Canvas {
 public:
  Canvas(std::size_t width, std::size_t height, bool unicode);

  // In dots.
  std::size_t dots_across() const { return width_ * dots_x_; }
  std::size_t dots_down() const { return height_ * dots_y_; }

  // Fractions of the canvas, 0 at the left and at the bottom.
  void line(double x0, double y0, double x1, double y1, std::size_t colour);
  // Puts a character over the dots.
  void mark(double x, double y, const std::string& glyph, std::size_t colour);

  static constexpr std::size_t no_colour = ~std::size_t{0};
  // A row as text, without the spaces at its end; colours begin with `colours[i % size]` and end with `end`.
  std::string row(std::size_t row, const std::vector<std::string>& colours, const std::string& end) const;

 private:
  struct Cell {
    std::uint8_t dots = 0;
    std::string glyph;  // empty: the dots
    std::size_t colour = no_colour;
  };
  void dot(std::size_t x, std::size_t y, std::size_t colour);
  std::string text_of(const Cell& cell) const;

  std::size_t width_, height_, dots_x_, dots_y_;
  bool unicode_;
  std::vector<Cell> cells_;
};

// The colours of pictures: told apart by people who see few colours, on light and on dark ground. Series differ in the
// shape of their points as well.

struct Colours {
  const char* ground;
  const char* ink;    // text
  const char* faint;  // text beside it, axes
  const char* grid;
  std::array<const char*, 8> series;
  const char* first;  // ends of the colours of ordered series
  const char* last;
};

// At least 3 : 1 against the ground; see tests/unit/pictures/palette_test.cpp.
inline constexpr Colours light_colours{
    "#ffffff",
    "#1a1c20",
    "#565b66",
    "#e2e4e9",
    {"#0072b2", "#d55e00", "#007a5e", "#a6408c", "#8a6d00", "#3d4a5c", "#2f9ac4", "#c2334d"},
    "#3a1c71",
    "#1f9d55"};
inline constexpr Colours dark_colours{
    "#14161a",
    "#e8eaee",
    "#a7adb8",
    "#2c3038",
    {"#5cb3e8", "#f28e4b", "#3fc49c", "#e08fcb", "#d9bd4a", "#aab6c8", "#8fd6f0", "#f4788b"},
    "#9d86e9",
    "#7be0a4"};

// Where in between: 0 the first, 1 the last. "#rrggbb".
std::string between(const Colours& colours, double part);
// How far two colours are apart in lightness, from 1 to 21 (WCAG 2.1, contrast ratio).
double contrast(const std::string& one, const std::string& other);

}  // namespace wave::analysis::pictures
