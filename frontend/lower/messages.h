// What a message costs, and what it does at both ends: which protocol it takes, whose ends are run against each other
// (language.md, section 4).
#pragma once

#include "frontend/lower/parts.h"

#include <map>
#include <string>
#include <vector>

namespace wave::frontend::lowering {

class Messages {
 public:
  explicit Messages(const Parts& parts)
      : parts_(parts),
        b_(parts.b),
        sites_(parts.sites),
        values_(parts.values),
        expressions_(parts.expressions),
        functions_(parts.functions),
        instances_(parts.instances) {}

  Symbolic call_derived(const value::Derived& derived, const std::vector<Named>& arguments, const Scope& scope,
                        Place place);
  // The first protocol whose `when` holds, as a word.
  ir::ValueId protocol_name(Instance& machine, const Symbolic& size, ir::ValueId local, Place place);
  // What the messages of a machine do at both ends.
  ir::EndsId message_ends(Instance& machine, Place place);

 private:
  std::vector<const Item*> protocols_of(const Item& machine) const;
  Scope protocol_scope(Instance& machine, const Item& protocol, const Symbolic& size, ir::ValueId local,
                       ir::FrameId frame, Place place);
  Symbolic run_ends(const Item& protocol, const Scope& scope, const std::string& end);

  const Parts& parts_;
  ir::Builder& b_;
  Sites& sites_;
  Values& values_;
  Expressions& expressions_;
  Functions& functions_;
  Instances& instances_;
  std::map<const Instance*, ir::EndsId> ends_;
};

}  // namespace wave::frontend::lowering
