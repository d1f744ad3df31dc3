// Timelines: what the processes of a small grid do when.
#pragma once

#include "analysis/pictures/plot.h"
#include "backend/limits.h"
#include "backend/processes/program/input.h"
#include "frontend/lower/lower.h"

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace wave::analysis::pictures {

// More lanes find no place in a picture.
inline constexpr std::int64_t most_lanes = 64;

// The network has more slices than a picture can be made of.
struct TimelineTooLong {};

// What processes do: a lane for each, whose slices are the innermost ones, the phases that it is in, and the messages
// between lanes. Slices too short to be seen are drawn as one with those beside them. `ranks`, in rising order, are
// those of the process's grid; empty: the first ones. Throws TimelineTooLong.
Plot plot_timeline(const backend::processes::ProgramInput& input, const std::string& process,
                   const std::vector<std::int64_t>& ranks = {});

// The same of a process of a model. Nothing, with the reason in `diagnostics`, if it fails or does too much.
// `is_wanted` is asked first, with how many processes the grid has, and may throw; if it says no, there is nothing and
// no reason.
std::optional<Plot> plot_process(const frontend::Lowered& lowered, const frontend::ProcessInfo& process,
                                 const std::vector<std::int64_t>& ranks, const backend::Limits& limits,
                                 frontend::Diagnostics& diagnostics,
                                 const std::function<bool(std::int64_t processes)>& is_wanted = {});

// The same as bars: how long each process does what. For where there is no room for slices.
Plot times_of_timeline(const Plot& timeline);

}  // namespace wave::analysis::pictures
