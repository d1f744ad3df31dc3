// Plugins: modules of the program that are loaded only where they are needed, so that nobody else pays for what they
// bring. A plugin has one visible symbol, a function that gives its table of functions. The first entry of the table is
// `abi`, a digest of what both sides share (cmake/Plugin.cmake): a plugin of another build is refused.
#pragma once

#include <dlfcn.h>
#include <string>
#include <variant>

namespace wave {

// Why a plugin cannot be used.
struct NoPlugin {
  bool is_missing = false;  // it is not installed, or a library that it needs is not
  std::string reason;
};

// The folder of the program.
std::string program_folder();

// Where a plugin should be: in ../lib/wave/ from the program's own folder, or where the environment variable says.
// Where this code is part of libwave, the folder is that of the library, and no variable is looked at.
std::string plugin_path(const char* variable, const char* file);

// The symbol of a library, which stays loaded. `name` is what messages call the plugin. `flags` are those of dlopen.
std::variant<void*, NoPlugin> load_symbol(const std::string& path, const char* symbol, const std::string& name,
                                          int flags);

// The table of a plugin whose digest is `abi`.
template <class Table>
std::variant<const Table*, NoPlugin> load_plugin(const std::string& path, const char* symbol, const char* abi,
                                                 const std::string& name, int flags = RTLD_LOCAL | RTLD_NOW) {
  auto found = load_symbol(path, symbol, name, flags);
  if (auto* const none = std::get_if<NoPlugin>(&found)) return std::move(*none);
  const Table* const table = reinterpret_cast<const Table* (*)()>(std::get<void*>(found))();
  if (std::string(table->abi) == abi) return table;
  return NoPlugin{false, name + " in " + path + " belongs to another build of this program"};
}

}  // namespace wave
