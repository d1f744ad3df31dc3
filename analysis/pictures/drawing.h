// Pictures as files: loads the module that draws them, checks that it is of this build, and has it draw.
#pragma once

#include "analysis/pictures/drawing/plugin.h"
#include "analysis/pictures/plot.h"

#include <string>
#include <variant>

namespace wave::analysis::pictures {

// Index 0: the bytes of the file. Index 1: why there is none.
std::variant<std::string, std::string> draw_file(const Plot& plot, drawing::Format format);
// The same of a specification.
std::variant<std::string, std::string> draw_specification(const std::string& specification, drawing::Format format,
                                                          double seconds = 30);

}  // namespace wave::analysis::pictures
