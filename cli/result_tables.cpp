// See result_tables.h.
#include "cli/result_tables.h"

namespace wave::cli {

namespace {

namespace types = frontend::types;

frontend::TypeRef make_type(frontend::Type type) { return std::make_shared<const frontend::Type>(std::move(type)); }

}  // namespace

frontend::TypeRef text_type() { return make_type({types::String{}}); }
frontend::TypeRef count_type() { return make_type({types::Int{}}); }
frontend::TypeRef data_type() { return make_type({types::Real{{0, 1, 0}}}); }
frontend::TypeRef time_type() { return make_type({types::Real{{1, 0, 0}}}); }
frontend::TypeRef work_type() { return make_type({types::Real{{0, 0, 1}}}); }
frontend::TypeRef plain_type() { return make_type({types::Real{}}); }

void ResultTables::begin(const std::string& name, frontend::RowsShape shape, std::vector<frontend::ColumnInfo> columns,
                         const std::string& doc) {
  infos_.push_back(std::make_unique<frontend::OutputInfo>());
  frontend::OutputInfo& info = *infos_.back();
  info.name = name;
  info.doc = doc;
  info.shape = shape;
  info.columns = std::move(columns);
  OutputResult result;
  result.info = &info;
  result.rows.columns = info.columns.size();
  results_.outputs.push_back(std::move(result));
}

void ResultTables::begin_table(const std::string& name, std::vector<frontend::ColumnInfo> columns,
                               const std::string& doc) {
  begin(name, frontend::RowsShape::records, std::move(columns), doc);
}

void ResultTables::begin_record(const std::string& name, std::vector<frontend::ColumnInfo> columns,
                                const std::string& doc) {
  begin(name, frontend::RowsShape::record, std::move(columns), doc);
}

void ResultTables::row(const std::vector<ir::Scalar>& cells) {
  auto& all = results_.outputs.back().rows.cells;
  all.insert(all.end(), cells.begin(), cells.end());
}

ir::Scalar ResultTables::text(const std::string& text) {
  results_.words.push_back(text);
  return ir::Scalar::of(static_cast<std::int64_t>(results_.words.size()) - 1);
}

}  // namespace wave::cli
