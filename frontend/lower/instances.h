// Machines and models: their parameters, members and requirements. A scalar member is a definition of the frame in
// which its instance lives, evaluated at first need.
#pragma once

#include "frontend/lower/facts.h"
#include "frontend/lower/lower.h"
#include "frontend/lower/parts.h"

#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace wave::frontend::lowering {

const Item* find_member(const Item& declaration, const std::string& name);

class Instances {
 public:
  explicit Instances(const Parts& parts)
      : b_(parts.b),
        facts_(parts.facts),
        sites_(parts.sites),
        values_(parts.values),
        expressions_(parts.expressions),
        parameters_(parts.parameters),
        lifting_(parts.lifting),
        recurrences_(parts.recurrences),
        processes_(parts.processes),
        studies_(parts.studies) {}

  Symbolic instantiate(const Item& declaration, const std::vector<Named>& given, Place place, const Naming* naming);
  Symbolic replace_parameters(const Instance& instance, const std::vector<Named>& given, Place place,
                              const Naming* naming);
  Symbolic member(Instance& instance, const std::string& name, Place place, bool from_outside);
  Symbolic member_of(const Symbolic& object, const std::string& name, const Scope& scope, Place place);
  Scope scope_of(Instance& instance) const;
  Symbolic global(const Item& item, Place place);
  ir::ValueId requirements(Instance& instance);
  Symbolic guard(const Symbolic& value, Instance& instance);
  // The model or machine that is lowered.
  Instance& make_root(const Item& declaration, const std::vector<Named>& given, Place place);
  Instance& new_instance(const Item& declaration, const std::vector<Named>& given, const Naming* naming, Place place);

 private:
  void evaluate_member(Instance& instance, const Item& item, Member& member);
  void evaluate_parameter(Instance& instance, const Item& item, Member& member);
  void evaluate_let(Instance& instance, const Item& item, const Expr& value, const TypeRef& type, Member& member);
  Symbolic parameter_value(Instance& instance, const Item& item);
  // What must hold for a parameter's range, with the site of each bound.
  std::vector<std::pair<ir::ValueId, ir::SiteId>> range_checks(Instance& instance, const Item& item,
                                                               ir::DefinitionId raw);
  ir::SiteId bound_site(Instance& instance, const Item& item, const Expr& bound, bool is_lower);
  void note_origin(const Instance& instance, const Item& item, SiteNote& note);

  ir::Builder& b_;
  FactTable& facts_;
  Sites& sites_;
  Values& values_;
  Expressions& expressions_;
  Parameters& parameters_;
  Lifting& lifting_;
  Recurrences& recurrences_;
  Processes& processes_;
  Studies& studies_;
  std::vector<std::unique_ptr<Instance>> instances_;
  std::map<std::string, Instance*> shared_instances_;
  std::map<const Module*, Instance*> module_instances_;
  std::map<const Item*, std::size_t> nested_instances_;
  Instance* root_ = nullptr;
};

}  // namespace wave::frontend::lowering
