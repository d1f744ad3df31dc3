// The steps from times of several pairs at once to what they share. See interfaces.h.
#pragma once

#include "analysis/machine_fit/interfaces.h"

#include <string>
#include <vector>

namespace wave::analysis::machine_fit {

// Finds the classes of a place, and its servers. The result is the deviation of its times. Points are in the order of
// their sizes.
double fit_classes(PlaceFit& place, const std::vector<PairTime>& points);

// "between nodes"
std::string where_of(const PlaceFit& place);

// Says what the data leave open, and ties it to what they tell.
void tie(PlaceFit& place, std::vector<std::string>& notes);

// Says where some of the pairs take as long as all of them, though longer than a few: their processes fill interfaces
// one after the other (socket by socket, rail by rail), and a resource of the node cannot have that.
void note_filling(const PlaceFit& place, const std::vector<PairTime>& points, std::vector<std::string>& notes);

}  // namespace wave::analysis::machine_fit
