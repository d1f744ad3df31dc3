// Memory of Python's that a call reads or writes: arrays, and lists of texts.
#pragma once

#include "api/python/extension/checked.h"

#include <cstdint>
#include <deque>
#include <string>
#include <vector>

namespace wave::python {

// What a column or target points to while a batch runs.
struct Cells {
  void* data = nullptr;
  std::size_t count = 0;
  int cell = WAVE_REAL;
  std::ptrdiff_t stride = 0;
};

// Keeps the memory and the names of columns and targets.
class Memory {
 public:
  Cells numbers(const std::string& name, const py::handle& object, bool is_written) {
    if (!PyObject_CheckBuffer(object.ptr()))
      throw py::type_error("`" + name + "` is of type " + Py_TYPE(object.ptr())->tp_name +
                           ", which is neither an array of numbers nor a list of str");
    const auto& info = buffers_.emplace_back(py::reinterpret_borrow<py::buffer>(object).request(is_written));
    if (info.ndim != 1)
      throw py::value_error("`" + name + "` has " + std::to_string(info.ndim) + " dimensions instead of one");
    return {info.ptr, static_cast<std::size_t>(info.shape[0]), cell_of(name, info), info.strides[0]};
  }

  // Each an array of numbers or a list of str, by its name.
  std::vector<wave_column> columns(const Fields& given) {
    std::vector<wave_column> all;
    for (const auto& [key, value] : given) {
      const std::string& name = kept_name(key);
      const Cells cells = py::isinstance<py::list>(value) ? texts(name, py::reinterpret_borrow<py::list>(value))
                                                          : numbers(name, value, false);
      all.push_back({name.c_str(), cells.data, cells.count, cells.cell, cells.stride});
    }
    return all;
  }

  const std::string& kept_name(const py::handle& given) { return names_.emplace_back(given.cast<std::string>()); }

  // Room for pointers that a batch writes.
  std::vector<const char*>& room(std::size_t rows) { return texts_.emplace_back(rows); }

 private:
  Cells texts(const std::string& name, const py::list& list) {
    auto& pointers = texts_.emplace_back();
    for (const py::handle& item : list) {
      // The texts belong to the list's items, which `held_` keeps though others may change the list.
      const char* const text = PyUnicode_Check(item.ptr()) ? PyUnicode_AsUTF8(item.ptr()) : nullptr;
      if (!text) {
        PyErr_Clear();
        throw py::type_error("row " + std::to_string(pointers.size()) + " of `" + name + "` is no str");
      }
      held_.push_back(py::reinterpret_borrow<py::object>(item));
      pointers.push_back(text);
    }
    return {pointers.data(), pointers.size(), WAVE_TEXT, sizeof(const char*)};
  }

  static int cell_of(const std::string& name, const py::buffer_info& info) {
    if (info.format == "d") return WAVE_REAL;
    if (info.format == "?") return WAVE_BOOLEAN;
    if (info.itemsize == sizeof(std::int64_t) && (info.format == "l" || info.format == "q")) return WAVE_INTEGER;
    throw py::type_error("`" + name + "` has cells of format `" + info.format +
                         "`, which are neither double, nor int64, nor bool");
  }

  std::deque<std::string> names_;
  std::deque<py::buffer_info> buffers_;
  std::deque<std::vector<const char*>> texts_;
  std::vector<py::object> held_;
};

}  // namespace wave::python
