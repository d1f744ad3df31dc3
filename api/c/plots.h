// Plots: what is drawn of results, and the forms in which a program gets it.
#pragma once

#include "analysis/pictures/plot.h"
#include "api/c/results.h"

#include <map>
#include <mutex>
#include <string>
#include <utility>

namespace wave::api {

class PlotObject final : public Object {
 public:
  static constexpr const char* kind = "plot";
  explicit PlotObject(analysis::pictures::Plot plot) : plot_(std::move(plot)) {}

  // WAVE_PLOT_VEGA_LITE ... WAVE_PLOT_WORDS. Made once, and kept.
  const std::string& drawn(int form);

 private:
  const analysis::pictures::Plot plot_;
  std::mutex mutex_;
  std::map<int, std::string> drawn_;
};

}  // namespace wave::api
