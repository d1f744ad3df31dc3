// See plots.h.
#include "api/python/extension/plots.h"

namespace wave::python {

Plot::Plot(const Result& result, const std::optional<std::string>& y, const std::optional<std::string>& x,
           const std::optional<std::string>& by, int x_scale, int y_scale) {
  checked_aside([&](auto error) {
    return wave_plot_create(result.get(), text_or_null(y), text_or_null(x), text_or_null(by), x_scale, y_scale,
                            Into(plot_), error);
  });
}

Plot Plot::timeline(const Model& model, const std::optional<std::string>& process) {
  Handle<wave_plot> plot;
  interruptible(
      [&](auto error) { return wave_plot_create_timeline(model.get(), text_or_null(process), Into(plot), error); },
      [&] { wave_stop(model.get()); });
  return Plot(std::move(plot));
}

py::bytes Plot::draw(int form) const {
  const char* bytes = nullptr;
  std::size_t size = 0;
  checked_aside([&](auto error) { return wave_plot_draw(plot_.get(), form, &bytes, &size, error); });
  return {bytes, size};
}

}  // namespace wave::python
