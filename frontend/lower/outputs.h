// What is asked for: outputs of a model, expectations of tests, and the counts of `flops` blocks.
#pragma once

#include "frontend/lower/lower.h"
#include "frontend/lower/parts.h"

#include <memory>
#include <vector>

namespace wave::frontend::lowering {

class Outputs {
 public:
  explicit Outputs(const Parts& parts) : parts_(parts), b_(parts.b), instances_(parts.instances) {}

  OutputInfo output(Instance& instance, const Item& item);
  TestInfo test(const Item& item);
  void list_flops(const std::vector<std::unique_ptr<Item>>& items, Instance* owner, std::vector<FlopsInfo>& into);

 private:
  const Parts& parts_;
  ir::Builder& b_;
  Instances& instances_;
};

}  // namespace wave::frontend::lowering
