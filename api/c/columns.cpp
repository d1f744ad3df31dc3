// See columns.h.
#include "api/c/columns.h"

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
Cell cell_at(const wave_column& column, std::size_t row) {
  Cell cell;
  const auto* const first = static_cast<const char*>(column.data);
  std::memcpy(&cell, first + static_cast<std::ptrdiff_t>(row) * step_of(column.cell, column.stride), sizeof cell);
  return cell;
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
  return head.base(value);
}

// The ordinal of a word of a choice, or of a string among words that grow.
class Ordinals {
 public:
  Ordinals(const wave_column& column, const frontend::TypeRef& type, Prepared* prepared)
      : column_(column), choice_(std::get_if<types::Choice>(&type->kind)), prepared_(prepared) {}

  std::int64_t at(std::size_t row) {
    const char* const text = cell_at<const char*>(column_, row);
    if (!text) refuse_cell(column_, row, "is a null pointer");
    const auto [found, is_new] = known_.try_emplace(text, 0);
    if (is_new) found->second = choice_ ? word(text, row) : prepared_->scalar(std::string(text)).integer;
    return found->second;
  }

 private:
  std::int64_t word(const std::string& text, std::size_t row) const {
    for (std::size_t i = 0; i < choice_->words.size(); ++i) {
      if (choice_->words[i] == text) return static_cast<std::int64_t>(i);
    }
    refuse_cell(column_, row, "is `" + text + "`, which is none of " + frontend::quoted_list(choice_->words));
  }

  const wave_column& column_;
  const types::Choice* choice_;
  Prepared* prepared_;
  std::unordered_map<std::string, std::int64_t> known_;
};

void check_type(const wave_column& column, const frontend::TypeRef& type) {
  const int wanted = cell_of(type);
  const bool is_fitting = wanted == column.cell || (wanted == WAVE_REAL && column.cell == WAVE_INTEGER);
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

void write_reals(const wave_target& target, const std::vector<double>& values, const ColumnHead& head) {
  const bool is_asked = target.unit == WAVE_ASKED;
  const double multiplier = is_asked ? head.column.multiplier : head.si_multiplier;
  const double divisor = is_asked ? head.column.divisor : head.si_divisor;
  for (std::size_t row = 0; row < values.size(); ++row) put(target, row, values[row] * multiplier / divisor);
}

void write_words(const wave_target& target, const analysis::Cells& cells, const Words& words) {
  const auto& ordinals = std::get<std::vector<std::int64_t>>(cells.values);
  for (std::size_t row = 0; row < ordinals.size(); ++row) {
    const auto at = static_cast<std::size_t>(ordinals[row]);
    put<const char*>(target, row, at < words->size() ? (*words)[at].c_str() : nullptr);
  }
  for (const std::uint64_t row : cells.missing) put<const char*>(target, row, nullptr);
}

}  // namespace

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

Number number_in(const wave_column& column, const frontend::TypeRef& type, const ColumnHead& head, std::size_t row) {
  check_type(column, type);
  switch (cell_of(type)) {
    case WAVE_REAL: return real_in(column, head, row);
    case WAVE_INTEGER: return cell_at<std::int64_t>(column, row);
    case WAVE_BOOLEAN: return cell_at<unsigned char>(column, row) != 0;
    default: break;
  }
  if (std::holds_alternative<types::String>(type->kind)) return std::string();
  return Ordinals(column, type, nullptr).at(row);
}

backend::InputColumn ReadColumns::read(const wave_column& column, const frontend::TypeRef& type, const ColumnHead& head,
                                       Prepared& prepared) {
  check_type(column, type);
  if (cell_of(type) == WAVE_REAL) {
    auto& values = reals_.emplace_back(column.count);
    for (std::size_t row = 0; row < column.count; ++row) values[row] = real_in(column, head, row);
    return std::span<const double>(values);
  }
  auto& values = integers_.emplace_back(column.count);
  Ordinals ordinals(column, type, &prepared);
  for (std::size_t row = 0; row < column.count; ++row) {
    switch (column.cell) {
      case WAVE_INTEGER: values[row] = cell_at<std::int64_t>(column, row); break;
      case WAVE_BOOLEAN: values[row] = cell_at<unsigned char>(column, row) != 0; break;
      default: values[row] = ordinals.at(row); break;
    }
  }
  return std::span<const std::int64_t>(values);
}

void write_target(const wave_target& target, const analysis::Cells& cells, const ColumnHead& head, const Words& words) {
  if (const auto* const reals = std::get_if<std::vector<double>>(&cells.values)) {
    write_reals(target, *reals, head);
    return;
  }
  if (target.cell == WAVE_TEXT) return write_words(target, cells, words);
  const auto& values = std::get<std::vector<std::int64_t>>(cells.values);
  for (std::size_t row = 0; row < values.size(); ++row) {
    if (target.cell == WAVE_REAL)
      put(target, row, static_cast<double>(values[row]));
    else if (target.cell == WAVE_BOOLEAN)
      put(target, row, static_cast<unsigned char>(values[row] != 0));
    else
      put(target, row, values[row]);
  }
  if (target.cell != WAVE_REAL) return;
  for (const std::uint64_t row : cells.missing) put(target, row, std::numeric_limits<double>::quiet_NaN());
}

}  // namespace wave::api
