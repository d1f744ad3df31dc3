// See drawing.h.
#include "analysis/pictures/drawing.h"

#include "analysis/pictures/assets.h"
#include "analysis/pictures/vega_lite.h"
#include "base/plugin.h"

#include <algorithm>
#include <functional>
#include <future>
#include <sys/resource.h>

#if defined(WAVE_SANITIZED) && !defined(__SANITIZE_THREAD__)
#include <sanitizer/lsan_interface.h>
#endif

namespace wave::analysis::pictures {

namespace {

constexpr auto limited = {RLIMIT_DATA, RLIMIT_AS};

// JavaScriptCore sets aside address space, of which it uses little, and ends the program if it gets none.
bool has_room() {
  constexpr rlim_t wanted = rlim_t{8} << 30;
  return std::all_of(limited.begin(), limited.end(), [](auto kind) {
    rlimit limit{};
    return getrlimit(kind, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY || limit.rlim_cur >= wanted;
  });
}

std::variant<const drawing::Plugin*, NoPlugin> load() {
  if (!has_room()) {
    return NoPlugin{false,
                    "the drawing module sets aside 8 GiB of address space, which the limits of this system (`ulimit "
                    "-v`, `ulimit -d`) do not allow"};
  }
#if defined(WAVE_SANITIZED) && !defined(__SANITIZE_THREAD__)
  // The search for leaks cannot walk through the memory that JavaScriptCore sets aside. So it is done before, and not
  // at the end.
  __lsan_do_leak_check();
#endif
  return load_plugin<drawing::Plugin>(plugin_path("WAVE_PICTURES_PLUGIN", "libwave-pictures.so"),
                                      drawing::plugin_symbol, WAVE_PICTURES_ABI, "the drawing module");
}

// The module stays loaded, because its JavaScript engine keeps threads of its own.
const auto& plugin() {
  static const auto loaded = load();
  return loaded;
}

}  // namespace

void make_room_for_drawing() {
  for (const auto kind : limited) {
    rlimit limit{};
    if (getrlimit(kind, &limit) != 0) continue;
    limit.rlim_cur = limit.rlim_max;
    setrlimit(kind, &limit);
  }
}

std::variant<std::string, std::string> draw_specification(const std::string& specification, drawing::Format format,
                                                          double seconds) {
  using Drawn = std::variant<std::string, std::string>;
  if (const auto* const none = std::get_if<NoPlugin>(&plugin())) return Drawn(std::in_place_index<1>, none->reason);
  drawing::Drawing wanted;
  for (const char* const name : {"draw", "vega.min", "vega-lite.min", "vega-interpreter"})
    wanted.scripts.push_back(asset(name));
  wanted.specification = specification;
  wanted.format = format;
  wanted.seconds = seconds;
  // JavaScriptCore looks for the bounds of the stack that it runs on, which only those of threads have.
  return std::async(std::launch::async, std::get<const drawing::Plugin*>(plugin())->draw, std::cref(wanted)).get();
}

std::variant<std::string, std::string> draw_file(const Plot& plot, drawing::Format format) {
  if (plot.points.empty())
    return std::variant<std::string, std::string>(std::in_place_index<1>, "no point has a value");
  return draw_specification(vega_lite(plot, Medium::file), format);
}

}  // namespace wave::analysis::pictures
