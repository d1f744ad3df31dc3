// See canvas.h.
#include "analysis/pictures/canvas.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace wave::analysis::pictures {

namespace {

// The bit of a dot of Braille (U+2800 and on), by column and row.
constexpr std::uint8_t braille[2][4] = {{0x01, 0x02, 0x04, 0x40}, {0x08, 0x10, 0x20, 0x80}};

std::size_t place_of(double fraction, std::size_t places) {
  const double clamped = std::clamp(fraction, 0.0, 1.0);
  return static_cast<std::size_t>(std::lround(clamped * static_cast<double>(places - 1)));
}

}  // namespace

Canvas::Canvas(std::size_t width, std::size_t height, bool unicode)
    : width_(width),
      height_(height),
      dots_x_(unicode ? 2 : 1),
      dots_y_(unicode ? 4 : 1),
      unicode_(unicode),
      cells_(width * height) {}

void Canvas::dot(std::size_t x, std::size_t y, std::size_t colour) {
  Cell& cell = cells_[y / dots_y_ * width_ + x / dots_x_];
  cell.dots |= braille[x % dots_x_][y % dots_y_];
  if (cell.glyph.empty()) cell.colour = colour;
}

void Canvas::line(double x0, double y0, double x1, double y1, std::size_t colour) {
  const std::size_t from_x = place_of(x0, dots_across()), to_x = place_of(x1, dots_across());
  const std::size_t from_y = place_of(1 - y0, dots_down()), to_y = place_of(1 - y1, dots_down());
  const auto gap = [](std::size_t a, std::size_t b) { return a > b ? a - b : b - a; };
  const std::size_t steps = std::max({gap(from_x, to_x), gap(from_y, to_y), std::size_t{1}});
  for (std::size_t i = 0; i <= steps; ++i) {
    const double part = static_cast<double>(i) / static_cast<double>(steps);
    const auto between = [&](std::size_t a, std::size_t b) {
      return static_cast<std::size_t>(std::lround(static_cast<double>(a) * (1 - part) + static_cast<double>(b) * part));
    };
    dot(between(from_x, to_x), between(from_y, to_y), colour);
  }
}

void Canvas::mark(double x, double y, const std::string& glyph, std::size_t colour) {
  const std::size_t column = place_of(x, dots_across()) / dots_x_, row = place_of(1 - y, dots_down()) / dots_y_;
  Cell& cell = cells_[row * width_ + column];
  cell.glyph = glyph;
  cell.colour = colour;
}

std::string Canvas::text_of(const Cell& cell) const {
  if (!cell.glyph.empty()) return cell.glyph;
  if (cell.dots == 0) return " ";
  if (!unicode_) return ".";
  // U+2800 + dots in UTF-8.
  return {'\xE2', static_cast<char>(0xA0 + (cell.dots >> 6)), static_cast<char>(0x80 + (cell.dots & 0x3F))};
}

std::string Canvas::row(std::size_t row, const std::vector<std::string>& colours, const std::string& end) const {
  const Cell* const cells = &cells_[row * width_];
  std::size_t last = width_;
  while (last > 0 && cells[last - 1].dots == 0 && cells[last - 1].glyph.empty()) --last;
  std::string text;
  std::size_t open = no_colour;
  for (std::size_t i = 0; i < last; ++i) {
    const bool is_blank = cells[i].dots == 0 && cells[i].glyph.empty();
    const std::size_t colour = colours.empty() || is_blank ? no_colour : cells[i].colour;
    if (colour != open) {
      if (open != no_colour) text += end;
      if (colour != no_colour) text += colours[colour % colours.size()];
      open = colour;
    }
    text += text_of(cells[i]);
  }
  return open == no_colour ? text : text + end;
}

namespace {

std::array<int, 3> parts_of(const std::string& colour) {
  const auto part = [&](std::size_t at) { return std::stoi(colour.substr(at, 2), nullptr, 16); };
  return {part(1), part(3), part(5)};
}

double luminance(const std::string& colour) {
  const auto parts = parts_of(colour);
  const auto linear = [](int part) {
    const double value = part / 255.0;
    return value <= 0.04045 ? value / 12.92 : std::pow((value + 0.055) / 1.055, 2.4);
  };
  return 0.2126 * linear(parts[0]) + 0.7152 * linear(parts[1]) + 0.0722 * linear(parts[2]);
}

}  // namespace

std::string between(const Colours& colours, double part) {
  const auto first = parts_of(colours.first), last = parts_of(colours.last);
  std::string colour = "#";
  for (std::size_t i = 0; i < 3; ++i) {
    colour += fmt::format("{:02x}",
                          static_cast<int>(std::lround(first[i] + std::clamp(part, 0.0, 1.0) * (last[i] - first[i]))));
  }
  return colour;
}

double contrast(const std::string& one, const std::string& other) {
  const double a = luminance(one) + 0.05, b = luminance(other) + 0.05;
  return std::max(a, b) / std::min(a, b);
}

}  // namespace wave::analysis::pictures
