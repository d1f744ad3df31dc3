// SVG to PNG, with librsvg and cairo.
#pragma once

#include <string>
#include <variant>

namespace wave::drawing {

// With so many pixels to a unit of the drawing. Index 0: the bytes of the file. Index 1: why there is none.
std::variant<std::string, std::string> to_png(const std::string& svg, double scale);

}  // namespace wave::drawing
