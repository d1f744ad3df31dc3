// What messages of some size cost on a machine, which is what one compares with a ping-pong first.
#pragma once

#include "frontend/lower/parts.h"

#include <string>
#include <vector>

namespace wave::frontend::lowering {

class MessageCosts {
 public:
  MessageCosts(const Parts& parts, Instance& machine, const CostOf& of);

  // Size, send, receive, total and protocol.
  static std::vector<ColumnInfo> columns();
  std::vector<ir::ValueId> row(const ValuePtr& size, Location location);

 private:
  ir::ValueId cost(const std::string& end, const ValuePtr& size, Location location);

  const Parts& parts_;
  Instance& machine_;
  const CostOf& of_;
  ir::ValueId within_;
};

}  // namespace wave::frontend::lowering
