// A picture as a Vega-Lite specification.
#pragma once

#include "analysis/pictures/plot.h"

#include <string>

namespace wave::analysis::pictures {

// Where it is drawn: a page, whose style sheet gives the colours (so that it follows light, dark and print) and whose
// layout the width; or a file of its own, in light colours on white and with its title.
enum class Medium { page, file };

// JSON in UTF-8. Names out of a model are values and titles in it, never fields or expressions.
std::string vega_lite(const Plot& plot, Medium medium);

// "lines: predicted, crosses: measured"; empty if that is plain.
std::string key_to_signs(const Plot& plot);

// What a page's style sheet must define for pictures: `--ground`, `--ink`, `--series-1`, ... for light, and again for
// dark.
std::string colour_variables();

}  // namespace wave::analysis::pictures
