// Ids in range; types of nodes; tables.
#include "ir/operations.h"
#include "ir/verify.h"
#include "ir/visit.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace wave::ir {

namespace {

class IdVerifier {
 public:
  explicit IdVerifier(const System& system) : system_(system) {}

  std::vector<std::string> run() {
    expect(!system_.frames.empty() && !system_.frames[0].parent.valid(), "the first frame is not a root");
    for (std::size_t i = 1; i < system_.frames.size(); ++i) {
      expect(system_.frames[i].parent.index < i, "a frame comes before its parent");
    }
    for (const Value& value : system_.values) std::visit(*this, value.node);
    for (const Value& value : system_.values)
      for_each_operand(value.node, [&](ValueId id) { in(id, system_.values, "value"); });
    for (const FrameParameter& parameter : system_.parameters) in(parameter.frame, system_.frames, "frame");
    for (const Definition& definition : system_.definitions) {
      in(definition.frame, system_.frames, "frame");
      maybe_in(definition.body, system_.values, "value");
    }
    for (const Space& space : system_.spaces) check(space);
    for (const Event& event : system_.events) check(event);
    for (const Root& root : system_.roots) check(root);
    return std::move(complaints_);
  }

  void operator()(const Constant&) {}
  void operator()(const Parameter& n) { in(n.parameter, system_.parameters, "parameter"); }
  void operator()(const Index& n) { in(n.binder, system_.binders, "binder"); }
  void operator()(const Reference& n) { in(n.definition, system_.definitions, "definition"); }
  void operator()(const Unary& n) { need(n.operand), site(n.site); }
  void operator()(const Binary& n) { need(n.left), need(n.right), site(n.site); }
  void operator()(const Maximum& n) { expect(!n.operands.empty(), "a maximum of nothing"), need(n.operands); }
  void operator()(const Minimum& n) { expect(!n.operands.empty(), "a minimum of nothing"), need(n.operands); }
  void operator()(const Select& n) { need(n.condition), need(n.if_true), need(n.if_false); }
  void operator()(const Check& n) { need(n.condition), need(n.value), in(n.site, system_.sites, "site"); }
  void operator()(const Fail& n) { in(n.site, system_.sites, "site"); }
  void operator()(const Call& n) {
    in(n.frame, system_.frames, "frame"), in(n.definition, system_.definitions, "definition");
    need(n.arguments), in(n.site, system_.sites, "site");
  }
  void operator()(const Reduce& n) {
    expect(!n.levels.empty(), "a reduction without a loop");
    for (const Level& level : n.levels) check(level);
    expect(n.body.valid() == (n.kind != ReduceKind::count), "a reduction without a body, or a count with one");
    const bool needs_value =
        n.kind == ReduceKind::nth || n.kind == ReduceKind::arg_min || n.kind == ReduceKind::arg_max;
    expect(n.value.valid() == needs_value, "a reduction without its value, or with one that it does not take");
    site(n.site);
  }
  void operator()(const Read& n) { in(n.event, system_.events, "event"), need(n.indices), site(n.site); }
  void operator()(const Neighbour& n) { in(n.event, system_.events, "event"); }
  void operator()(const Measure& n) { in(n.process, system_.processes, "process"), need(n.indices), site(n.site); }
  void operator()(const Lookup& n) {
    in(n.table, system_.tables, "table"), need(n.keys), in(n.site, system_.sites, "site");
  }

 private:
  void expect(bool condition, const char* what) {
    if (!condition) complaints_.push_back(what);
  }
  template <class Tag, class Thing>
  void in(Id<Tag> id, const std::vector<Thing>& list, const char* what) {
    if (id.index >= list.size()) complaints_.push_back(fmt::format("an id of no {}", what));
  }
  template <class Tag, class Thing>
  void maybe_in(Id<Tag> id, const std::vector<Thing>& list, const char* what) {
    if (id.valid()) in(id, list, what);
  }
  void site(SiteId id) { maybe_in(id, system_.sites, "site"); }
  void need(ValueId id) { expect(id.valid(), "an operand is missing"); }
  void need(const std::vector<ValueId>& ids) {
    for (const ValueId id : ids) need(id);
  }
  void check(const Level& level) {
    in(level.binder, system_.binders, "binder");
    for (const ValueId id : {level.first, level.last, level.step}) in(id, system_.values, "value");
    maybe_in(level.filter, system_.values, "value");
    in(level.site, system_.sites, "site");
  }
  void check(const Space& space) {
    in(space.frame, system_.frames, "frame");
    for (const Axis& axis : space.axes) {
      in(axis.binder, system_.binders, "binder");
      in(axis.first, system_.values, "value"), in(axis.last, system_.values, "value");
      site(axis.site);
    }
  }
  void check(const Event& event) {
    in(event.frame, system_.frames, "frame"), in(event.space, system_.spaces, "space"), site(event.site);
    for (const Constraint& constraint : event.constraints) maybe_in(constraint.source, system_.events, "event");
    for_each_value(event, [&](ValueId id) { in(id, system_.values, "value"); });
  }
  void check(const Root& root) {
    maybe_in(root.precondition, system_.values, "value");
    for (const RowBlock& block : root.blocks) {
      for (const Level& level : block.levels) check(level);
      for (const ValueId column : block.columns) in(column, system_.values, "value");
    }
  }

  const System& system_;
  std::vector<std::string> complaints_;
};

class TypeVerifier {
 public:
  explicit TypeVerifier(const System& system) : system_(system), parameters_of_(system.frames.size()) {
    for (const FrameParameter& parameter : system.parameters)
      parameters_of_[parameter.frame.index].push_back(parameter.type);
  }

  std::vector<std::string> run() {
    for (std::uint32_t i = 0; i < system_.values.size(); ++i) {
      present_ = ValueId{i};
      std::visit(*this, system_.values[i].node);
    }
    for (const Root& root : system_.roots) {
      if (root.precondition.valid() && type(root.precondition) != ScalarType::boolean)
        complaints_.push_back("root " + root.name + ": a precondition that is not boolean");
      for (const RowBlock& block : root.blocks) {
        for (const Level& level : block.levels) check(level, "root " + root.name);
      }
    }
    for (const Table& table : system_.tables) check(table);
    return std::move(complaints_);
  }

  void operator()(const Constant& n) { is(n.value.type == own(), "a constant of another type"); }
  void operator()(const Parameter& n) { is(system_[n.parameter].type == own(), "a parameter of another type"); }
  void operator()(const Index&) { is(own() == ScalarType::integer, "an index that is not an integer"); }
  void operator()(const Reference& n) { is(system_[n.definition].type == own(), "a definition of another type"); }
  void operator()(const Unary& n) { check(operation(n.op), type(n.operand), n.site); }
  void operator()(const Binary& n) {
    is(type(n.left) == type(n.right), "operands of two types");
    check(operation(n.op), type(n.left), n.site);
  }
  void operator()(const Maximum& n) { extremum(n.operands); }
  void operator()(const Minimum& n) { extremum(n.operands); }
  void operator()(const Select& n) {
    is(type(n.condition) == ScalarType::boolean, "a condition that is not boolean");
    is(type(n.if_true) == own() && type(n.if_false) == own(), "a branch of another type");
  }
  void operator()(const Check& n) {
    is(type(n.condition) == ScalarType::boolean, "a condition that is not boolean");
    is(type(n.value) == own(), "a checked value of another type");
  }
  void operator()(const Fail&) {}
  void operator()(const Call& n) {
    is(system_[n.definition].frame == n.frame, "a call of a definition of another frame");
    is(system_[n.definition].type == own(), "a call of another type");
    const std::vector<ScalarType>& expected = parameters_of_[n.frame.index];
    is(n.arguments.size() == expected.size(), "another number of arguments than parameters");
    for (std::size_t i = 0; i < n.arguments.size() && i < expected.size(); ++i)
      is(type(n.arguments[i]) == expected[i], "an argument of another type");
  }
  void operator()(const Reduce& n) {
    for (const Level& level : n.levels) check(level, fmt::format("%{}", present_.index));
    reduce(n);
  }
  void operator()(const Read& n) {
    is(system_[n.event].type == own(), "an event of another type");
    is(n.indices.size() == system_[system_[n.event].space].axes.size(), "another number of indices than axes");
    for (const ValueId index : n.indices) is(type(index) == ScalarType::integer, "an index that is not an integer");
  }
  void operator()(const Neighbour& n) {
    is(system_[n.event].type == own(), "an event of another type");
    is(n.offset.size() == system_[system_[n.event].space].axes.size(), "an offset of another rank than the space");
  }
  void operator()(const Measure& n) {
    const Process& process = system_[n.process];
    is(own() == (n.metric == Metric::messages ? ScalarType::integer : ScalarType::real), "a measure of another type");
    is(n.indices.empty() || n.indices.size() == system_[process.space].axes.size(),
       "another number of indices than axes");
    is(!n.phase.valid() || n.phase.index < process.phases.size(), "a phase that the process does not have");
    for (const ValueId index : n.indices) is(type(index) == ScalarType::integer, "an index that is not an integer");
    is(n.over == Over::one || (n.indices.empty() && !is_counted(n.metric)),
       "a count or one process as that of all processes");
    is(n.metric == Metric::peak ? !n.phase.valid() : !n.memory.valid(), "memory of a time, or a peak of a phase");
    is(!n.memory.valid() || n.memory.index < process.memories.size(), "memory that the process does not have");
  }
  void operator()(const Lookup& n) {
    is(own() == ScalarType::real, "a table's value that is not real");
    is(n.keys.size() == system_[n.table].keys.size(), "another number of keys than the table has");
    for (const ValueId key : n.keys) is(type(key) == ScalarType::real, "a key that is not real");
  }

 private:
  ScalarType own() const { return system_[present_].type; }
  ScalarType type(ValueId id) const { return system_[id].type; }
  void is(bool condition, const char* what) {
    if (!condition) complaints_.push_back(fmt::format("%{}: {}", present_.index, what));
  }

  void extremum(const std::vector<ValueId>& operands) {
    is(own() != ScalarType::boolean, "an extremum of booleans");
    for (const ValueId operand : operands) is(type(operand) == own(), "an operand of another type");
  }

  void check(const Operation& operation, ScalarType operand, SiteId site) {
    is(operation.takes(operand), "an operand of the wrong type");
    is(own() == operation.result_of(operand), "a result of the wrong type");
    is(site.valid() || !operation.can_fail(operand), "an operation that can fail has no site");
  }

  void check(const Level& level, const std::string& where) {
    const auto expect = [&](bool condition, const char* what) {
      if (!condition) complaints_.push_back(where + ": " + what);
    };
    for (const ValueId id : {level.first, level.last, level.step})
      expect(type(id) == ScalarType::integer, "a bound of a loop that is not an integer");
    if (level.filter.valid()) expect(type(level.filter) == ScalarType::boolean, "a filter that is not boolean");
  }

  void reduce(const Reduce& n) {
    const auto body = [&] { return type(n.body); };
    switch (n.kind) {
      case ReduceKind::sum:
      case ReduceKind::product:
        is(body() == own() && own() != ScalarType::boolean, "a body of another type");
        return is(n.site.valid() || own() == ScalarType::real, "an operation that can fail has no site");
      case ReduceKind::maximum:
      case ReduceKind::minimum:
        is(body() == own() && own() != ScalarType::boolean, "a body of another type");
        return is(n.site.valid(), "an operation that can fail has no site");
      case ReduceKind::count: return is(own() == ScalarType::integer, "a count that is not an integer");
      case ReduceKind::any:
      case ReduceKind::all:
        return is(own() == ScalarType::boolean && body() == ScalarType::boolean, "a body that is not boolean");
      case ReduceKind::arg_min:
      case ReduceKind::arg_max:
        is(body() != ScalarType::boolean && type(n.value) == own(), "a body or value of the wrong type");
        return is(n.site.valid(), "an operation that can fail has no site");
      case ReduceKind::nth:
        is(body() == own() && type(n.value) == ScalarType::integer, "a body or number of the wrong type");
        return is(n.site.valid(), "an operation that can fail has no site");
    }
  }

  void check(const Table& table) {
    const auto is_table = [&](bool condition, const char* what) {
      if (!condition) complaints_.push_back("table " + table.name + ": " + what);
    };
    is_table(table.keys.size() == 1 || table.keys.size() == 2, "not of one or two keys");
    const bool is_exact = table.interpolation == Interpolation::exact;
    is_table(is_exact == table.otherwise.has_value(), "exact without a value for other keys, or one that is not exact");
    if (is_exact) return check_exact(table, is_table);
    std::size_t cells = 1;
    for (const auto& keys : table.keys) {
      cells *= keys.size();
      is_table(!keys.empty(), "empty");
      is_table(std::adjacent_find(keys.begin(), keys.end(), [](double a, double b) { return !(a < b); }) == keys.end(),
               "keys that do not rise");
      is_table(std::all_of(keys.begin(), keys.end(), [](double x) { return std::isfinite(x); }),
               "keys that are not finite");
    }
    is_table(cells == table.values.size(), "another number of values than keys ask for");
  }
  template <class IsTable>
  void check_exact(const Table& table, const IsTable& is_table) {
    const bool same_length =
        std::ranges::all_of(table.keys, [&](const auto& keys) { return keys.size() == table.values.size(); });
    is_table(same_length, "another number of values than of keys");
    for (std::size_t i = 1; same_length && i < table.values.size(); ++i) {
      const auto at = [&](std::size_t place) {
        return std::pair{table.keys.front()[place], table.keys.size() > 1 ? table.keys[1][place] : 0};
      };
      is_table(at(i - 1) < at(i), "keys that do not rise");
    }
  }

  const System& system_;
  std::vector<std::vector<ScalarType>> parameters_of_;  // by frame
  ValueId present_;
  std::vector<std::string> complaints_;
};

}  // namespace

std::vector<std::string> verify_ids(const System& system) { return IdVerifier(system).run(); }
std::vector<std::string> verify_types(const System& system) { return TypeVerifier(system).run(); }

}  // namespace wave::ir
