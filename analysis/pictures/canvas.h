// A grid of characters with finer dots below them: 2 x 4 dots of Braille in a character, or one dot of ASCII.
#pragma once

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

}  // namespace wave::analysis::pictures
