// What is asked for: outputs of a model, expectations of tests, and the counts of `flops` blocks.
#pragma once

#include "frontend/lower/parts.h"

#include <memory>
#include <vector>

namespace wave::frontend::lowering {

class Outputs {
 public:
  explicit Outputs(const Parts& parts) : parts_(parts) {}

  OutputInfo output(Instance& instance, const Item& item);
  TestInfo test(const Item& item);
  void list_flops(const std::vector<std::unique_ptr<Item>>& items, Instance* owner, std::vector<FlopsInfo>& into);

 private:
  const Parts& parts_;
  ir::Builder& b_ = parts_.b;
  Instances& instances_ = parts_.instances;
};

// A record that holds records may have more columns than anybody can show, 2^n of n that hold the next one twice. They
// are counted before one is made.
void refuse_too_many_columns(const Parts& parts, const TypeRef& type, Location location);

// Appends the columns of a value of this type: one, or the fields of a record. False if a part is no scalar.
bool add_columns(const TypeRef& type, const std::string& name, const std::optional<Unit>& unit,
                 std::vector<ColumnInfo>& columns);

// Appends the cells of a value, as many as its type has columns.
void add_cells(const Parts& parts, const ValuePtr& value, const TypeRef& type, Location location,
               std::vector<ir::ValueId>& cells);

// Gives `info` and its root the columns and cells of a value: one, a record, or a list of these.
void add_value(const Parts& parts, const ValuePtr& value, const TypeRef& type, const std::optional<Unit>& unit,
               Location location, OutputInfo& info, ir::Root& root);

// A block of rows for some iterations. A guard without a loop becomes a loop of one round.
ir::RowBlock block_of(const Parts& parts, const Iteration& iteration, std::vector<ir::ValueId> cells,
                      Location location);

// The type of a list's elements; null for anything else.
TypeRef element_type(const TypeRef& list);

}  // namespace wave::frontend::lowering
