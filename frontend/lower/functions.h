// Calls of functions and of collectives as costs. A call with scalars becomes a call of a frame, one for each function
// and whatever else it is given; a call with lists is written out in place.
#pragma once

#include "frontend/lower/facts.h"
#include "frontend/lower/parts.h"

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace wave::frontend::lowering {

class Functions {
 public:
  explicit Functions(const Parts& parts);
  ~Functions();

  Symbolic call_function(const value::Function& function, const std::vector<Named>& arguments, const Scope& scope,
                         Place place);
  // The arguments of a function, collective or procedure in the order of its parameters, defaults filled in.
  std::vector<Symbolic> bind_arguments(const value::Function& function, const std::vector<Named>& arguments,
                                       Place place);
  Symbolic call_framed(const std::string& name, const std::string& identity, ir::FrameId parent,
                       const std::vector<std::string>& names, const std::vector<Symbolic>& arguments,
                       const TypeRef& result,
                       const std::function<Symbolic(const std::vector<Symbolic>&, ir::FrameId)>& body,
                       const std::function<Symbolic()>& otherwise, Place place);

 private:
  struct Specialisation;

  Symbolic call_distributed(const value::Function& function, std::vector<Symbolic> arguments, const Scope& scope,
                            Place place);
  Symbolic inline_call(const value::Function& function, const std::vector<Symbolic>& arguments, const Scope& scope,
                       Place place);
  Symbolic run_body(const value::Function& function, const std::vector<Symbolic>& arguments, Scope scope, bool define);

  const Parts& parts_;
  ir::Builder& b_;
  FactTable& facts_;
  Sites& sites_;
  Values& values_;
  Expressions& expressions_;
  Instances& instances_;
  Processes& processes_;
  std::map<std::string, std::unique_ptr<Specialisation>> specialisations_;
  std::size_t inlined_ = 0;
};

}  // namespace wave::frontend::lowering
