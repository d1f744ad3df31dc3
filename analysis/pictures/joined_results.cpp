// See joined_results.h.
#include "analysis/pictures/joined_results.h"

#include "analysis/pictures/column_reader.h"
#include "analysis/pictures/series_names.h"
#include "analysis/study/sampled.h"
#include "base/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <set>

namespace wave::analysis::pictures {

namespace {

constexpr std::size_t most_names_in_title = 3;

// Where a name ends: at a comma outside of brackets and quotes.
std::size_t end_of_name(const std::string& text, std::size_t begin) {
  int depth = 0;
  bool is_quoted = false;
  for (std::size_t i = begin; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '"') is_quoted = !is_quoted;
    if (is_quoted) continue;
    if (c == '(' || c == '[' || c == '{') ++depth;
    if (c == ')' || c == ']' || c == '}') --depth;
    if (c == ',' && depth <= 0) return i;
  }
  return text.size();
}

std::string trimmed(const std::string& text) {
  const auto first = text.find_first_not_of(" \t\n"), last = text.find_last_not_of(" \t\n");
  return first == std::string::npos ? "" : text.substr(first, last - first + 1);
}

std::string kind_of(const ResultColumn& column) {
  const auto dimension = dimension_of(column);
  return dimension.plain() ? "a plain number" : "of " + to_string(dimension);
}

// Why they are not the results of one axis; empty if they are.
std::string why_not_joined(const ResultTable& table, const std::vector<std::string>& names) {
  const ResultColumn& first = *find_column(table, names.front());
  for (const std::string& name : names) {
    const ResultColumn& column = *find_column(table, name);
    if (ColumnReader(column).is_category()) return fmt::format("`{}` is no number", name);
    if (dimension_of(column) == dimension_of(first)) continue;
    return fmt::format("`{}` is {} and `{}` {}, which share no axis: draw each in a picture of its own", names.front(),
                       kind_of(first), name, kind_of(column));
  }
  if (std::set<std::string>(names.begin(), names.end()).size() < names.size()) return "a result is named twice";
  return "";
}

// The cells of `column` once more for each repetition.
ResultColumn repeated(const ResultColumn& column, std::size_t rows, std::size_t times) {
  ResultColumn all = column;
  all.missing.clear();
  std::visit([&](auto& values) { values.clear(), values.reserve(rows * times); }, all.values);
  for (std::size_t i = 0; i < times; ++i) {
    std::visit(
        [&](auto& values) {
          const auto& own = std::get<std::decay_t<decltype(values)>>(column.values);
          values.insert(values.end(), own.begin(), own.end());
        },
        all.values);
    for (const std::uint64_t row : column.missing) all.missing.push_back(row + i * rows);
  }
  return all;
}

// The values of columns, or of what is none, one column after the other.
ResultColumn stacked(const std::vector<const ResultColumn*>& columns, std::size_t rows, const ResultColumn& like,
                     const std::string& name) {
  ResultColumn all;
  all.name = name;
  all.type = like.type;
  all.unit = like.unit;
  std::vector<double> values;
  for (std::size_t i = 0; i < columns.size(); ++i) {
    for (std::size_t row = 0; row < rows; ++row)
      values.push_back(columns[i] ? base_of(*columns[i], row) : std::numeric_limits<double>::quiet_NaN());
    if (!columns[i]) continue;
    for (const std::uint64_t row : columns[i]->missing) all.missing.push_back(row + i * rows);
  }
  all.values = std::move(values);
  return all;
}

// A column that names the result of each row.
ResultColumn names_of_rows(const std::string& name, const std::vector<std::string>& results, std::size_t rows) {
  ResultColumn column;
  column.name = name;
  column.varied = true;
  column.labels = results;
  std::vector<std::int64_t> ordinals;
  for (std::size_t i = 0; i < results.size(); ++i) ordinals.insert(ordinals.end(), rows, static_cast<std::int64_t>(i));
  column.values = std::move(ordinals);
  return column;
}

ResultTable joined_rows(const ResultTable& table, const std::vector<std::string>& names,
                        const std::vector<std::string>& kept, const JoinedResults& as) {
  std::vector<const ResultColumn*> results, lows, highs;
  for (const std::string& name : names) {
    results.push_back(find_column(table, name));
    const auto [low, high] = range_columns(table, name);
    lows.push_back(low);
    highs.push_back(high);
  }
  ResultTable joined;
  joined.rows = table.rows * names.size();
  joined.columns.push_back(names_of_rows(as.results, names, table.rows));
  for (const ResultColumn& column : table.columns) {
    if (column.varied || std::find(kept.begin(), kept.end(), column.name) != kept.end())
      joined.columns.push_back(repeated(column, table.rows, names.size()));
  }
  joined.columns.push_back(stacked(results, table.rows, *results.front(), as.result));
  if (std::any_of(lows.begin(), lows.end(), [](const auto* low) { return low != nullptr; })) {
    joined.columns.push_back(stacked(lows, table.rows, *results.front(), as.result + ".low"));
    joined.columns.push_back(stacked(highs, table.rows, *results.front(), as.result + ".high"));
  }
  return joined;
}

}  // namespace

std::vector<std::string> names_in(const ResultTable& table, const std::string& text) {
  if (find_column(table, text)) return {text};
  std::vector<std::string> names;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = end_of_name(text, begin);
    names.push_back(trimmed(text.substr(begin, end - begin)));
    begin = end + 1;
  }
  return names;
}

std::variant<JoinedResults, std::string> join_results(const ResultTable& table, const std::vector<std::string>& names,
                                                      const std::vector<std::string>& kept) {
  if (const std::string why = why_not_joined(table, names); !why.empty()) return why;
  JoinedResults joined;
  joined.result = names.size() <= most_names_in_title ? join_texts(names, ", ") : "results";
  while (find_column(table, joined.result)) joined.result += "'";
  joined.results = "result";
  while (find_column(table, joined.results) || joined.results == joined.result) joined.results += "'";
  joined.table = joined_rows(table, names, kept, joined);
  return joined;
}

ResultTable join_measurements(const ResultTable& measured, const std::vector<std::string>& names,
                              const JoinedResults& joined) {
  std::vector<std::string> there, others;
  for (const std::string& name : names) {
    if (find_column(measured, name)) there.push_back(name);
  }
  for (const ResultColumn& column : measured.columns) others.push_back(column.name);
  return there.empty() ? ResultTable() : joined_rows(measured, there, others, joined);
}

std::pair<const ResultColumn*, const ResultColumn*> range_columns(const ResultTable& table, const std::string& name) {
  constexpr std::string_view mean = ".mean";
  const std::string of = name.ends_with(mean) ? name.substr(0, name.size() - mean.size()) : name;
  if (!find_column(table, of)) return {nullptr, nullptr};
  const ResultColumn *const low = find_column(table, of + ".low"), *const high = find_column(table, of + ".high");
  if (!low || !high || low->varied || high->varied) return {nullptr, nullptr};
  return {low, high};
}

bool is_of_spread(const ResultTable& table, const ResultColumn& column) {
  const auto has_spread = [&](const std::string& name) { return range_columns(table, name).first != nullptr; };
  for (const char* const what : spread_names) {
    const std::string end = std::string(".") + what;
    if (column.name.ends_with(end) && has_spread(column.name.substr(0, column.name.size() - end.size()))) return true;
  }
  const auto is_sampled = [&](const ResultColumn& one) { return has_spread(one.name); };
  return column.name == "samples" && &column == &table.columns.back() &&
         std::any_of(table.columns.begin(), table.columns.end(), is_sampled);
}

}  // namespace wave::analysis::pictures
