// Timelines: what the processes of a small grid do when.
#pragma once

#include "analysis/pictures/plot.h"
#include "backend/processes/program/input.h"

#include <string>

namespace wave::analysis::pictures {

// The network has more slices than a picture can be made of.
struct TimelineTooLong {};

// What the first processes do: a lane for each, whose slices are the innermost ones, without phases. Slices too short
// to be seen are drawn as one with those beside them. Throws TimelineTooLong.
Plot plot_timeline(const backend::processes::ProgramInput& input, const std::string& process);

// The same as bars: how long each process does what. For where there is no room for slices.
Plot times_of_timeline(const Plot& timeline);

}  // namespace wave::analysis::pictures
