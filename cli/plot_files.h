// Plots in files.
#pragma once

#include "analysis/pictures/drawing/plugin.h"
#include "analysis/pictures/plot.h"
#include "cli/console.h"
#include "cli/options.h"

#include <optional>
#include <string>
#include <vector>

namespace wave::cli {

// What is asked of pictures without one to which it could apply: the exit code of a misuse, reported.
std::optional<int> find_misuse_of_drawing(const Drawing& drawing, Console& console);

// For a program whose evaluations are over. A client's process keeps its bounds.
void make_room_for_drawing(const Console& console);

// Draws a plot into a file, which appears whole or not at all. False, reported, if it cannot be drawn or written. For
// a program whose evaluations are over.
bool write_plot(Console& console, const analysis::pictures::Plot& plot, const std::string& path,
                drawing::Format format);

// Draws the first plot into the files that are asked for, or all of them into files with their numbers.
bool write_plots(Console& console, const Drawing& drawing, const std::vector<analysis::pictures::Plot>& plots);

}  // namespace wave::cli
