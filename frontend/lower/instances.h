// Machines and models: their parameters, members and requirements, and the studies that vary them. A scalar member is a
// definition of the frame in which its instance lives, evaluated when it is first needed.
#pragma once

#include "frontend/check/members.h"
#include "frontend/lower/parts.h"

#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace wave::frontend::lowering {

const Item* find_member(const Item& declaration, const std::string& name);

// Where -D finds a member: "net.L".
std::string path_of(const Instance& instance, const std::string& name);
// The one path by which a parameter is given, where `path` leads to it in `owner`.
std::string own_path(const Instance& owner, const std::string& path);
// For people: why the two paths differ.
std::string another_name(const Instance& owner, const std::string& path);
// What was given under that name where the instance was made; null if nothing was.
const Named* find_given(const Instance& instance, const std::string& name);

class Instances {
 public:
  explicit Instances(const Parts& parts) : parts_(parts) {}

  ValuePtr instantiate(const Item& declaration, const std::vector<Named>& given, Location location,
                       const Naming* naming);
  ValuePtr replace_parameters(Instance& instance, const std::vector<Named>& given, Location location,
                              const Naming* naming);
  ValuePtr member(Instance& instance, const std::string& name, Location location, bool from_outside);
  // The member as a machine that is extended declares it. What it reads are the members of the instance.
  ValuePtr inherited_member(Instance& instance, const Item& base, const std::string& name, Location location);
  ValuePtr member_of(const ValuePtr& object, const std::string& name, const Scope& scope, Location location);
  Scope scope_of(Instance& instance) const;
  ValuePtr global(const Item& item, Location location);
  ir::ValueId requirements(Instance& instance);
  ValuePtr guard(const ValuePtr& value, Instance& instance);
  // A root without rows, under the requirements of an instance.
  ir::Root guarded_root(const std::string& name, Instance& instance);
  // Makes the model or machine that is lowered.
  Instance& make_root(const Item& declaration, const std::vector<Named>& given, Location location);
  Instance& new_instance(const Item& declaration, const std::vector<Named>& given, const Naming* naming,
                         Location location);
  // What `net.far` is for the path `net.far.L`; null if it is not known which machine or model. Its own path is another
  // one where `net` is declared `= first`, as `first` is.
  Instance* owner_of(const std::string& path, Location location);

 private:
  ValuePtr value_of(Instance& instance, const Item& item, Member& member, Location location);
  void evaluate_member(Instance& instance, const Item& item, Member& member);
  void evaluate_parameter(Instance& instance, const Item& item, Member& member);
  void evaluate_let(Instance& instance, const Item& item, const Expr& value, const TypeRef& type, Member& member);
  ValuePtr parameter_value(Instance& instance, const Item& item);
  // What must hold for a parameter to be in its range, with the site of each bound.
  std::vector<std::pair<ir::ValueId, ir::SiteId>> range_checks(Instance& instance, const Item& item,
                                                               ir::DefinitionId raw);
  ir::SiteId bound_site(Instance& instance, const Item& item, const Expr& bound, bool is_lower);
  void note_origin(const Instance& instance, const Item& item, SiteNote& note);

  const Parts& parts_;
  ir::Builder& b_ = parts_.b;
  FactTable& facts_ = parts_.facts;
  Sites& sites_ = parts_.sites;
  Values& values_ = parts_.values;
  Expressions& expressions_ = parts_.expressions;
  Parameters& parameters_ = parts_.parameters;
  Lifting& lifting_ = parts_.lifting;
  Recurrences& recurrences_ = parts_.recurrences;
  Levels& levels_ = parts_.levels;
  Processes& processes_ = parts_.processes;
  Studies& studies_ = parts_.studies;
  std::vector<std::unique_ptr<Instance>> instances_;
  std::map<std::string, Instance*> shared_instances_;
  std::map<const Module*, Instance*> module_instances_;
  std::map<const Item*, std::size_t> nested_instances_;
  Instance* root_ = nullptr;
};

// Parameters by their paths, and the values that -D gives them.
class Parameters {
 public:
  explicit Parameters(const Parts& parts) : diagnostics_(parts.diagnostics), instances_(parts.instances) {}

  void set_overrides(const std::vector<Override>& overrides);
  const Override* override_of(const Instance& instance, const std::string& name, bool is_given);
  void list_parameters(Instance& instance, std::vector<ParameterInfo>& into);
  // Says which of the listed parameters were asked for. Called once everything is lowered.
  void tell_what_is_asked(std::vector<ParameterInfo>& parameters) const;
  void report_unused_overrides();
  const std::vector<const Override*>& overrides() const { return overrides_; }

 private:
  Diagnostics& diagnostics_;
  Instances& instances_;
  std::vector<const Override*> overrides_;
  std::map<std::string, std::size_t> override_at_;  // the place of a path among them
  std::vector<bool> override_used_;
  std::vector<const Member*> listed_;  // the parameters that were listed, in order
};

// Machines and models whose parameters depend on a loop. Each lives in a frame that takes what it depends on as
// arguments. A scalar of it is a call of that frame.
class Lifting {
 public:
  explicit Lifting(const Parts& parts) : parts_(parts) {}

  // The machine or model, if it no longer depends on a loop: inside another frame, what it depended on has become that
  // frame's arguments. Null if it still does.
  ValuePtr settle(const value::Lifted& lifted, const Scope& scope, Location location);
  ValuePtr lift(const value::Lifted& lifted, LiftedStep step, const Scope& scope, Location location);

 private:
  // The frame of a machine or model whose parameters depend on a loop.
  struct LiftedFrame {
    ir::FrameId frame;
    ir::FrameId parent;
    ValuePtr recipe;                    // kept, so that what its key points at lives on
    std::vector<ir::ValueId> captures;  // its arguments, as seen from outside
    std::vector<ir::ValueId> inside;    // its parameters, as seen from inside
    std::map<ir::ValueId, ir::DefinitionId> results;
  };

  ValuePtr apply_step(const ValuePtr& object, const LiftedStep& step, const Scope& scope, Location location);
  LiftedFrame& lifted_frame(const value::Lifted& lifted, std::vector<ir::ValueId> captures, Location location);
  ValuePtr leave_frame(const ValuePtr& value, LiftedFrame& frame, Location location,
                       std::unordered_map<const Value*, ValuePtr>& left);

  const Parts& parts_;
  ir::Builder& b_ = parts_.b;
  FactTable& facts_ = parts_.facts;
  Sites& sites_ = parts_.sites;
  Values& values_ = parts_.values;
  Lists& lists_ = parts_.lists;
  Calls& calls_ = parts_.calls;
  Instances& instances_ = parts_.instances;
  Recurrences& recurrences_ = parts_.recurrences;
  Processes& processes_ = parts_.processes;
  std::map<std::string, std::unique_ptr<LiftedFrame>> lifted_frames_;
};

// Studies: models whose parameters vary. A name that varies is a definition that a caller binds. What the study sets
// replaces the default of a parameter, in every copy of the model that the study makes.
class Studies {
 public:
  explicit Studies(const Parts& parts) : parts_(parts) {}

  // From here on, the study is lowered: its model with what varies and what is set.
  Instance& make_study_root(const item::Study& study, const std::vector<std::size_t>& choices);
  void refuse_double_settings();
  StudyVariable variable(Instance& root, const item::Study::Vary& vary);
  // `is_guarded`: it has a value only where all that the model requires holds.
  OutputInfo shown(Instance& root, const item::Study::Show& show, bool is_guarded);
  OutputInfo condition(Instance& root, const Expr& condition);
  // What a parameter is, or which of several machines, orders or lists it is.
  void add_parameter(const AskedParameter& asked, std::vector<OutputInfo>& outputs);
  // What the study says of a parameter that was not given; null if nothing.
  ValuePtr parameter_in_study(Instance& instance, const Item& item, const Naming& naming);
  // What varies, which holds for copies too unless they say otherwise.
  std::vector<Named> varied_from_outside(const Instance& instance);
  ValuePtr elsewhere(const Expr& expr, const expr::Index& node, const Scope& scope);
  // `total(n = d)`, an output of the study's model with other parameters; null for any other call.
  ValuePtr output_with(const expr::Call& call, const Scope& scope, Location location);
  // Whether a study is being lowered, and not just a model.
  bool is_lowered() const { return study_ != nullptr; }

 private:
  bool is_of_study(const Instance& instance) const;
  Scope scope_in_study(Instance& instance) const;
  Scope scope_of_shows(Instance& instance, std::size_t count);
  std::size_t shows_in(const Scope& scope) const;
  ValuePtr stand_in(const item::Study::Vary& vary, const Scope& scope);
  ValuePtr chosen(const item::Study::Vary& vary, const Naming& naming);
  void describe(const item::Study::Vary& vary, StudyVariable& info);
  void list_values(Instance& root, const item::Study::Vary& vary, StudyVariable& info);
  Instance* holder_of(const std::string& path, Location location);
  ir::ValueId same(const ValuePtr& a, const ValuePtr& b, const std::string& path);
  ir::ValueId same_members(Instance& a, Instance& b, const std::string& path);

  const Parts& parts_;
  const Program& program_ = parts_.program;
  ir::Builder& b_ = parts_.b;
  Diagnostics& diagnostics_ = parts_.diagnostics;
  Sites& sites_ = parts_.sites;
  Values& values_ = parts_.values;
  Expressions& expressions_ = parts_.expressions;
  Lists& lists_ = parts_.lists;
  Instances& instances_ = parts_.instances;
  Parameters& parameters_ = parts_.parameters;
  const item::Study* study_ = nullptr;
  std::map<std::string, const item::Study::Set*> set_;             // by the name of what the study sets
  std::map<std::string, const item::Study::Vary*> varied_;         // and of what it varies
  std::vector<std::size_t> choices_;                               // of the study's variables that shape the system
  std::map<std::string, ir::DefinitionId> free_names_;             // names of the study that are not parameters
  std::map<const Instance*, std::vector<Scope>> scopes_of_shows_;  // with the names of the first 0, 1, ... shows
  Instance* root_ = nullptr;
};

}  // namespace wave::frontend::lowering
