// See checked.h.
#include "api/python/extension/checked.h"

#include <exception>

namespace wave::python {

Failed::Failed(wave_status status, wave_error* error) : status(status) {
  const Handle<wave_error, wave_error_close> closed(error);
  const char* shown = nullptr;
  if (error && wave_error_text(error, &shown) == WAVE_OK) text = shown;
  if (error && wave_error_coloured_text(error, &shown) == WAVE_OK) coloured = shown;
  if (error && wave_error_json(error, &shown) == WAVE_OK) json = shown;
}

py::object Failed::object() const {
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

}  // namespace wave::python
