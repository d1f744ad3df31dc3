// See row_table.h.
#include "analysis/tables/row_table.h"

#include <memory>
#include <utility>

namespace wave::analysis {
namespace {

namespace types = frontend::types;

frontend::TypeRef make_type(frontend::Type type) { return std::make_shared<const frontend::Type>(std::move(type)); }

}  // namespace

frontend::TypeRef text_type() { return make_type({types::String{}}); }
frontend::TypeRef count_type() { return make_type({types::Int{}}); }
frontend::TypeRef truth_type() { return make_type({types::Bool{}}); }
frontend::TypeRef data_type() { return make_type({types::Real{{0, 1, 0}}}); }
frontend::TypeRef time_type() { return make_type({types::Real{{1, 0, 0}}}); }
frontend::TypeRef work_type() { return make_type({types::Real{{0, 0, 1}}}); }
frontend::TypeRef plain_type() { return make_type({types::Real{}}); }

RowTable record_table(const std::string& name, const std::vector<Field>& fields) {
  RowTable table{name, "", {}, {{}}, frontend::RowsShape::record};
  for (const auto& [column, cell] : fields) {
    table.columns.push_back(column);
    table.rows.front().push_back(cell);
  }
  return table;
}

RowColumn ratio_column(const std::string& name, const Ratio& ratio) {
  return {name, make_type({types::Real{ratio.of / ratio.by}}), {}, ratio};
}

}  // namespace wave::analysis
