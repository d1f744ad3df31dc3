// See drawing.h.
#include "analysis/pictures/drawing.h"

#include "analysis/pictures/assets.h"
#include "analysis/pictures/vega_lite.h"

#include <climits>

#include <algorithm>
#include <cstdlib>
#include <dlfcn.h>
#include <sys/resource.h>
#include <unistd.h>

#ifdef WAVE_SANITIZED
#include <sanitizer/lsan_interface.h>
#endif

namespace wave::analysis::pictures {

namespace {

using Loaded = std::variant<const drawing::Plugin*, std::string>;

std::string missing(const std::string& path) {
  const char* const reason = dlerror();
  return "the drawing module cannot be loaded from " + path + (reason ? std::string(": ") + reason : std::string());
}

// JavaScriptCore sets aside address space, of which it uses little, and ends the program where it gets none. The
// program's own bound on memory is for evaluations, which are over by now. False: the system's bounds are in the way.
bool make_room() {
  constexpr rlim_t wanted = rlim_t{8} << 30;
  for (const auto kind : {RLIMIT_DATA, RLIMIT_AS}) {
    rlimit limit{};
    if (getrlimit(kind, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) continue;
    limit.rlim_cur = limit.rlim_max;
    setrlimit(kind, &limit);
    if (limit.rlim_max != RLIM_INFINITY && limit.rlim_max < wanted) return false;
  }
  return true;
}

Loaded load(const std::string& path) {
  if (!make_room())
    return std::string(
        "the drawing module sets aside 8 GiB of address space, which the limits of this system (`ulimit -v`, `ulimit "
        "-d`) do not allow");
#ifdef WAVE_SANITIZED
  // The search for leaks cannot walk through the memory that JavaScriptCore sets aside: it is made before, and not
  // again at the end.
  __lsan_do_leak_check();
#endif
  void* const module = dlopen(path.c_str(), RTLD_LOCAL | RTLD_NOW);
  if (!module) return missing(path);
  const auto factory = reinterpret_cast<drawing::PluginFunction>(dlsym(module, drawing::plugin_symbol));
  if (!factory) return missing(path);
  const drawing::Plugin* const plugin = factory();
  if (std::string(plugin->abi) != WAVE_PICTURES_ABI) {
    return "the drawing module in " + path + " belongs to another build of this program";
  }
  return plugin;
}

// The module stays loaded: its JavaScript engine keeps threads of its own.
const Loaded& plugin() {
  static const Loaded loaded = load(drawing_module_path());
  return loaded;
}

}  // namespace

std::string drawing_module_path() {
  if (const char* const given = std::getenv("WAVE_PICTURES_PLUGIN")) return given;
  char program[PATH_MAX];
  const ssize_t length = readlink("/proc/self/exe", program, sizeof program);
  std::string folder = length > 0 ? std::string(program, static_cast<std::size_t>(length)) : std::string();
  folder.erase(std::min(folder.size(), folder.rfind('/')));
  return folder + "/../lib/wave/libwave-pictures.so";
}

std::variant<std::string, std::string> draw_specification(const std::string& specification, drawing::Format format,
                                                          double seconds) {
  using Drawn = std::variant<std::string, std::string>;
  if (const auto* const why = std::get_if<std::string>(&plugin())) return Drawn(std::in_place_index<1>, *why);
  drawing::Task task;
  for (const char* const name : {"draw", "vega.min", "vega-lite.min", "vega-interpreter"})
    task.scripts.push_back(asset(name));
  task.specification = specification;
  task.format = format;
  task.seconds = seconds;
  return std::get<const drawing::Plugin*>(plugin())->draw(task);
}

std::variant<std::string, std::string> draw_file(const Plot& plot, drawing::Format format) {
  return draw_specification(vega_lite(plot, Medium::file), format);
}

}  // namespace wave::analysis::pictures
