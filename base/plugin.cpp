// See plugin.h.
#include "base/plugin.h"

#include <climits>

#include <algorithm>
#include <cstdlib>
#include <link.h>
#include <unistd.h>

namespace wave {

std::string program_folder() {
  char program[PATH_MAX];
  const ssize_t length = readlink("/proc/self/exe", program, sizeof program);
  std::string folder = length > 0 ? std::string(program, static_cast<std::size_t>(length)) : std::string();
  folder.erase(std::min(folder.size(), folder.rfind('/')));
  return folder;
}

namespace {

// The library that this code is part of; empty if it is the program itself.
std::string library_of_this_code() {
  Dl_info info{};
  link_map* map = nullptr;
  const bool is_found = dladdr1(reinterpret_cast<const void*>(&program_folder), &info, reinterpret_cast<void**>(&map),
                                RTLD_DL_LINKMAP) != 0;
  return is_found && map && map->l_name ? map->l_name : "";
}

}  // namespace

std::string plugin_path(const char* variable, const char* file) {
  const std::string library = library_of_this_code();
  if (library.empty()) {
    if (const char* const given = std::getenv(variable)) return given;
    return program_folder() + "/../lib/wave/" + file;
  }
  // lib/libwave.so or lib/x86_64-linux-gnu/libwave.so; modules are in lib/wave.
  const std::string folder = library.substr(0, library.rfind('/') + 1);
  for (const char* const beside : {"wave/", "../wave/"}) {
    if (const std::string path = folder + beside + file; access(path.c_str(), R_OK) == 0) return path;
  }
  return folder + "wave/" + file;
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
