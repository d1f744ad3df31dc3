// Results: their tables as numbers, texts, and memory that others read.
#pragma once

#include "api/python/extension/checked.h"

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace wave::python {

using MadeResult = Handle<wave_result>;
using ResultHandle = std::shared_ptr<wave_result>;

// Numbers of a result, which they keep.
struct Numbers {
  ResultHandle result;
  const void* values = nullptr;
  std::size_t count = 0, size = 0;
  std::string format;  // as of Python's module struct

  py::buffer_info info() const;
};

class Result {
 public:
  explicit Result(MadeResult result) : result_(std::move(result)) {}

  std::size_t output_count() const { return info().outputs; }
  Fields output(std::size_t index) const;
  std::size_t find(const std::string& name) const;
  Fields column(std::size_t output, std::size_t column) const;
  // The only cell of a column of real numbers, and of any: float, int, bool or str.
  double real(std::size_t output, std::size_t column, int unit) const;
  Cell cell(std::size_t output, std::size_t column, int unit) const;
  Numbers reals(std::size_t output, std::size_t column, int unit) const;
  Numbers integers(std::size_t output, std::size_t column) const;
  std::vector<std::string> texts(std::size_t output, std::size_t column) const;
  std::optional<Numbers> codes(std::size_t output) const;
  std::string engine() const { return info().engine; }
  const wave_result* get() const { return result_.get(); }

 private:
  // A column as it is kept.
  template <class T>
  struct Cells {
    const T* values;
    std::size_t count;
  };

  wave_result_info info() const;
  template <class T>
  Cells<T> cells(std::size_t output, std::size_t column, int cell, int unit = WAVE_SI) const;
  template <class T>
  Numbers numbers(const Cells<T>& cells, const char* format) const;

  ResultHandle result_;
};

}  // namespace wave::python
