// See plots.h.
#include "api/python/extension/plots.h"

namespace wave::python {

template <class Call>
Plot Plot::made(const Call& call) {
  Made plot;
  checked_aside([&](auto error) { return call(Into(plot), error); });
  return Plot(std::move(plot));
}

Plot Plot::lines(const Result& result, const std::string& y, const std::optional<std::string>& x,
                 const std::optional<std::string>& by, int x_scale, int y_scale) {
  return made([&](auto&& plot, auto error) {
    return wave_plot_create(result.get(), y.c_str(), text_or_null(x), text_or_null(by), x_scale, y_scale, plot, error);
  });
}

Plot Plot::map(const Result& result, const std::string& value, const std::string& x, const std::string& y) {
  return made([&](auto&& plot, auto error) {
    return wave_plot_create_map(result.get(), value.c_str(), x.c_str(), y.c_str(), plot, error);
  });
}

Plot Plot::parts(const Result& result) {
  return made([&](auto&& plot, auto error) { return wave_plot_create_parts(result.get(), plot, error); });
}

Plot Plot::timeline(const Model& model, const std::optional<std::string>& process) {
  Made plot;
  interruptible(
      [&](auto error) { return wave_plot_create_timeline(model.get(), text_or_null(process), Into(plot), error); },
      [&] { wave_model_stop(model.get()); });
  return Plot(std::move(plot));
}

py::bytes Plot::draw(int form) const {
  const char* bytes = nullptr;
  std::size_t size = 0;
  checked_aside([&](auto error) { return wave_plot_draw(plot_.get(), form, &bytes, &size, error); });
  return {bytes, size};
}

}  // namespace wave::python
