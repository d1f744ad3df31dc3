// A picture as a Vega-Lite specification.
#pragma once

#include "analysis/pictures/colours.h"
#include "analysis/pictures/plot.h"

#include <string>

namespace wave::analysis::pictures {

// Where a picture is drawn. On a page, the style sheet gives the colours (so that the picture follows light, dark and
// print), and the layout gives the width. What is drawn beforehand for a page has its colours and a width of its own. A
// file of its own has light colours on white, and a title.
enum class Medium { page, inset, file };

// JSON in UTF-8. Names from a model are values and titles in it, never fields or expressions.
std::string vega_lite(const Plot& plot, Medium medium);

// "lines: predicted, crosses: measured". Empty if the signs need no key.
std::string key_to_signs(const Plot& plot);

// What the style sheet of a page must define for pictures: `--ground`, `--ink`, `--series-1` and so on, for light pages
// and again for dark ones.
std::string colour_variables();

}  // namespace wave::analysis::pictures
