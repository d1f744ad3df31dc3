// Repeated measurements as their mean, with a bar for how they differ.
#pragma once

#include "analysis/pictures/plot.h"

namespace wave::analysis::pictures {

// Puts one point in place of the measurements of a series that lie at one x, where these are several. A note says what
// points and bars are. The points of a plot are finite.
void join_repeated(Plot& plot, ErrorBars bars);

}  // namespace wave::analysis::pictures
