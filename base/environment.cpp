// See environment.h.
#include "base/environment.h"

#include <cstdlib>
#include <sstream>

namespace wave {
namespace {

std::string variable(const char* name) {
  const char* value = std::getenv(name);
  return value != nullptr ? value : "";
}

}  // namespace

std::vector<std::string> search_folders_of_environment() {
  std::vector<std::string> all;
  std::istringstream folders(variable("WAVE_PATH"));
  for (std::string folder; std::getline(folders, folder, ':');) {
    if (!folder.empty()) all.push_back(folder);
  }
  return all;
}

std::string cache_folder_of_environment() {
  if (const std::string own = variable("WAVE_CACHE"); !own.empty()) return own;
  if (const std::string base = variable("XDG_CACHE_HOME"); !base.empty() && base.front() == '/') return base + "/wave";
  const std::string home = variable("HOME");
  return home.empty() || home.front() != '/' ? "" : home + "/.cache/wave";
}

}  // namespace wave
