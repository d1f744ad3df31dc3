// See results.h.
#include "api/python/extension/results.h"

namespace wave::python {
namespace {

wave_column_info column_info(const wave_result* result, std::size_t output, std::size_t column) {
  wave_column_info info{};
  info.size = sizeof info;
  checked([&](auto error) { return wave_result_column(result, output, column, &info, error); });
  return info;
}

}  // namespace

py::buffer_info Numbers::info() const {
  static const double none = 0;  // a column without rows has no memory
  const auto shape = static_cast<py::ssize_t>(count), stride = static_cast<py::ssize_t>(size);
  return {const_cast<void*>(count > 0 ? values : &none), stride, format, 1, {shape}, {stride}, true};
}

py::dict described(const wave_output_info& info) {
  py::dict all;
  all["name"] = info.name;
  all["doc"] = info.doc;
  all["shape"] = info.shape;
  all["columns"] = info.columns;
  all["rows"] = info.rows;
  all["failed"] = info.failed ? info.failed : "";
  return all;
}

py::dict described(const wave_column_info& info) {
  py::dict all;
  all["name"] = info.name;
  all["unit"] = info.unit;
  all["asked_unit"] = info.asked_unit;
  all["cell"] = info.cell;
  all["dimension"] = py::make_tuple(info.time, info.data, info.work);
  return all;
}

std::size_t Result::output_count() const {
  std::size_t count = 0;
  checked([&](auto error) { return wave_result_output_count(result_.get(), &count, error); });
  return count;
}

py::dict Result::output(std::size_t index) const {
  wave_output_info info{};
  info.size = sizeof info;
  checked([&](auto error) { return wave_result_output(result_.get(), index, &info, error); });
  return described(info);
}

std::size_t Result::find(const std::string& name) const {
  std::size_t index = 0;
  checked([&](auto error) { return wave_result_find(result_.get(), name.c_str(), &index, error); });
  return index;
}

py::dict Result::column(std::size_t output, std::size_t column) const {
  return described(column_info(result_.get(), output, column));
}

double Result::real(std::size_t output, std::size_t column, int unit) const {
  const double* values = nullptr;
  std::size_t count = 0;
  checked([&](auto error) { return wave_result_reals(result_.get(), output, column, unit, &values, &count, error); });
  if (count == 0) throw py::index_error("this column has no rows");
  return *values;
}

py::object Result::cell(std::size_t output, std::size_t column, int unit) const {
  const int cell = column_info(result_.get(), output, column).cell;
  std::size_t count = 0;
  const auto need_rows = [&] {
    if (count == 0) throw py::index_error("this column has no rows");
  };
  if (cell == WAVE_TEXT) {
    const char* const* values = nullptr;
    checked([&](auto error) { return wave_result_texts(result_.get(), output, column, &values, &count, error); });
    need_rows();
    return py::str(values[0]);
  }
  if (cell == WAVE_REAL) {
    const double* values = nullptr;
    checked([&](auto error) { return wave_result_reals(result_.get(), output, column, unit, &values, &count, error); });
    need_rows();
    return py::float_(values[0]);
  }
  const std::int64_t* values = nullptr;
  checked([&](auto error) { return wave_result_integers(result_.get(), output, column, &values, &count, error); });
  need_rows();
  if (cell == WAVE_BOOLEAN) return py::bool_(values[0] != 0);
  return py::int_(values[0]);
}

Numbers Result::reals(std::size_t output, std::size_t column, int unit) const {
  const double* values = nullptr;
  Numbers numbers{result_, nullptr, 0, sizeof *values, "d"};
  checked([&](auto error) {
    return wave_result_reals(result_.get(), output, column, unit, &values, &numbers.count, error);
  });
  numbers.values = values;
  return numbers;
}

Numbers Result::integers(std::size_t output, std::size_t column) const {
  const std::int64_t* values = nullptr;
  static_assert(sizeof(long) == sizeof *values);  // NumPy shows arrays of `q` as another type than its int64
  Numbers numbers{result_, nullptr, 0, sizeof *values, "l"};
  checked(
      [&](auto error) { return wave_result_integers(result_.get(), output, column, &values, &numbers.count, error); });
  numbers.values = values;
  return numbers;
}

std::vector<std::string> Result::texts(std::size_t output, std::size_t column) const {
  const char* const* values = nullptr;
  std::size_t count = 0;
  checked([&](auto error) { return wave_result_texts(result_.get(), output, column, &values, &count, error); });
  return {values, values + count};
}

std::optional<Numbers> Result::codes(std::size_t output) const {
  const std::int32_t* values = nullptr;
  Numbers numbers{result_, nullptr, 0, sizeof *values, "i"};
  checked([&](auto error) { return wave_result_codes(result_.get(), output, &values, &numbers.count, error); });
  if (!values) return std::nullopt;
  numbers.values = values;
  return numbers;
}

std::string Result::engine() const {
  const char* name = "";
  checked([&](auto error) { return wave_result_engine(result_.get(), &name, error); });
  return name;
}

}  // namespace wave::python
