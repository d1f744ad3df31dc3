// What a project consists of, as a digest.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace wave::frontend {

// Of `wave.toml` and of all plain files below its folders, with their names; links and hidden files are left out.
// Nothing if there are more than 10 000 files or 256 MiB, or if something cannot be read.
std::optional<std::string> digest_of_contents(const std::string& root, const std::vector<std::string>& folders);

}  // namespace wave::frontend
