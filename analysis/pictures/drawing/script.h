// Specifications to SVG: the scripts of Vega in JavaScriptCore.
#pragma once

#include "analysis/pictures/drawing/plugin.h"

namespace wave::drawing {

// Index 0: the drawing as SVG. Index 1: why there is none.
std::variant<std::string, std::string> run_scripts(const Task& task);

}  // namespace wave::drawing
