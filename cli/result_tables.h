// Tables of results that are not outputs of a model (counts, breakdowns), written in the same way as outputs.
#pragma once

#include "cli/results.h"

#include <memory>
#include <string>
#include <vector>

namespace wave::cli {

frontend::TypeRef text_type();
frontend::TypeRef count_type();
frontend::TypeRef data_type();
frontend::TypeRef time_type();
frontend::TypeRef work_type();
frontend::TypeRef plain_type();  // a number without a dimension

// Adds to `results`, which points into this object.
class ResultTables {
 public:
  explicit ResultTables(Results& results) : results_(results) {}

  void begin_table(const std::string& name, std::vector<frontend::ColumnInfo> columns, const std::string& doc);
  void begin_record(const std::string& name, std::vector<frontend::ColumnInfo> columns, const std::string& doc);
  void row(const std::vector<ir::Scalar>& cells);
  ir::Scalar text(const std::string& text);

 private:
  void begin(const std::string& name, frontend::RowsShape shape, std::vector<frontend::ColumnInfo> columns,
             const std::string& doc);

  Results& results_;
  std::vector<std::unique_ptr<frontend::OutputInfo>> infos_;
};

}  // namespace wave::cli
