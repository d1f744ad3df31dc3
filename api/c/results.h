// What was evaluated: tables that never change.
#pragma once

#include "analysis/tables/table.h"
#include "api/c/errors.h"
#include "api/c/tables.h"

#include <memory>
#include <string>
#include <vector>

namespace wave::api {

class Result final : public Object {
 public:
  static constexpr const char* kind = "result";
  std::vector<Table> tables;
  std::string engine;
  std::shared_ptr<const analysis::ResultTable> points;  // of a study, for plots
  std::shared_ptr<Error> warnings;                      // null: none
  std::shared_ptr<Error> said() override { return warnings; }

  // A single value, "total", or a record's field, "costs.total". Ends the call where there is none.
  const TableColumn& value(const std::string& name) const;
};

// The names of such values, by table and column; both `count` where there is none.
struct ValuePlace {
  std::size_t table = 0, column = 0;
  bool is_found = false;
};
ValuePlace find_value(const std::vector<Table>& tables, const std::string& name);
// Refuses a name that there is not, and says which there are.
[[noreturn]] void refuse_value(const std::vector<Table>& tables, const std::string& name, const char* argument);

}  // namespace wave::api
