// Plots of results.
#pragma once

#include "api/python/extension/models.h"

#include <optional>
#include <string>
#include <utility>

namespace wave::python {

class Plot {
 public:
  // The points of a sweep, as lines or as a map; without `y`, what a breakdown or a critical path has found, as bars.
  // Scales are WAVE_SCALE_FITTING, WAVE_SCALE_LINEAR or WAVE_SCALE_LOG.
  Plot(const Result& result, const std::optional<std::string>& y, const std::optional<std::string>& x,
       const std::optional<std::string>& by, int x_scale, int y_scale);
  static Plot timeline(const Model& model, const std::optional<std::string>& process);

  // In one of the forms WAVE_PLOT_VEGA_LITE and so on.
  py::bytes draw(int form) const;

 private:
  explicit Plot(Handle<wave_plot> plot) : plot_(std::move(plot)) {}

  Handle<wave_plot> plot_;
};

}  // namespace wave::python
