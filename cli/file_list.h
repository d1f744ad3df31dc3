// The files that a verb goes through: those named, and of a folder all `.wave` files below it.
#pragma once

#include "frontend/source/diagnostics.h"

#include <cstddef>
#include <string>
#include <vector>

namespace wave::cli {

// What a folder may hold to be gone through.
struct FolderBounds {
  int depth = 64;
  std::size_t entries = 100'000;  // files and folders of any kind
};

// Folders in the place where they were named, their files in alphabetical order. What is hidden (its name begins with a
// dot) is skipped, and so are links below the folder: what they lead to is found where it lies, or lies outside. A file
// that is met twice in folders is taken once. A folder that cannot be gone through is an error in `diagnostics`.
std::vector<std::string> expand_folders(const std::vector<std::string>& named, frontend::Diagnostics& diagnostics,
                                        FolderBounds bounds = {});

}  // namespace wave::cli
