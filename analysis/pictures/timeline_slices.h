// What is seen of the slices of a process in a picture: one after the other, none inside another.
#pragma once

#include "backend/processes/path/timeline.h"
#include "ir/process.h"

#include <string>
#include <vector>

namespace wave::analysis::pictures {

struct ShownSlice {
  double begin = 0, end = 0;  // ps
  std::string name;
};

// Of slices of one process, which stand inside each other, the outer one first: the innermost at each time. What it is
// busy with or waits for, without phases; and the phases that it is in.
std::vector<ShownSlice> activities_of(const std::vector<const backend::processes::Slice*>& slices);
std::vector<ShownSlice> phases_of(const std::vector<const backend::processes::Slice*>& slices,
                                  const ir::Process& process);

// Neighbours of one name are one. So are neighbours that are shorter than can be seen, named as what takes longest.
std::vector<ShownSlice> merged(std::vector<ShownSlice> slices, double shortest);

}  // namespace wave::analysis::pictures
