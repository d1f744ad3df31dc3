// A picture as text: for terminals, text files and screen readers.
#pragma once

#include "analysis/pictures/plot.h"

#include <string>
#include <vector>

namespace wave::analysis::pictures {

struct TerminalStyle {
  std::size_t width = 80;   // columns, at least 30
  std::size_t height = 16;  // rows of the picture itself
  bool unicode = true;      // dots of Braille and blocks; otherwise ASCII
  // What begins a colour, for one series after the other, and what ends it. Without these there are no colours.
  std::vector<std::string> colours;
  std::string colour_end;
};

// Every line ends with a newline. Names are shown as they are: the caller has to deal with control characters.
std::string draw_in_text(const Plot& plot, const TerminalStyle& style);

}  // namespace wave::analysis::pictures
