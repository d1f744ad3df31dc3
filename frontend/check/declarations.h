// Declarations. The type of an item is found at first need, so declarations may stand in any order.
#pragma once

#include "frontend/check/context.h"

#include <memory>
#include <unordered_map>
#include <vector>

namespace wave::frontend::check {

class Declarations {
 public:
  explicit Declarations(const Parts& parts)
      : context_(parts.context),
        reports_(parts.reports),
        dependences_(parts.dependences),
        names_(parts.names),
        types_(parts.types),
        expressions_(parts.expressions),
        collections_(parts.collections),
        functions_(parts.functions),
        machines_(parts.machines),
        processes_(parts.processes),
        studies_(parts.studies) {}

  void check_members(std::vector<std::unique_ptr<Item>>& items, const Item* owner);
  // An item before its turn: the names in a body are resolved before it is looked into.
  void check_early(const Item& item);
  TypeRef type_of(const Item& item, Place use);  // of a value: param, let, fn, rec, grid, process, output

 private:
  struct State {
    enum class Progress { fresh, finding, found } progress = Progress::fresh;
    TypeRef type;
    bool checked = false;
  };

  void check_item(Item& item);
  TypeRef find_type(Item& item);
  TypeRef find_output_type(item::Output& output);
  TypeRef report_recursion(const Item& item, Place use);
  void report_not_a_value(const Item& item, Place use);

  // --- bodies.cpp ---
  void check_let(Item& item, item::Let& let);
  void check_param(Item& item, item::Param& param);
  void check_record(Item& item, item::Record& record);
  void check_require(item::Require& require);
  void check_grid(Item& item, item::Grid& grid);
  void check_recurrence(Item& item, item::Recurrence& recurrence);
  void check_axis_range(Expr& range);
  void check_over(const Item& item, const item::Recurrence& recurrence);
  void check_output(Item& item, item::Output& output);
  void check_test(item::Test& test);
  void check_expect(item::Expect& expect);

  Context& context_;
  Reports& reports_;
  Dependences& dependences_;
  Names& names_;
  Types& types_;
  Expressions& expressions_;
  Collections& collections_;
  Functions& functions_;
  Machines& machines_;
  Processes& processes_;
  Studies& studies_;
  std::unordered_map<const Item*, State> states_;
  std::vector<const Item*> finding_;  // items whose types are being found, outermost first
};

}  // namespace wave::frontend::check
