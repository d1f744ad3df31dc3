// See colours.h.
#include "analysis/pictures/colours.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace wave::analysis::pictures {

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
