// See columns.h.
#include "api/c/columns.h"

#include <fmt/format.h>

#include <cmath>
#include <cstring>
#include <limits>
#include <unordered_map>

namespace wave::api {
namespace {

namespace types = frontend::types;

std::string in_ticks(const char* name) { return std::string("`") + name + "`"; }

std::size_t size_of(int cell) {
  switch (cell) {
    case WAVE_REAL: return sizeof(double);
    case WAVE_INTEGER: return sizeof(std::int64_t);
    case WAVE_BOOLEAN: return sizeof(unsigned char);
    case WAVE_TEXT: return sizeof(const char*);
    default: return 0;
  }
}

std::ptrdiff_t step_of(int cell, std::ptrdiff_t stride) {
  return stride != 0 ? stride : static_cast<std::ptrdiff_t>(size_of(cell));
}

// Cells may stand anywhere, so they are copied byte by byte.
template <class Cell>
class StridedCells {
 public:
  explicit StridedCells(const wave_column& column)
      : first_(static_cast<const char*>(column.data)), step_(step_of(column.cell, column.stride)) {}
  Cell operator[](std::size_t row) const {
    Cell cell;
    std::memcpy(&cell, first_ + static_cast<std::ptrdiff_t>(row) * step_, sizeof cell);
    return cell;
  }

 private:
  const char* first_;
  std::ptrdiff_t step_;
};

template <class Cell>
Cell cell_at(const wave_column& column, std::size_t row) {
  return StridedCells<Cell>(column)[row];
}

[[noreturn]] void refuse_cell(const wave_column& column, std::size_t row, const std::string& why) {
  throw Misuse{"row " + std::to_string(row) + " of column " + in_ticks(column.name) + " " + why};
}

[[noreturn]] void refuse_type(const wave_column& column, const frontend::TypeRef& type) {
  throw Misuse{"column " + in_ticks(column.name) + " has cells of another type than the parameter, which is of type " +
               to_string(*type)};
}

double real_in(const wave_column& column, const ColumnHead& head, std::size_t row) {
  const double value =
      column.cell == WAVE_REAL ? cell_at<double>(column, row) : static_cast<double>(cell_at<std::int64_t>(column, row));
  if (!std::isfinite(value)) refuse_cell(column, row, "is no finite number");
  return head.scale.base(value);
}

// Of a column of whole numbers, or of doubles that are whole.
std::int64_t whole_in(const wave_column& column, std::size_t row) {
  if (column.cell == WAVE_INTEGER) return cell_at<std::int64_t>(column, row);
  const auto value = cell_at<double>(column, row);
  if (!is_whole(value)) refuse_cell(column, row, fmt::format("is {}, which is no whole number of 64 bits", value));
  return static_cast<std::int64_t>(value);
}

void check_type(const wave_column& column, const frontend::TypeRef& type) {
  const int wanted = cell_of(type);
  const auto is_number = [](int cell) { return cell == WAVE_REAL || cell == WAVE_INTEGER; };
  const bool is_fitting = wanted == column.cell || (is_number(wanted) && is_number(column.cell));
  if (wanted == WAVE_OTHER)
    throw Misuse{"column " + in_ticks(column.name) + ": a parameter of type " + to_string(*type) + " cannot vary",
                 "set it with wave_model_set() before the batch is made"};
  if (!is_fitting) refuse_type(column, type);
}

template <class Value>
void put(const wave_target& target, std::size_t row, Value value) {
  auto* const first = static_cast<char*>(target.data);
  std::memcpy(first + static_cast<std::ptrdiff_t>(row) * step_of(target.cell, target.stride), &value, sizeof value);
}

void write_reals(const wave_target& target, std::size_t begin, const std::vector<double>& values,
                 const ColumnHead& head) {
  const bool is_asked = target.unit == WAVE_ASKED;
  const double multiplier = is_asked ? head.column.multiplier : head.scale.multiplier;
  const double divisor = is_asked ? head.column.divisor : head.scale.divisor;
  for (std::size_t row = 0; row < values.size(); ++row) put(target, begin + row, values[row] * multiplier / divisor);
}

void write_words(const wave_target& target, std::size_t begin, const analysis::Cells& cells, const Words& words) {
  const auto& ordinals = std::get<std::vector<std::int64_t>>(cells.values);
  for (std::size_t row = 0; row < ordinals.size(); ++row) {
    const auto at = static_cast<std::size_t>(ordinals[row]);
    put<const char*>(target, begin + row, at < words->size() ? (*words)[at].c_str() : nullptr);
  }
  for (const std::uint64_t row : cells.missing) put<const char*>(target, begin + row, nullptr);
}

}  // namespace

bool is_whole(double value) {
  constexpr double beyond = 0x1p63;
  return value >= -beyond && value < beyond && std::trunc(value) == value;
}

void check_column(const wave_column& column, std::size_t rows) {
  need(column.name, "columns.name");
  if (size_of(column.cell) == 0)
    throw Misuse{"column " + in_ticks(column.name) + " has no type of cells: `cell` is " + std::to_string(column.cell)};
  if (rows > 0 && !column.data) throw Misuse{"the data of column " + in_ticks(column.name) + " are a null pointer"};
  if (column.count != rows)
    throw Misuse{"column " + in_ticks(column.name) + " has " + std::to_string(column.count) + " cells for " +
                 std::to_string(rows) + " rows"};
}

void check_target(const wave_target& target, std::size_t rows) {
  need(target.name, "targets.name");
  if (size_of(target.cell) == 0)
    throw Misuse{"target " + in_ticks(target.name) + " has no type of cells: `cell` is " + std::to_string(target.cell)};
  if (target.unit != WAVE_SI && target.unit != WAVE_ASKED)
    throw Misuse{"target " + in_ticks(target.name) + ": `unit` is " + std::to_string(target.unit) +
                 ", WAVE_SI or WAVE_ASKED may be"};
  if (rows > 0 && !target.data) throw Misuse{"the data of target " + in_ticks(target.name) + " are a null pointer"};
  if (target.count != rows)
    throw Misuse{"target " + in_ticks(target.name) + " has room for " + std::to_string(target.count) +
                 " cells, not for " + std::to_string(rows) + " rows"};
}

std::string cell_text(const wave_column& column, std::size_t row, bool may_be_missing) {
  if (column.cell == WAVE_INTEGER) return std::to_string(cell_at<std::int64_t>(column, row));
  if (column.cell == WAVE_BOOLEAN) return cell_at<unsigned char>(column, row) != 0 ? "true" : "false";
  if (column.cell == WAVE_REAL) {
    const double value = cell_at<double>(column, row);
    if (may_be_missing && std::isnan(value)) return "";
    if (!std::isfinite(value)) refuse_cell(column, row, "is no finite number");
    return fmt::format("{}", value);
  }
  const char* const text = cell_at<const char*>(column, row);
  if (!text) refuse_cell(column, row, "is a null pointer");
  if (std::strpbrk(text, "\r\n")) refuse_cell(column, row, "has a line break in it");
  return text;
}

Number number_in(const wave_column& column, const frontend::TypeRef& type, const ColumnHead& head, std::size_t row) {
  check_type(column, type);
  switch (cell_of(type)) {
    case WAVE_REAL: return real_in(column, head, row);
    case WAVE_INTEGER: return whole_in(column, row);
    case WAVE_BOOLEAN: return cell_at<unsigned char>(column, row) != 0;
    default: break;
  }
  if (std::holds_alternative<types::String>(type->kind)) return std::string();
  return Ordinals(column, type, nullptr).at(row);
}

Ordinals::Ordinals(const wave_column& column, const frontend::TypeRef& type, Prepared* prepared)
    : column_(column), choice_(std::get_if<types::Choice>(&type->kind)), prepared_(prepared) {}

std::int64_t Ordinals::at(std::size_t row) {
  const char* const text = cell_at<const char*>(column_, row);
  if (!text) refuse_cell(column_, row, "is a null pointer");
  const auto [found, is_new] = known_.try_emplace(text, 0);
  if (is_new) found->second = choice_ ? word(text, row) : prepared_->scalar(std::string(text)).integer;
  return found->second;
}

std::int64_t Ordinals::word(const std::string& text, std::size_t row) const {
  for (std::size_t i = 0; i < choice_->words.size(); ++i) {
    if (choice_->words[i] == text) return static_cast<std::int64_t>(i);
  }
  refuse_cell(column_, row, "is `" + text + "`, which is none of " + frontend::quoted_list(choice_->words));
}

ColumnReader::ColumnReader(const wave_column& column, const frontend::TypeRef& type, const ColumnHead& head,
                           Prepared& prepared)
    : column_(column), head_(head), is_real_(cell_of(type) == WAVE_REAL), ordinals_(column, type, &prepared) {
  check_type(column, type);
}

// Whole numbers that lie as a batch takes them are not copied.
std::optional<std::span<const std::int64_t>> ColumnReader::in_place(std::size_t begin, std::size_t end) const {
  const bool is_packed = column_.cell == WAVE_INTEGER && step_of(column_.cell, column_.stride) == sizeof(std::int64_t);
  const bool is_aligned = reinterpret_cast<std::uintptr_t>(column_.data) % alignof(std::int64_t) == 0;
  if (is_real_ || !is_packed || !is_aligned) return std::nullopt;
  return std::span(static_cast<const std::int64_t*>(column_.data), column_.count).subspan(begin, end - begin);
}

backend::InputColumn ColumnReader::read(std::size_t begin, std::size_t end) {
  if (const auto cells = in_place(begin, end)) return *cells;
  if (!is_real_) {
    read_integers(begin, end);
    return std::span<const std::int64_t>(integers_);
  }
  if (column_.cell == WAVE_REAL)
    read_reals<double>(begin, end);
  else
    read_reals<std::int64_t>(begin, end);
  return std::span<const double>(reals_);
}

template <class Cell>
void ColumnReader::read_reals(std::size_t begin, std::size_t end) {
  reals_.resize(end - begin);
  const SiScale scale = head_.scale;  // of its own, since what is written below might change that of the head
  const StridedCells<Cell> cells(column_);
  double sum = 0;  // NaN in the end where one of them is not finite
  for (std::size_t row = begin; row < end; ++row) {
    const auto value = static_cast<double>(cells[row]);
    sum += value - value;
    reals_[row - begin] = scale.base(value);
  }
  if (sum == 0) return;
  for (std::size_t row = begin; row < end; ++row) real_in(column_, head_, row);  // says which it is
}

void ColumnReader::read_integers(std::size_t begin, std::size_t end) {
  integers_.resize(end - begin);
  for (std::size_t i = 0; i < integers_.size(); ++i) {
    switch (column_.cell) {
      case WAVE_INTEGER:
      case WAVE_REAL: integers_[i] = whole_in(column_, begin + i); break;
      case WAVE_BOOLEAN: integers_[i] = cell_at<unsigned char>(column_, begin + i) != 0; break;
      default: integers_[i] = ordinals_.at(begin + i); break;
    }
  }
}

void write_target(const wave_target& target, std::size_t begin, const analysis::Cells& cells, const ColumnHead& head,
                  const Words& words) {
  if (const auto* const reals = std::get_if<std::vector<double>>(&cells.values)) {
    write_reals(target, begin, *reals, head);
    return;
  }
  if (target.cell == WAVE_TEXT) return write_words(target, begin, cells, words);
  const auto& values = std::get<std::vector<std::int64_t>>(cells.values);
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (target.cell == WAVE_REAL)
      put(target, begin + i, static_cast<double>(values[i]));
    else if (target.cell == WAVE_BOOLEAN)
      put(target, begin + i, static_cast<unsigned char>(values[i] != 0));
    else
      put(target, begin + i, values[i]);
  }
  if (target.cell != WAVE_REAL) return;
  for (const std::uint64_t row : cells.missing) put(target, begin + row, std::numeric_limits<double>::quiet_NaN());
}

}  // namespace wave::api
