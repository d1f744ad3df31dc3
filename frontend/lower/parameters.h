// Parameters by their paths, and what -D says of them.
#pragma once

#include "frontend/lower/lower.h"
#include "frontend/lower/parts.h"

#include <string>
#include <vector>

namespace wave::frontend::lowering {

class Parameters {
 public:
  explicit Parameters(const Parts& parts) : diagnostics_(parts.diagnostics), instances_(parts.instances) {}

  void set_overrides(const std::vector<Override>& overrides);
  const Override* override_of(const Instance& instance, const std::string& name, bool is_given);
  void list_parameters(Instance& instance, std::vector<ParameterInfo>& into);
  // Of those that were listed, once everything is lowered.
  void tell_what_is_asked(std::vector<ParameterInfo>& parameters) const;
  void report_unused_overrides();
  const std::vector<const Override*>& overrides() const { return overrides_; }

 private:
  Diagnostics& diagnostics_;
  Instances& instances_;
  std::vector<const Override*> overrides_;
  std::vector<bool> override_used_;
  std::vector<const Member*> listed_;  // parameters
};

}  // namespace wave::frontend::lowering
