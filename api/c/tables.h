// Tables of results: columns of numbers in SI units, and in those that were asked for, or of texts.
#pragma once

#include "analysis/tables/row_table.h"
#include "analysis/tables/table.h"
#include "api/include/wave/wave.h"
#include "backend/engine.h"
#include "frontend/lower/lower.h"

#include <cmath>
#include <memory>
#include <string>
#include <vector>

namespace wave::analysis {
struct ReducedTable;
}

namespace wave::api {

// Between base units and SI units: a value in base units is value * multiplier / divisor in SI.
struct SiScale {
  double multiplier = 1, divisor = 1;

  double si(double base) const { return base * multiplier / divisor; }
  // The value in base units. One that is a whole number of them as far as a double of the SI unit can say is exactly
  // that: 5e-6 s are 5 000 000 ps, as of the literal `5 us`.
  double base(double si) const {
    if (multiplier == divisor) return si;
    const double value = si * divisor / multiplier;
    const double whole = nearest_whole(value);
    constexpr double exact = 0x1p53;
    return std::fabs(whole) < exact && this->si(whole) == si ? whole : value;
  }

 private:
  // std::nearbyint() without a call where numbers are not too large for that: batches ask it of every cell.
  static double nearest_whole(double value) {
    constexpr double shift = 0x1.8p52, most = 0x1p51;
    if (!(std::fabs(value) < most)) return std::nearbyint(value);
    const double whole = (value + shift) - shift;
    return whole == value ? value : whole;  // -0.0 stays what it is
  }
};

// What stands above a column, and how its values become those of SI units and back.
struct ColumnHead {
  explicit ColumnHead(analysis::Column column);

  analysis::Column column;
  std::string si_unit;
  SiScale scale;
  int cell = WAVE_REAL;

  wave_column_info info() const;
};

struct TableColumn {
  explicit TableColumn(ColumnHead head) : head(std::move(head)) {}
  ColumnHead head;
  std::vector<double> si, asked;  // `asked` is empty where it is the same
  std::vector<std::int64_t> integers;
  std::vector<const char*> texts;
  std::shared_ptr<const std::vector<std::string>> words;  // where the texts are

  const std::vector<double>& reals(int unit) const { return unit == WAVE_ASKED && !asked.empty() ? asked : si; }
  void add(double base);
  std::size_t size() const;
};

struct Table {
  std::string name, doc, failed;
  frontend::RowsShape shape = frontend::RowsShape::records;
  std::vector<TableColumn> columns;
  std::size_t rows = 0;
  std::vector<std::int32_t> codes;  // of rows, where they can fail

  wave_output_info info() const;
};

using Words = std::shared_ptr<const std::vector<std::string>>;

ColumnHead head_of(const frontend::ColumnInfo& info);
int cell_of(const frontend::TypeRef& type);  // WAVE_REAL ... WAVE_OTHER
int shape_of(frontend::RowsShape shape);

Table table_of(const frontend::OutputInfo& output, const backend::Rows& rows, const Words& words);
Table failed_table(const frontend::OutputInfo& output, std::string failed);
Table table_of(const analysis::RowTable& table);
// The points of a study.
Table table_of(const analysis::ResultTable& points);
// What they were reduced to. What is missing is NaN, 0 or "".
Table table_of(const analysis::ReducedTable& answer);

// The codes of rows: 512 for E0512, 0 of those that did not fail.
void set_codes(const std::vector<analysis::FailedRows>& failed, std::int32_t* codes, std::size_t rows);

}  // namespace wave::api
