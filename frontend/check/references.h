// What names and `object.name` read: locals, items of modules, fields of records, members of machines and models, times
// of processes.
#pragma once

#include "frontend/check/names.h"

#include <functional>
#include <string>

namespace wave::frontend::check {

// `transport.finish`, `transport.phase("x").compute`: of one process with an index.
bool reads_process(const Expr& e);

class References {
 public:
  explicit References(const Parts& parts)
      : context_(parts.context),
        reports_(parts.reports),
        dependences_(parts.dependences),
        names_(parts.names),
        types_(parts.types),
        expressions_(parts.expressions),
        functions_(parts.functions),
        declarations_(parts.declarations) {}

  TypeRef check_name(Expr& e, expr::Name& name, const TypeRef& expected);
  TypeRef check_member(Expr& e, expr::Member& node);
  // Of an object that is checked; `item` is the member's declaration, if it has one.
  TypeRef check_member_of(expr::Member& node, const TypeRef& object, const Item** item);
  TypeRef check_module_member(expr::Member& node, const Module& module);
  // The type of a member, null where there is none; `item` is its declaration, if it has one.
  TypeRef member_type(const TypeRef& object, const Identifier& name, const Item** item);
  // The item that a callee names, where it is resolved; null for values.
  const Item* callee_item(const Expr& callee);
  const Item* module_item(Expr& callee);    // of `module.item`, resolved; null where it is no such name
  std::size_t process_axes(const Expr& e);  // 0: not known
  // Whether an index-dependent local is read in what `check` checks.
  bool follows_index(const std::function<void()>& check);

 private:
  TypeRef type_of_found(const Names::Found& found, const std::string& name, Place place);
  TypeRef type_of_local(const LocalName& local, Place place);
  TypeRef process_member(const Identifier& name);
  bool resolve_standard_path(Expr& e);

  Context& context_;
  Reports& reports_;
  Dependences& dependences_;
  Names& names_;
  Types& types_;
  Expressions& expressions_;
  Functions& functions_;
  Declarations& declarations_;
  bool index_read_ = false;  // an index-dependent local was read since this was cleared
};

}  // namespace wave::frontend::check
