// Which definitions need which, and those that need themselves.
#pragma once

#include "frontend/check/context.h"

#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace wave::frontend::check {

class Dependences {
 public:
  explicit Dependences(const Parts& parts) : context_(parts.context), reports_(parts.reports) {}

  // The item that is checked needs this one; null: all protocols of the machine around, for a cost that follows from
  // them.
  void depends_on(const Item* item);
  void report_cycles();
  void report_cycle(const std::vector<const Item*>& cycle);

 private:
  Context& context_;
  Reports& reports_;
  std::unordered_map<const Item*, std::vector<const Item*>> dependences_;
  std::unordered_set<const Item*> in_reported_cycle_;
};

}  // namespace wave::frontend::check
