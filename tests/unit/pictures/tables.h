// Tables of points and results made by hand.
#pragma once

#include "analysis/tables/table.h"

#include <cmath>
#include <string>
#include <vector>

namespace wave::test {

inline frontend::TypeRef make_type(frontend::Type type) {
  return std::make_shared<const frontend::Type>(std::move(type));
}
inline frontend::TypeRef time_type() { return make_type({frontend::types::Real{{1, 0, 0}}}); }
inline frontend::TypeRef plain_type() { return make_type({frontend::types::Real{}}); }
inline frontend::TypeRef integer_type() { return make_type({frontend::types::Int{}}); }

inline analysis::ResultColumn integers(const std::string& name, std::vector<std::int64_t> values, bool varied = true) {
  analysis::ResultColumn column;
  column.name = name;
  column.type = integer_type();
  column.varied = varied;
  column.values = std::move(values);
  return column;
}

// In ps.
inline analysis::ResultColumn times(const std::string& name, std::vector<double> values, bool varied = false) {
  analysis::ResultColumn column;
  column.name = name;
  column.type = time_type();
  column.varied = varied;
  column.values = std::move(values);
  return column;
}

inline analysis::ResultColumn labelled(const std::string& name, std::vector<std::string> labels,
                                       std::vector<std::int64_t> values) {
  analysis::ResultColumn column = integers(name, std::move(values));
  column.labels = std::move(labels);
  return column;
}

inline analysis::ResultTable table_of(std::vector<analysis::ResultColumn> columns) {
  analysis::ResultTable table;
  table.columns = std::move(columns);
  table.rows = std::visit([](const auto& values) { return values.size(); }, table.columns.front().values);
  return table;
}

constexpr double us = 1e6, ms = 1e9, second = 1e12;

// n = 1, 2, 4, ... 64 on each of two machines. The time is a part that falls as 1 / n plus a part that grows.
inline analysis::ResultTable scaling_table() {
  std::vector<std::int64_t> n, net;
  std::vector<double> total;
  for (std::int64_t machine = 0; machine < 2; ++machine) {
    for (std::int64_t i = 1; i <= 64; i *= 2) {
      net.push_back(machine);
      n.push_back(i);
      total.push_back((machine == 0 ? 1.0 : 1.6) * second / static_cast<double>(i) + 4 * ms * static_cast<double>(i));
    }
  }
  return table_of({labelled("net", {"SP2()", "SP2_C()"}, net), integers("n", n), times("total", total)});
}

}  // namespace wave::test
