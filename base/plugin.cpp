// See plugin.h.
#include "base/plugin.h"

#include <climits>

#include <algorithm>
#include <cstdlib>
#include <unistd.h>

namespace wave {

std::string program_folder() {
  char program[PATH_MAX];
  const ssize_t length = readlink("/proc/self/exe", program, sizeof program);
  std::string folder = length > 0 ? std::string(program, static_cast<std::size_t>(length)) : std::string();
  folder.erase(std::min(folder.size(), folder.rfind('/')));
  return folder;
}

std::string plugin_path(const char* variable, const char* file) {
  if (const char* const given = std::getenv(variable)) return given;
  return program_folder() + "/../lib/wave/" + file;
}

std::variant<void*, NoPlugin> load_symbol(const std::string& path, const char* symbol, const std::string& name,
                                          int flags) {
  void* const library = dlopen(path.c_str(), flags);
  void* const found = library ? dlsym(library, symbol) : nullptr;
  if (found) return found;
  const char* const reason = dlerror();
  return NoPlugin{true, name + " cannot be loaded from " + path + (reason ? std::string(": ") + reason : "")};
}

}  // namespace wave
