// Recurrences: their spaces and events, and how a reference becomes a neighbour or a read.
#pragma once

#include "frontend/lower/parts.h"

#include <map>
#include <string>
#include <vector>

namespace wave::frontend::lowering {

class Recurrences {
 public:
  explicit Recurrences(const Parts& parts)
      : parts_(parts),
        b_(parts.b),
        sites_(parts.sites),
        values_(parts.values),
        expressions_(parts.expressions),
        instances_(parts.instances) {}

  Recurrence& recurrence(Instance& instance, const Item& declaration);
  Symbolic read(const value::Event& event, const std::vector<Symbolic>& indices, const Scope& scope, Place place);
  // Extents of a grid's axes.
  std::vector<ir::ValueId> extents(const value::Grid& grid);

 private:
  void lower_recurrence(Recurrence& recurrence);

  const Parts& parts_;
  ir::Builder& b_;
  Sites& sites_;
  Values& values_;
  Expressions& expressions_;
  Instances& instances_;
  std::map<std::string, ir::SpaceId> spaces_;
};

}  // namespace wave::frontend::lowering
