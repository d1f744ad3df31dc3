// Objects of Python whose types signatures say in more words than pybind11 has for them: the module's stub is made of
// these.
#pragma once

#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

namespace wave::python {

namespace py = pybind11;

inline bool is_there(PyObject* object) { return object != nullptr; }

// By names.
class Fields : public py::dict {
  PYBIND11_OBJECT_DEFAULT(Fields, py::dict, PyDict_Check)
};

// A wavemodel.Error, or None.
class MaybeError : public py::object {
  PYBIND11_OBJECT_DEFAULT(MaybeError, py::object, is_there)
};

// Is called with what is done and with all; or None.
class ProgressFunction : public py::object {
  PYBIND11_OBJECT_DEFAULT(ProgressFunction, py::object, is_there)
};

// The only cell of a column.
class Cell : public py::object {
  PYBIND11_OBJECT_DEFAULT(Cell, py::object, is_there)
};

}  // namespace wave::python

namespace pybind11::detail {

template <>
struct handle_type_name<wave::python::Fields> {
  static constexpr auto name = const_name("dict[str, Any]");
};
template <>
struct handle_type_name<wave::python::MaybeError> {
  static constexpr auto name = const_name("Optional[Error]");
};
template <>
struct handle_type_name<wave::python::ProgressFunction> {
  static constexpr auto name = const_name("Optional[Callable[[int, int], object]]");
};
template <>
struct handle_type_name<wave::python::Cell> {
  static constexpr auto name = const_name("Union[float, int, bool, str]");
};

}  // namespace pybind11::detail
