// Pictures as files, drawn by a module that is loaded for it.
#pragma once

#include "analysis/pictures/drawing/plugin.h"
#include "analysis/pictures/plot.h"

#include <string>
#include <variant>

namespace wave::analysis::pictures {

// Ends the process's own bounds on memory, which are for evaluations: the drawing module sets aside more. For a program
// whose evaluations are over.
void make_room_for_drawing();

// Index 0: the bytes of the file. Index 1: why there is none.
std::variant<std::string, std::string> draw_file(const Plot& plot, drawing::Format format);
// The same for a specification.
std::variant<std::string, std::string> draw_specification(const std::string& specification, drawing::Format format,
                                                          double seconds = 30);

}  // namespace wave::analysis::pictures
