// See series_names.h.
#include "analysis/pictures/series_names.h"

#include "base/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace wave::analysis::pictures {

std::vector<ColumnReader> series_columns(const ResultTable& table, const PlotChoice& choice,
                                         const std::string& results) {
  std::vector<ColumnReader> readers;
  const ResultColumn* const x = find_column(table, choice.x);
  for (const ResultColumn& column : table.columns) {
    const bool is_by = choice.by && column.name == *choice.by;
    // If x is itself computed from what varies, everything that varies lies along it.
    const bool is_other = column.varied && column.name != choice.x && x && x->varied;
    if ((!is_by && !is_other) || column.name == results) continue;
    ColumnReader reader(column);
    if (is_by)
      readers.insert(readers.begin(), reader);
    else if (reader.differs())
      readers.push_back(reader);
  }
  if (!results.empty()) readers.insert(readers.begin(), ColumnReader(*find_column(table, results)));
  return readers;
}

double base_of(const ResultColumn& column, std::size_t row) {
  return std::visit([&](const auto& values) { return static_cast<double>(values.at(row)); }, column.values);
}

SeriesNames::SeriesNames(std::vector<ColumnReader> readers, std::size_t rows) : readers_(std::move(readers)) {
  for (std::size_t row = 0; row < rows; ++row) {
    add(joined(row, &ColumnReader::exact_text), joined(row, &ColumnReader::text),
        is_ordered() ? readers_.front().number(row) : 0);
  }
  if (is_ordered()) sort();
  // Two values that round to one text get all their digits.
  if (std::set<std::string>(names_.begin(), names_.end()).size() < names_.size()) {
    for (const auto& [key, number] : numbers_) names_[number] = key;
  }
}

std::string SeriesNames::title() const {
  std::vector<std::string> titles;
  for (const ColumnReader& reader : readers_) titles.push_back(reader.axis(false).title());
  return join_texts(titles, ", ");
}

std::size_t SeriesNames::of_row(std::size_t row) const { return numbers_.at(joined(row, &ColumnReader::exact_text)); }

std::optional<std::size_t> SeriesNames::of_measurement(const ResultTable& measured, std::size_t row) {
  if (readers_.empty()) return 0;
  std::vector<std::string> exact;
  for (const ColumnReader& reader : readers_) {
    const ResultColumn* const column = find_column(measured, reader.column().name);
    if (!column) return add("measured", "measured", 0);
    const ColumnReader own(*column);
    const bool is_number = !own.is_category() && !reader.is_category();
    // In the unit in which the table has them.
    const double number = is_number ? reader.scale().shown(base_of(*column, row)) : 0;
    exact.push_back(is_number ? fmt::format("{}", number) : own.text(row));
  }
  const auto found = numbers_.find(join_texts(exact, ", "));
  return found == numbers_.end() ? std::nullopt : std::optional(found->second);
}

std::string SeriesNames::joined(std::size_t row, std::string (ColumnReader::*text)(std::size_t) const) const {
  std::vector<std::string> texts;
  for (const ColumnReader& reader : readers_) texts.push_back((reader.*text)(row));
  return join_texts(texts, ", ");
}

std::size_t SeriesNames::add(const std::string& key, const std::string& name, double size) {
  const auto [place, is_new] = numbers_.try_emplace(key, names_.size());
  if (is_new) {
    names_.push_back(name);
    sizes_.push_back(size);
  }
  return place->second;
}

void SeriesNames::sort() {
  std::vector<std::size_t> order(names_.size()), place(names_.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return sizes_[a] < sizes_[b]; });
  std::vector<std::string> sorted;
  for (std::size_t i = 0; i < order.size(); ++i) {
    sorted.push_back(names_[order[i]]);
    place[order[i]] = i;
  }
  names_ = std::move(sorted);
  for (auto& [key, number] : numbers_) number = place[number];
}

}  // namespace wave::analysis::pictures
