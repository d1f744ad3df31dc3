// Fills tables and lays them out as vectors.
#include "backend/jit/lanes/strip_quanta.h"
#include "backend/jit/lanes/strip_worker.h"
#include "backend/jit/lanes/thresholds.h"

#include <algorithm>
#include <bit>
#include <cstdlib>
#include <numeric>

namespace wave::jit::lanes {

// Fills the tables that are periodic, or those that are not. A failure is ignored here: scalar code finds out whether a
// cell needs the value.
bool StripEvaluation::fill(bool periodic, std::vector<std::vector<Word>>& raw) {
  std::vector<Word> arguments(TableArguments::table(static_cast<std::uint32_t>(raw.size())), 0);
  arguments[TableArguments::quantum] = std::bit_cast<Word>(quantum_);
  arguments[TableArguments::inverse] = std::bit_cast<Word>(quantum_ == 0 ? 0.0 : 1 / quantum_);
  for (std::uint32_t axis = 0; axis < rank_; ++axis)
    arguments[TableArguments::firsts + axis] = static_cast<Word>(group_.first[axis]);
  for (std::uint32_t number = 0; number < raw.size(); ++number) {
    const StripTable& table = tables_->tables[number];
    Word* const words = &arguments[TableArguments::table(number)];
    words[1] = 1;  // nothing is asked for: the first index comes after the last
    if ((table.span == Span::periodic) != periodic || table.span == Span::cell) continue;
    std::int64_t size = 1;
    std::uint32_t bounds = 1;
    words[1] = 0;
    for (const std::uint32_t axis : axes_of(table.span, plan_)) {
      const std::int64_t period = axis == plan_.row_axis ? row_period_ : column_period_;
      const std::int64_t indices = periodic ? std::min(period, extent(axis)) : extent(axis);
      words[bounds++] = static_cast<Word>(group_.first[axis]);
      words[bounds++] = static_cast<Word>(group_.first[axis] + indices - 1);
      size *= indices;
    }
    if (!claim(static_cast<double>(size))) return false;
    raw[number].assign(static_cast<std::size_t>(size), 0);
    words[0] = reinterpret_cast<Word>(raw[number].data());
    const bool is_needed =
        !table.values.empty() &&
        (table.offset.empty() || ir::has_source(system_[events_.space], table.offset, group_.first, group_.last));
    if (!is_needed) words[1] = 1, words[2] = 0;
  }
  if (code_.fill_tables(&run_.context_, run_.record(), arguments.data()) == done) return true;
  run_.forget_failure();
  reason_ = "a scalar of its cells fails";
  return false;
}

bool StripEvaluation::fill_tables() {
  const std::size_t count = tables_->tables.size();
  std::vector<std::vector<Word>> raw(count);
  if (!fill(false, raw)) return false;
  if (tables_->periodic() && (!find_periods(raw) || !fill(true, raw))) return false;
  table_.resize(count);
  table_values_.resize(count);
  for (std::uint32_t number = 0; number < count; ++number) {
    if (shape_.quanta && tables_->tables[number].rounded) count_quanta(raw[number]);
    if (!spread(number, raw[number])) return false;
  }
  return true;
}

void StripEvaluation::count_quanta(std::vector<Word>& weights) const {
  const double inverse = 1 / quantum_;
  for (Word& weight : weights) weight = static_cast<Word>(quanta::number_of(std::bit_cast<double>(weight), inverse));
}

// The least common multiples; false where tables would be too large.
bool StripEvaluation::find_periods(const std::vector<std::vector<Word>>& raw) {
  const auto common = [&](const std::vector<std::uint32_t>& moduli, std::int64_t& period) {
    period = 1;
    for (const std::uint32_t table : moduli) {
      const auto modulus = static_cast<std::int64_t>(raw[table].front());
      if (modulus == 0 || modulus < -longest_period || modulus > longest_period) return false;
      period = std::lcm(period, std::abs(modulus));
      if (period > longest_period) return false;
    }
    return true;
  };
  const bool short_enough = common(tables_->row_moduli, row_period_) &&
                            common(tables_->column_moduli, column_period_) && column_period_ <= most_column_phases;
  const std::int64_t variants = row_period_ / std::gcd(row_period_, extents_.strip_rows);
  if (short_enough && variants * column_period_ * extents_.strip_rows <= most_periodic_words) return true;
  periods_too_long_ = true;
  row_period_ = column_period_ = 1;
  return false;
}

// As vectors: of a strip's rows, or of the columns that the rows of a vector are at together.
bool StripEvaluation::spread(std::uint32_t number, const std::vector<Word>& raw) {
  const Span span = tables_->tables[number].span;
  if (span == Span::periodic) return spread_periodic(number, raw);
  if (span == Span::once || span == Span::plane) {
    table_values_[number] = raw;
    return true;
  }
  const bool along_rows = span == Span::row;
  const std::uint32_t axis = along_rows ? plan_.row_axis : plan_.column_axis;
  std::vector<Word> turned(raw);
  if (!plan_.rising[axis]) std::reverse(turned.begin(), turned.end());
  const auto count = static_cast<std::int64_t>(turned.size());
  const std::int64_t lanes = shape_.lanes, vectors = shape_.vectors;
  const std::int64_t before = along_rows ? 0 : plan_.skew * (vectors - 1);
  const std::int64_t words = along_rows ? extents_.strips * extents_.strip_rows : (before + extents_.steps) * lanes;
  Table& table = table_[number];
  table.words = allocate(static_cast<double>(words));
  if (!table.words) return false;
  table.base = table.words.get() + before * lanes;
  std::fill_n(table.words.get(), words, Word{0});
  if (along_rows) {
    for (std::int64_t row = 0; row < count;) {
      Word* const strip = table.base + row / extents_.strip_rows * extents_.strip_rows;
      for (std::int64_t lane = 0; lane < lanes; ++lane) {
        for (std::int64_t vector = 0; vector < vectors && row < count; ++vector, ++row)
          strip[vector * lanes + lane] = turned[static_cast<std::size_t>(row)];
      }
    }
    return true;
  }
  for (std::int64_t lane = 0; lane < lanes; ++lane) {
    const std::int64_t later = plan_.skew * vectors * lane;  // this lane is so many columns behind
    const std::int64_t last = std::min(count, extents_.steps - later);
    for (std::int64_t column = 0; column < last; ++column)
      table.base[(column + later) * lanes + lane] = turned[static_cast<std::size_t>(column)];
  }
  return true;
}

// For every remainder that a strip's first row has, in the order of strips, a step for every remainder of steps.
bool StripEvaluation::spread_periodic(std::uint32_t number, const std::vector<Word>& raw) {
  const std::int64_t strip_rows = extents_.strip_rows;
  const std::int64_t variants = std::min(row_period_ / std::gcd(row_period_, strip_rows), extents_.strips);
  const std::int64_t rows = std::min(row_period_, extents_.rows), columns = std::min(column_period_, extents_.columns);
  const auto remainder = [](std::int64_t value, std::int64_t period) { return (value % period + period) % period; };
  const auto from_first = [&](std::uint32_t axis, std::int64_t coordinate) {
    return plan_.rising[axis] ? coordinate : extent(axis) - 1 - coordinate;
  };
  // Of the cell after, modulo the period.
  const auto next_index = [&](std::uint32_t axis, std::int64_t index, std::int64_t period) {
    if (plan_.rising[axis]) return index + 1 == period ? 0 : index + 1;
    return index == 0 ? period - 1 : index - 1;
  };
  // Rows and columns of a period that are not there are 0.
  std::vector<Word> period(static_cast<std::size_t>(row_period_ * column_period_));
  for (std::int64_t row = 0; row < rows; ++row)
    std::copy_n(raw.begin() + row * columns, columns, period.begin() + row * column_period_);
  // Where in a step, from step to step and from strip to strip, the column and the row are.
  std::vector<std::int32_t> column_of(static_cast<std::size_t>(column_period_ * strip_rows)), row_of(strip_rows);
  for (std::int64_t x = 0; x < strip_rows; ++x) {
    std::int64_t column = remainder(from_first(plan_.column_axis, -plan_.skew * x), column_period_);
    for (std::int64_t at = place_in_step(shape_, x); at < column_period_ * strip_rows; at += strip_rows) {
      column_of[static_cast<std::size_t>(at)] = static_cast<std::int32_t>(column);
      column = next_index(plan_.column_axis, column, column_period_);
    }
  }
  Table& table = table_[number];
  table.words = allocate(static_cast<double>(variants * column_period_ * strip_rows));
  if (!table.words) return false;
  table.base = table.words.get();
  Word* next = table.base;
  for (std::int64_t variant = 0; variant < variants; ++variant) {
    std::int64_t row = remainder(from_first(plan_.row_axis, variant * strip_rows), row_period_);
    for (std::int64_t x = 0; x < strip_rows; ++x, row = next_index(plan_.row_axis, row, row_period_)) {
      row_of[static_cast<std::size_t>(place_in_step(shape_, x))] = static_cast<std::int32_t>(row * column_period_);
    }
    for (std::size_t at = 0; at < column_of.size();) {
      for (const std::int32_t row : row_of) *next++ = period[static_cast<std::size_t>(row + column_of[at++])];
    }
  }
  return true;
}

}  // namespace wave::jit::lanes
