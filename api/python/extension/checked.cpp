// See checked.h.
#include "api/python/extension/checked.h"

#include <exception>

namespace wave::python {

Failed::Failed(wave_status status, wave_error* error) : status(status) {
  const Handle<wave_error> closed(error);
  const char* shown = nullptr;
  const auto is_shown = [&](int form) { return error && wave_error_text(error, form, &shown) == WAVE_OK; };
  if (is_shown(WAVE_ERROR_PLAIN)) text = shown;
  if (is_shown(WAVE_ERROR_COLOURED)) coloured = shown;
  if (is_shown(WAVE_ERROR_JSON)) json = shown;
}

MaybeError Failed::object() const {
  return py::module_::import("wavemodel._errors").attr("error_of")(status, text, json, coloured);
}

void translate_failures() {
  py::register_exception_translator([](std::exception_ptr thrown) {
    try {
      if (thrown) std::rethrow_exception(thrown);
    } catch (const Failed& failed) {
      const py::object error = failed.object();
      PyErr_SetObject(py::type::handle_of(error).ptr(), error.ptr());
    }
  });
}

MaybeError warnings_of(const void* handle) {
  wave_error* found = nullptr;
  checked([&](auto error) { return wave_warnings(handle, &found, error); });
  return found ? Failed(WAVE_OK, found).object() : MaybeError(py::none());
}

}  // namespace wave::python
