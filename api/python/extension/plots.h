// Plots of results.
#pragma once

#include "api/python/extension/models.h"

#include <optional>
#include <string>
#include <utility>

namespace wave::python {

class Plot {
 public:
  // The points of a study as lines; scales are WAVE_SCALE_FITTING, WAVE_SCALE_LINEAR or WAVE_SCALE_LOG.
  static Plot lines(const Result& result, const std::string& y, const std::optional<std::string>& x,
                    const std::optional<std::string>& by, int x_scale, int y_scale);
  static Plot map(const Result& result, const std::string& value, const std::string& x, const std::string& y);
  // What a breakdown or a critical path has found, as bars.
  static Plot parts(const Result& result);
  static Plot timeline(const Model& model, const std::optional<std::string>& process);

  // In one of the forms WAVE_PLOT_VEGA_LITE and so on.
  py::bytes draw(int form) const;

 private:
  using Made = Handle<wave_plot, wave_plot_close>;
  explicit Plot(Made plot) : plot_(std::move(plot)) {}
  template <class Call>
  static Plot made(const Call& call);

  Made plot_;
};

}  // namespace wave::python
