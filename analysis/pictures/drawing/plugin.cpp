// The module's one visible symbol.
#include "analysis/pictures/drawing/plugin.h"

#include "analysis/pictures/drawing/raster.h"
#include "analysis/pictures/drawing/script.h"

namespace wave::drawing {

namespace {

constexpr double pixels_to_a_unit = 2;  // sharp on the screens of today, and in print at half its size

std::variant<std::string, std::string> draw(const Task& task) {
  auto drawn = run_scripts(task);
  if (task.format == Format::svg || drawn.index() == 1) return drawn;
  return to_png(std::get<0>(drawn), pixels_to_a_unit);
}

constexpr Plugin plugin{WAVE_PICTURES_ABI, draw};

}  // namespace

}  // namespace wave::drawing

extern "C" __attribute__((visibility("default"))) const wave::drawing::Plugin* wave_pictures_plugin() {
  return &wave::drawing::plugin;
}
