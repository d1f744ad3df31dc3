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

Fields described(const wave_output_info& info) {
  Fields all;
  all["name"] = info.name;
  all["doc"] = info.doc;
  all["shape"] = info.shape;
  all["columns"] = info.columns;
  all["rows"] = info.rows;
  all["failed"] = info.failed ? info.failed : "";
  return all;
}

Fields described(const wave_column_info& info) {
  Fields all;
  all["name"] = info.name;
  all["unit"] = info.unit;
  all["asked_unit"] = info.asked_unit;
  all["cell"] = info.cell;
  all["dimension"] = py::make_tuple(info.time, info.data, info.work);
  return all;
}

template <class Cells>
auto first(const Cells& cells) {
  if (cells.count == 0) throw py::index_error("this column has no rows");
  return *cells.values;
}

}  // namespace

py::buffer_info Numbers::info() const {
  static const double none = 0;  // a column without rows has no memory
  const auto shape = static_cast<py::ssize_t>(count), stride = static_cast<py::ssize_t>(size);
  return {const_cast<void*>(count > 0 ? values : &none), stride, format, 1, {shape}, {stride}, true};
}

wave_result_info Result::info() const {
  wave_result_info info{};
  info.size = sizeof info;
  checked([&](auto error) { return wave_result_describe(get(), &info, error); });
  return info;
}

template <class T>
Result::Cells<T> Result::cells(std::size_t output, std::size_t column, int cell, int unit) const {
  const void* values = nullptr;
  std::size_t count = 0;
  checked([&](auto error) { return wave_result_cells(get(), output, column, cell, unit, &values, &count, error); });
  return {static_cast<const T*>(values), count};
}

template <class T>
Numbers Result::numbers(const Cells<T>& cells, const char* format) const {
  return {result_, cells.values, cells.count, sizeof(T), format};
}

Fields Result::output(std::size_t index) const {
  wave_output_info info{};
  info.size = sizeof info;
  checked([&](auto error) { return wave_result_output(get(), index, &info, error); });
  return described(info);
}

std::size_t Result::find(const std::string& name) const {
  std::size_t index = 0;
  checked([&](auto error) { return wave_result_find(get(), name.c_str(), &index, error); });
  return index;
}

Fields Result::column(std::size_t output, std::size_t column) const {
  return described(column_info(get(), output, column));
}

double Result::real(std::size_t output, std::size_t column, int unit) const {
  return first(cells<double>(output, column, WAVE_REAL, unit));
}

Cell Result::cell(std::size_t output, std::size_t column, int unit) const {
  const int cell = column_info(get(), output, column).cell;
  if (cell == WAVE_TEXT) return py::str(first(cells<const char*>(output, column, WAVE_TEXT)));
  if (cell == WAVE_REAL) return py::float_(real(output, column, unit));
  const std::int64_t value = first(cells<std::int64_t>(output, column, WAVE_INTEGER));
  if (cell == WAVE_BOOLEAN) return py::bool_(value != 0);
  return py::int_(value);
}

Numbers Result::reals(std::size_t output, std::size_t column, int unit) const {
  return numbers(cells<double>(output, column, WAVE_REAL, unit), "d");
}

Numbers Result::integers(std::size_t output, std::size_t column) const {
  static_assert(sizeof(long) == sizeof(std::int64_t));  // NumPy shows arrays of `q` as another type than its int64
  return numbers(cells<std::int64_t>(output, column, WAVE_INTEGER), "l");
}

std::vector<std::string> Result::texts(std::size_t output, std::size_t column) const {
  const auto texts = cells<const char*>(output, column, WAVE_TEXT);
  return {texts.values, texts.values + texts.count};
}

std::optional<Numbers> Result::codes(std::size_t output) const {
  Cells<std::int32_t> codes{};
  checked([&](auto error) { return wave_result_codes(get(), output, &codes.values, &codes.count, error); });
  if (!codes.values) return std::nullopt;
  return numbers(codes, "i");
}

}  // namespace wave::python
