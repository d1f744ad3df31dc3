// What the variables of the environment say. Only who was told to looks at them.
#pragma once

#include <string>
#include <vector>

namespace wave {

// The folders of WAVE_PATH.
std::vector<std::string> search_folders_of_environment();

// The folder of compiled code: $WAVE_CACHE, or the place that the XDG base directory specification names. Empty if
// there is no such place.
std::string cache_folder_of_environment();

}  // namespace wave
