// What the program and the module that draws files agree on. The module brings a JavaScript engine and a renderer of
// SVG, several dozen libraries that nothing else needs. So it is loaded only if a file is to be drawn. Both sides come
// from one build, as with the module of the JIT (backend/jit/plugin.h).
#pragma once

#include <string>
#include <variant>
#include <vector>

namespace wave::drawing {

enum class Format { svg, png, pdf };

struct Drawing {
  std::vector<std::string> scripts;  // run in this order; they define `waveDraw` (see web/draw.js)
  std::string specification;         // of Vega-Lite
  Format format = Format::svg;
  double seconds = 30;  // for the scripts, after which they are stopped
};

struct Plugin {
  const char* abi;
  // Index 0: the bytes of the file. Index 1: why there is none.
  std::variant<std::string, std::string> (*draw)(const Drawing& drawing);
};

// The module's one visible symbol: `extern "C" const wave::drawing::Plugin* wave_pictures_plugin()`.
inline constexpr const char* plugin_symbol = "wave_pictures_plugin";

}  // namespace wave::drawing
