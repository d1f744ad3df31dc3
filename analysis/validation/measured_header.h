// The headings of measured data, while they are read.
#pragma once

#include "analysis/validation/measured_data.h"

#include <cstddef>
#include <string>
#include <vector>

namespace wave::analysis {

// The headings, and their meanings.
struct MeasuredData::Header {
  std::vector<frontend::TableHeading> headings;
  std::vector<frontend::Location> places;
  std::vector<std::size_t> unknown;             // names that are no parameters
  std::vector<std::vector<std::string>> hints;  // the names that may be meant
  std::vector<std::size_t> others;              // columns that a table of values need not know
  frontend::Location all() const { return {places.front().file, places.front().begin, places.back().end}; }
};

}  // namespace wave::analysis
