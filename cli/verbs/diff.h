// What `wave diff` does with two versions of a library.
#pragma once

#include "cli/console.h"
#include "cli/formats/document.h"
#include "cli/options.h"

#include <string>

namespace wave::cli {

// `wave diff --api BEFORE AFTER`: each is a folder with modules, a file or the name of a module. The exit code says
// whether the version of the second suffices.
int diff_apis(const std::string& before, const std::string& after, Format format, const CommonOptions& options,
              Console& console);

}  // namespace wave::cli
