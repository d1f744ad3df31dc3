// Names: what they mean, which definitions need which, types as written, and what names read.
#pragma once

#include "frontend/check/context.h"
#include "frontend/check/probe.h"
#include "frontend/check/uses.h"
#include "frontend/source/diagnostics.h"

#include <functional>
#include <set>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace wave::frontend::check {

// What a name means where it stands: a local, a member of the machine or model around, an item of the module, or a name
// of the language.
class Names {
 public:
  using LoadStandard = std::function<Module*(const std::string&)>;
  // `load_standard` gives a module of the standard library, checked; null if there is none. `uses` becomes what names
  // mean. `probe` may be null.
  Names(const Parts& parts, Uses& uses, LoadStandard load_standard, Probe* probe)
      : parts_(parts), uses_(uses), load_standard_(std::move(load_standard)), probe_(probe) {}

  // --- what is declared ---
  void declare(const Module& module);
  void link_machine(Item& item, item::Machine& machine);       // to its interface and its base
  void declare_local(LocalName local);                         // reports a second one of the same name
  const LocalName* find_local(const std::string& name) const;  // only if it is written in the program
  void report_declared_twice(const LocalName& again, const LocalName& first);

  // --- what is found ---
  struct Found {
    Target target;
    const Item* item = nullptr;
    const LocalName* local = nullptr;
    bool missing = false;  // an import of this name failed
    Location import{};     // of a module
    Location declared() const { return local ? local->location : item ? item->name.location : import; }
  };
  Found look_up(const std::string& name) { return look_up(name, context_.locals.size()); }
  // The declaration that would be hidden by a name that a sweep gives to its body. Not known if there is none.
  Location hidden_by_sweep(const LocalName& given);
  bool in_scope(const std::string& name);
  std::vector<std::string> names_in_scope();
  const Item* member(const Item& owner, const std::string& name);
  // What a module declares or hands on; null if it does not.
  const Item* item_of(const Module& module, const std::string& name);
  Module* standard(const std::string& name) { return load_standard_(name); }
  // An item of this module, or `module.item`. Null after a diagnostic, or if one has been given before.
  const Item* find_item_by_path(const std::vector<Identifier>& path, const char* what);
  // A grid of the model around; null after a diagnostic.
  const Item* find_grid(const Identifier& name);
  // The axis of the grid around that is meant, by its name or by that of a parameter. Null after a diagnostic.
  const LocalName* require_axis(const Identifier& name);
  std::string axes_around() const;  // "its axes are `i`, `j`", for a diagnostic
  void report_unknown_name(const std::string& name, Location location);
  void report_missing_in(const Module& module, const std::string& module_name, const Identifier& name);
  void report_super_of_nothing(Location location);
  // Levels that some grid or machine declares.
  bool is_level(const std::string& name) const { return name == "none" || levels_.count(name) > 0; }
  std::vector<std::string> known_levels() const { return {levels_.begin(), levels_.end()}; }
  void report_unknown_level(const Identifier& name, const std::vector<std::string>& levels, std::string message);
  void report_wrong_kind(const Item& found, Location location, const char* expected);

  // --- what is noted ---
  // A name that stands at `place` means what is declared there.
  void refer(Location place, Location declared) { uses_.add(place, declared); }
  void refer(Location place, const Found& found);

  // --- what is asked (names_asked.cpp) ---
  // Whether the name is the word of the probe. Then the probe is answered: `wanted` is expected there.
  bool asks(const std::string& name, const char* wanted, const TypeRef& expected = nullptr);
  bool is_asked(const std::string& name) const { return probe_ && name == probe_->word; }
  bool asks_member(const std::string& name, const TypeRef& object, const Module* module = nullptr,
                   const std::vector<std::string>& of_process = {});
  bool has_probe() const { return probe_ != nullptr; }
  // Calls that are being checked, the outermost first. Only while there is a probe.
  struct OpenCall {
    const Signature* signature;
    const std::vector<Argument>* arguments;
  };
  std::vector<OpenCall> open_calls;

 private:
  // A name at module level.
  struct Binding {
    Location location;
    const Item* item = nullptr;
    const Module* module = nullptr;  // an imported module
    bool missing = false;            // its import failed, which was reported there
  };
  using Scope = std::unordered_map<std::string, Binding>;

  void declare_import(const Item& item, const item::Import& import);
  void declare_levels(const Item& owner);
  void bind(const Module& module, const std::string& name, Binding binding);
  // What a name means if only the first `locals` of the locals are known.
  Found look_up(const std::string& name, std::size_t locals);
  const Item* find_in_standard(const std::string& name);
  const Item* find_in_module(const Module& module, const std::vector<Identifier>& path);
  void report_unknown_item(const std::vector<Identifier>& path, const char* what);

  std::vector<Probe::Visible> visible();
  TypeRef type_if_value(const Item* item);

  const Parts& parts_;
  Context& context_ = parts_.context;
  Reports& reports_ = parts_.reports;
  Dependences& dependences_ = parts_.dependences;
  Uses& uses_;
  LoadStandard load_standard_;
  Probe* probe_;
  std::unordered_map<const Module*, Scope> scopes_;
  std::unordered_map<const Item*, std::unordered_map<std::string, const Item*>> member_index_;
  std::set<std::string> levels_;
  std::set<std::pair<const Module*, std::string>>
      missing_suggested_;  // names that could not be imported, and got their help
};

// Which definitions need which, and which need themselves.
class Dependences {
 public:
  explicit Dependences(const Parts& parts) : context_(parts.context), reports_(parts.reports) {}

  // The item that is being checked needs this one.
  void depends_on(const Item* item);
  // It needs a cost that follows from the protocols of a machine.
  void depends_on_protocols(const Item& machine);
  void report_cycles();
  void report_cycle(const std::vector<const Item*>& cycle);

 private:
  Context& context_;
  Reports& reports_;
  std::unordered_map<const Item*, std::vector<const Item*>> dependences_;
  std::unordered_set<const Item*> in_reported_cycle_;
};

using MemberReads = std::unordered_map<std::string, std::vector<Identifier>>;  // by the name before the dot

// Types: as they are written, when a value may stand for one, and what is reported if it may not.
class Types {
 public:
  explicit Types(const Parts& parts) : parts_(parts) {}

  // --- as written ---
  TypeRef resolve(const TypeExpr& type);
  // `what` names the thing if its type is missing: "a parameter".
  TypeRef resolve(const TypeExprPtr& type, const char* what, Location location);
  // The same of a parameter of a procedure, which may be an axis.
  TypeRef resolve_of_procedure(const Parameter& parameter);
  const std::vector<TypeRef>& fields_of(const Item& record);

  // --- reads.cpp: what is read of a machine that a parameter holds ---
  // The type of a parameter, with what is read of it if it is an interface and its default has that as a parameter.
  TypeRef with_reads(const Item& param, const TypeRef& type);
  // The member of this name of the machine that the default makes, or null.
  const Item* member_of_default(const Item& param, const std::string& name);
  // The type of a parameter with all that reading could ask for.
  TypeRef with_all_of_default(const Item& param, const TypeRef& type);

  // --- agreement ---
  bool agrees(const TypeRef& from, const TypeRef& to);
  // Whether it agrees, or is a choice whose words are all among those of the other. Expressions::adopt() then notes
  // that its words are counted anew. In the body of a function without parameter types nothing is known of all calls.
  bool fits(const TypeRef& from, const TypeRef& to);
  // The type that both have; null if there is none.
  TypeRef unify(const TypeRef& a, const TypeRef& b);
  // How an offered function or collective differs from the wanted one; "" if it does not.
  std::string differing(const Item& offered, const Item& wanted);
  void report_mismatch(const Expr& e, const TypeRef& found, const TypeRef& expected, const Why& why);
  void report_disagreement(const Expr& left, const Expr& right, const char* what);
  void explain(Diagnostic& d, const Expr& e);  // adds where its dimension comes from

 private:
  TypeRef resolve_product(const TypeExpr& type, const type_expr::Product& product);
  TypeRef resolve_named(const std::vector<Identifier>& path, Location location);
  bool refuses_axis(const TypeExpr& type);  // where it is written and is no parameter of a procedure
  TypeRef unify_machines(const types::Machine& a, const types::Machine& b);
  std::string missing_offer(const types::Machine& from, const types::Machine& to);  // "" if nothing is
  static void explain_choices(TypeRef found, TypeRef expected, std::vector<std::string>& notes,
                              std::vector<std::string>& help);
  const std::vector<Identifier>& reads_of(const Item& param);
  const Item* machine_made_by(Expr& made, std::size_t depth);
  const Item* default_machine(const Item& param);  // null: none, or not known
  TypeRef with_parameters(const Item& param, const TypeRef& type, const std::vector<Identifier>& names);
  void explain_reads(Diagnostic& d, const types::Machine& from, const types::Machine& to);

  const Parts& parts_;
  Context& context_ = parts_.context;
  Reports& reports_ = parts_.reports;
  Names& names_ = parts_.names;
  Declarations& declarations_ = parts_.declarations;
  References& references_ = parts_.references;
  Functions& functions_ = parts_.functions;
  std::unordered_map<const Item*, MemberReads> member_reads_;  // of each model and machine
};

// Whether it is `transport.finish` or `transport.phase("x").compute`, which with an index are of one process.
bool reads_process(const Expr& e);

// What names and `object.name` read: locals, items of modules, fields of records, members of machines and models, times
// of processes.
class References {
 public:
  explicit References(const Parts& parts) : parts_(parts) {}

  TypeRef check_name(Expr& e, expr::Name& name, const TypeRef& expected);
  TypeRef check_member(Expr& e, expr::Member& node);
  // The same for an object that has been checked. `item` becomes the member's declaration, if it has one.
  void explain_interface(Diagnostic& d, const expr::Member& node, const Item& interface);
  TypeRef check_member_of(expr::Member& node, const TypeRef& object, const Item** item);
  TypeRef check_object(Expr& e);  // what stands before a dot: a value, or `super`
  TypeRef check_module_member(expr::Member& node, const Module& module);
  // The type of a member; null if there is none. `item` becomes its declaration, if it has one.
  TypeRef member_type(const TypeRef& object, const Identifier& name, const Item** item);
  // The item that a resolved callee names; null for values.
  const Item* callee_item(const Expr& callee);
  const Item* module_item(Expr& callee);    // resolves `module.item`; null if it is no such name
  std::size_t process_axes(const Expr& e);  // 0 if not known
  // Whether what `check` checks reads a local that depends on an index.
  bool follows_index(const std::function<void()>& check);

 private:
  TypeRef type_of_found(const Names::Found& found, const std::string& name, Location location);
  TypeRef type_of_local(const LocalName& local, Location location);
  TypeRef process_member(const Identifier& name);
  Location declared_member(const TypeRef& object, const Identifier& name, const Item* item);
  bool check_super(Location super, const Identifier& name, const Item& base);
  bool resolve_standard_path(Expr& e);

  const Parts& parts_;
  Context& context_ = parts_.context;
  Reports& reports_ = parts_.reports;
  Dependences& dependences_ = parts_.dependences;
  Names& names_ = parts_.names;
  Types& types_ = parts_.types;
  Expressions& expressions_ = parts_.expressions;
  Functions& functions_ = parts_.functions;
  Declarations& declarations_ = parts_.declarations;
  bool index_read_ = false;  // a local that depends on an index was read since this was cleared
};

}  // namespace wave::frontend::check
