// Results: their tables as numbers, texts, and memory that others read.
#pragma once

#include "api/python/extension/checked.h"

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace wave::python {

using MadeResult = Handle<wave_result, wave_result_close>;
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

  std::size_t output_count() const;
  py::dict output(std::size_t index) const;
  std::size_t find(const std::string& name) const;
  py::dict column(std::size_t output, std::size_t column) const;
  // The only cell of a column of real numbers, and of any: float, int, bool or str.
  double real(std::size_t output, std::size_t column, int unit) const;
  py::object cell(std::size_t output, std::size_t column, int unit) const;
  Numbers reals(std::size_t output, std::size_t column, int unit) const;
  Numbers integers(std::size_t output, std::size_t column) const;
  std::vector<std::string> texts(std::size_t output, std::size_t column) const;
  std::optional<Numbers> codes(std::size_t output) const;
  std::string engine() const;
  const wave_result* get() const { return result_.get(); }

 private:
  ResultHandle result_;
};

py::dict described(const wave_output_info& info);
py::dict described(const wave_column_info& info);

}  // namespace wave::python
