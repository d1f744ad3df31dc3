// The colours of pictures, which people who see few colours can tell apart on light and on dark ground. Series also
// differ in the shape of their points.
#pragma once

#include <array>
#include <string>

namespace wave::analysis::pictures {

struct Colours {
  const char* ground;
  const char* ink;    // text
  const char* faint;  // text beside it, axes
  const char* grid;
  std::array<const char*, 8> series;
  const char* first;  // ends of the colours of ordered series
  const char* last;
};

// At least 3 : 1 against the ground; see tests/unit/pictures/vega_lite_test.cpp.
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

// The colour, as "#rrggbb", at this part of the way from the first colour (0) to the last one (1).
std::string between(const Colours& colours, double part);
// The contrast of two colours, from 1 to 21 (contrast ratio of WCAG 2.1).
double contrast(const std::string& one, const std::string& other);

}  // namespace wave::analysis::pictures
