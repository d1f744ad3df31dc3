// Chooses a leaf, an operator, a branch, a call, a loop or a table.
#include "tests/random/expressions.h"

#include "ir/operations.h"

#include <string>

namespace wave::test {

using ir::BinaryOp;
using ir::FailureKind;
using ir::ReduceKind;
using ir::ScalarType;
using ir::UnaryOp;
using ir::ValueId;

ir::SiteId Expressions::site(FailureKind kind) {
  return b_.site(kind, {}, "site " + std::to_string(b_.system().sites.size()));
}

ValueId Expressions::make(ScalarType type, const Surroundings& around, int depth, bool wild) {
  if (depth <= 0 || choose_.chance(0.15)) return leaf(type, around, wild);
  if (choose_.chance(0.3)) return any_type(type, around, depth, wild);
  switch (type) {
    case ScalarType::real: return real(around, depth - 1, wild);
    case ScalarType::integer: return integer(around, depth - 1, wild);
    case ScalarType::boolean: return boolean(around, depth - 1, wild);
  }
  return {};
}

// What only fails: an `error`, or a choice between such.
ValueId Expressions::failure(ScalarType type, const Surroundings& around, int depth) {
  if (depth == 0 || failures_.chance(0.5)) return b_.fail(site(FailureKind::error_called), type);
  std::vector<ValueId> known;
  for (const auto id : around.definitions)
    if (b_.system()[id].type == ScalarType::integer) known.push_back(b_.reference(id));
  const ValueId looked_at = known.empty() ? b_.integer(1) : failures_.one_of(known);
  const ValueId is_small = b_.less(looked_at, b_.integer(failures_.between(0, 4)));
  const ValueId first = failure(type, around, depth - 1);
  return b_.select(is_small, first, failure(type, around, depth - 1));
}

ValueId Expressions::leaf(ScalarType type, const Surroundings& around, bool wild) {
  if (wild && failures_.chance(0.06)) return failure(type, around, 2);
  std::vector<ValueId> known;
  for (const auto id : around.definitions) {
    if (b_.system()[id].type == type) known.push_back(b_.reference(id));
  }
  for (const auto id : around.parameters) {
    if (b_.system()[id].type == type) known.push_back(b_.parameter_value(id));
  }
  for (const auto& neighbour : around.neighbours) {
    if (b_.system()[neighbour.event].type == type) known.push_back(b_.neighbour(neighbour.event, neighbour.offset));
  }
  if (type == ScalarType::integer) {
    for (const auto binder : around.binders) known.push_back(b_.index(binder));
  }
  if (!known.empty() && choose_.chance(0.65)) return choose_.one_of(known);
  switch (type) {
    case ScalarType::real: return b_.real(wild ? choose_.wild_real() : choose_.tame_real());
    case ScalarType::integer: return b_.integer(wild ? choose_.wild_integer() : choose_.tame_integer());
    case ScalarType::boolean: return b_.boolean(choose_.chance(0.5));
  }
  return {};
}

ValueId Expressions::real(const Surroundings& around, int depth, bool wild) {
  static const std::vector<BinaryOp> safe = {BinaryOp::add, BinaryOp::subtract, BinaryOp::multiply};
  static const std::vector<BinaryOp> unsafe = {BinaryOp::add,          BinaryOp::multiply, BinaryOp::divide,
                                               BinaryOp::floor_divide, BinaryOp::modulo,   BinaryOp::power_real};
  static const std::vector<UnaryOp> safe_unary = {UnaryOp::negate, UnaryOp::absolute};
  static const std::vector<UnaryOp> unsafe_unary = {
      UnaryOp::negate,
      UnaryOp::square_root,
#define WAVE_CALLED(name, ...) UnaryOp::name,
#include "ir/operations.def"
  };
  switch (choose_.below(5)) {
    case 0: return b_.to_real(make(ScalarType::integer, around, depth, wild));
    case 1:
      return b_.unary(choose_.one_of(wild ? unsafe_unary : safe_unary), make(ScalarType::real, around, depth, wild),
                      site(FailureKind::outside_domain));
    case 2: return lookup(around, depth, wild);
    default: {
      const ValueId left = make(ScalarType::real, around, depth, wild);
      return b_.binary(choose_.one_of(wild ? unsafe : safe), left, make(ScalarType::real, around, depth, wild),
                       site(FailureKind::division_by_zero));
    }
  }
}

ValueId Expressions::integer(const Surroundings& around, int depth, bool wild) {
  static const std::vector<BinaryOp> safe = {BinaryOp::add, BinaryOp::subtract};
  static const std::vector<BinaryOp> unsafe = {BinaryOp::add, BinaryOp::multiply, BinaryOp::floor_divide,
                                               BinaryOp::modulo, BinaryOp::power_integer};
  static const std::vector<UnaryOp> from_real = {UnaryOp::floor, UnaryOp::ceil, UnaryOp::round, UnaryOp::to_integer};
  switch (choose_.below(4)) {
    case 0:
      if (wild) {
        return b_.unary(choose_.one_of(from_real), make(ScalarType::real, around, depth, wild),
                        site(FailureKind::not_representable));
      }
      return b_.binary(BinaryOp::modulo, make(ScalarType::integer, around, depth, wild),
                       b_.integer(choose_.between(2, 7)), site(FailureKind::division_by_zero));
    case 1:
      return b_.unary(choose_.chance(0.5) ? UnaryOp::negate : UnaryOp::absolute,
                      make(ScalarType::integer, around, depth, wild), site(FailureKind::integer_overflow));
    default: {
      const ValueId left = make(ScalarType::integer, around, depth, wild);
      return b_.binary(choose_.one_of(wild ? unsafe : safe), left, make(ScalarType::integer, around, depth, wild),
                       site(FailureKind::integer_overflow));
    }
  }
}

ValueId Expressions::boolean(const Surroundings& around, int depth, bool wild) {
  static const std::vector<BinaryOp> compare = {BinaryOp::less,          BinaryOp::less_equal, BinaryOp::greater,
                                                BinaryOp::greater_equal, BinaryOp::equal,      BinaryOp::not_equal};
  static const std::vector<BinaryOp> connect = {BinaryOp::logical_and, BinaryOp::logical_or, BinaryOp::equal,
                                                BinaryOp::not_equal};
  if (choose_.chance(0.15)) return b_.logical_not(make(ScalarType::boolean, around, depth, wild));
  const bool connects = choose_.chance(0.3);
  const ScalarType type = connects ? ScalarType::boolean : choose_.chance(0.5) ? ScalarType::real : ScalarType::integer;
  const ValueId left = make(type, around, depth, wild);
  return b_.binary(choose_.one_of(connects ? connect : compare), left, make(type, around, depth, wild));
}

ValueId Expressions::any_type(ScalarType type, const Surroundings& around, int depth, bool wild) {
  const auto inner = [&] { return make(type, around, depth - 1, wild); };
  switch (choose_.below(7)) {
    case 0:
    case 1: {
      const ValueId condition = make(ScalarType::boolean, around, depth - 1, wild);
      const ValueId if_true = inner();
      return b_.select(condition, if_true, inner());
    }
    case 2: {
      // The condition is mostly true; otherwise hardly anything would be evaluated.
      const ValueId condition =
          b_.logical_or(make(ScalarType::boolean, around, depth - 1, wild), b_.boolean(choose_.chance(0.9)));
      return b_.check(condition, inner(), site(FailureKind::require_failed));
    }
    case 3: return call(type, around, depth, wild);
    case 4: return reduce(type, around, depth, wild);
    case 5: {
      std::vector<ir::EventId> events;
      for (const auto event : around.readable) {
        if (b_.system()[event].type == type) events.push_back(event);
      }
      return events.empty() ? inner() : read(choose_.one_of(events), around);
    }
    default: {
      if (type == ScalarType::boolean) return inner();
      std::vector<ValueId> operands;
      for (std::size_t i = 0, count = 1 + choose_.below(4); i < count; ++i) operands.push_back(inner());
      return choose_.chance(0.5) ? b_.maximum(operands) : b_.minimum(operands);
    }
  }
}

ValueId Expressions::call(ScalarType type, const Surroundings& around, int depth, bool wild) {
  std::vector<Surroundings::Function> fitting;
  for (const auto& function : around.functions) {
    if (b_.system()[function.result].type == type) fitting.push_back(function);
  }
  if (fitting.empty() || around.loops > 1) return make(type, around, depth - 1, wild);
  const auto function = choose_.one_of(fitting);
  std::vector<ValueId> arguments;
  for (const ScalarType parameter : function.parameters) {
    arguments.push_back(parameter == ScalarType::integer ? small_integer(around)
                                                         : make(parameter, around, depth - 2, wild));
  }
  return b_.call(function.frame, function.result, arguments, site(FailureKind::recursion_too_deep));
}

std::vector<ir::Level> Expressions::levels(Surroundings& inner, bool wild) {
  std::vector<ir::Level> result;
  for (std::size_t i = 0, count = 1 + choose_.below(2); i < count; ++i) {
    ir::Level level;
    level.binder = b_.binder("k" + std::to_string(b_.system().binders.size()));
    level.site = site(FailureKind::no_progress);
    level.geometric = choose_.chance(0.2);
    const bool falls = !level.geometric && choose_.chance(0.2);
    level.first = level.geometric ? b_.integer(choose_.between(1, 3))
                  : falls         ? b_.integer(choose_.between(2, 5))
                                  : small_integer(inner);
    level.last = level.geometric ? b_.integer(choose_.between(0, 20))
                 : falls         ? b_.integer(choose_.between(-1, 4))
                                 : small_integer(inner);
    const std::int64_t step = level.geometric ? choose_.between(2, 3)
                              : falls         ? choose_.between(-3, -1)
                                              : choose_.between(1, 3);
    level.step = b_.integer(wild && choose_.chance(0.1) ? 0 : step);
    inner.binders.push_back(level.binder);
    if (choose_.chance(0.3)) level.filter = make(ScalarType::boolean, inner, 1, wild);
    result.push_back(level);
  }
  return result;
}

ValueId Expressions::reduce(ScalarType type, const Surroundings& around, int depth, bool wild) {
  if (around.loops > 1) return make(type, around, depth - 1, wild);
  Surroundings inner = around;
  ++inner.loops;
  const auto loops = levels(inner, wild);
  const ir::SiteId place = site(FailureKind::empty_reduction);
  const auto body = [&](ScalarType of) { return make(of, inner, depth - 2, wild); };
  if (type == ScalarType::boolean) {
    return b_.reduce(choose_.chance(0.5) ? ReduceKind::any : ReduceKind::all, loops, body(type), {}, place);
  }
  switch (choose_.below(7)) {
    case 0: return b_.reduce(wild ? ReduceKind::product : ReduceKind::sum, loops, body(type), {}, place);
    case 1: return b_.reduce(ReduceKind::maximum, loops, body(type), {}, place);
    case 2: return b_.reduce(ReduceKind::minimum, loops, body(type), {}, place);
    case 3:
    case 4: {
      const ValueId measure = body(ScalarType::real);
      return b_.reduce(choose_.chance(0.5) ? ReduceKind::arg_min : ReduceKind::arg_max, loops, measure, body(type),
                       place);
    }
    case 5: return b_.reduce(ReduceKind::nth, loops, body(type), b_.integer(choose_.between(wild ? -1 : 1, 3)), place);
    default:
      if (type == ScalarType::integer) return b_.reduce(ReduceKind::count, loops, {}, {}, place);
      return b_.reduce(ReduceKind::sum, loops, body(type), {}, place);
  }
}

ValueId Expressions::lookup(const Surroundings& around, int depth, bool wild) {
  if (around.tables.empty()) return make(ScalarType::real, around, depth, wild);
  const ir::TableId table = choose_.one_of(around.tables);
  std::vector<ValueId> keys;
  for (const auto& axis : b_.system().tables[table.index].keys) {
    const ValueId key = make(ScalarType::real, around, depth - 1, wild);
    // Most keys lie inside the table.
    const ValueId inside = b_.minimum({b_.maximum({key, b_.real(axis.front())}), b_.real(axis.back())});
    keys.push_back(wild || choose_.chance(0.1) ? key : inside);
  }
  return b_.lookup(table, keys, site(FailureKind::outside_table));
}

ValueId Expressions::weight(const Surroundings& around) {
  if (choose_.chance(options_.wild / 3)) return make(ScalarType::real, around, 3, true);
  return make(ScalarType::real, around, static_cast<int>(choose_.below(4)), false);
}

// From -1 to 5.
ValueId Expressions::small_integer(const Surroundings& around) {
  if (choose_.chance(0.6)) return b_.integer(choose_.between(-1, 5));
  const ValueId any = leaf(ScalarType::integer, around, false);
  return b_.binary(BinaryOp::modulo, any, b_.integer(5), site(FailureKind::division_by_zero));
}

ValueId Expressions::read(ir::EventId event, const Surroundings& around) {
  const ir::Space& space = b_.system()[b_.system()[event].space];
  std::vector<ValueId> indices;
  for (const ir::Axis& axis : space.axes) {
    const ValueId ends[] = {axis.first, axis.last};
    const bool at_end = choose_.chance(0.5);
    const bool has_own_parameters = b_.system()[event].frame != ir::System::root_frame;
    indices.push_back(at_end && !has_own_parameters ? ends[choose_.below(2)] : small_integer(around));
  }
  const bool may_be_absent = around.in_event && choose_.chance(0.7);
  return b_.read(event, indices, may_be_absent ? ir::SiteId{} : site(FailureKind::index_off_grid));
}

}  // namespace wave::test
