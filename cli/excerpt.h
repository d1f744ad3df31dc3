// The excerpt of a source text under a diagnostic: numbered lines, places underlined, each with its own text.
#pragma once

#include "cli/colours.h"
#include "frontend/source/diagnostics.h"

#include <cstddef>
#include <string>
#include <vector>

namespace wave::cli {

struct Mark {
  frontend::Place place;
  std::string text;
  bool primary = false;
};

// Digits of the largest line number that the excerpt of these marks shows.
std::size_t gutter_width(const frontend::Sources& sources, const std::vector<Mark>& marks);

// `marks` are places in one file. Every line ends with a newline.
std::string render_excerpt(const frontend::Sources& sources, const std::vector<Mark>& marks, std::size_t gutter,
                           const Palette& palette, Style primary_style);

}  // namespace wave::cli
