// Timelines of processes as pictures and as pages.
#pragma once

#include "analysis/pictures/plot.h"
#include "cli/console.h"
#include "cli/options.h"

#include <cstddef>
#include <optional>
#include <string>

namespace wave::cli {

// Whether a timeline in this file is a picture or a page, going by its name.
bool is_picture_name(const std::string& path);

// What a file of this name cannot be given: the exit code of a misuse, reported.
std::optional<int> find_misuse_of_timeline(const std::string& path, const PictureStyle& style, std::size_t ranks,
                                           Console& console);

// That pages cannot be made, since the program was built without their scripts. Returns the exit code.
int report_no_scripts(Console& console);

// Draws a timeline into a file, in the form that its name asks for. Returns an exit code.
int write_timeline(Console& console, analysis::pictures::Plot timeline, const std::string& path,
                   const PictureStyle& style, const std::string& subtitle);

}  // namespace wave::cli
