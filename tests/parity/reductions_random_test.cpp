// Random nests of reductions in vector lanes have the interpreter's bits and failures, whatever the lanes, the pieces
// and the threads are. WAVE_RANDOM_SEED and WAVE_RANDOM_COUNT choose other nests.
#include "ir/operations.h"
#include "tests/parity/reductions.h"
#include "tests/parity/systems.h"
#include "tests/random/choices.h"
#include "tests/random/environment.h"

#include <catch2/catch.hpp>
#include <fmt/format.h>

#include <algorithm>

using namespace wave;
using namespace wave::parity;
using wave::test::Choices;
using wave::test::number_from;
using wave::test::rounds_of;

namespace {

// What a random expression may read.
struct Scope {
  std::vector<ValueId> integers, reals;
  std::vector<ir::DefinitionId> functions;  // of (integer, real)
  int loops = 0;
};

class Random {
 public:
  explicit Random(std::uint64_t seed) : choose_(seed) {}

  void make() {
    Scope root;
    for (const std::int64_t n : {40, 70, 3})
      root.integers.push_back(model.parameter("n", model.build.integer(n + choose_.between(-3, 3))));
    for (const double x : {2.5, -0.0, choose_.tame_real()})
      root.reals.push_back(model.parameter("x", model.build.real(x)));
    for (int i = 0; i < 3; ++i) {
      root.integers.push_back(define(ir::System::root_frame, integer(root, 2)));
      root.reals.push_back(define(ir::System::root_frame, real(root, 2)));
    }
    for (int i = 0; i < 2; ++i) make_function(root);
    for (int i = 0; i < 6; ++i) {
      const bool is_integer = choose_.chance(0.4);
      model.root("reduced", {is_integer ? reduction(root, ScalarType::integer) : reduction(root, ScalarType::real)});
    }
  }

  Model model;

 private:
  ir::Builder& build() { return model.build; }
  ValueId define(ir::FrameId frame, ValueId value) { return build().reference(build().define(frame, "d", value)); }
  ir::SiteId site(FailureKind kind) { return model.site(kind); }

  void make_function(Scope& root) {
    const ir::FrameId frame = build().frame("f", ir::System::root_frame);
    Scope inside = root;
    inside.loops = 1;
    inside.integers.push_back(build().parameter_value(build().parameter(frame, "k", ScalarType::integer)));
    inside.reals.push_back(build().parameter_value(build().parameter(frame, "y", ScalarType::real)));
    inside.reals.push_back(define(frame, real(inside, 2)));
    root.functions.push_back(build().define(frame, "result", real(inside, 3)));
  }

  ValueId integer(Scope& in, int depth) {
    if (depth == 0 || choose_.chance(0.15))
      return choose_.chance(0.7) ? recent(in.integers) : build().integer(choose_.tame_integer());
    const auto left = [&] { return integer(in, depth - 1); };
    switch (choose_.below(10)) {
      case 0: return build().add(left(), left(), site(FailureKind::integer_overflow));
      case 1: return build().subtract(left(), left(), site(FailureKind::integer_overflow));
      case 2: return build().multiply(left(), left(), site(FailureKind::integer_overflow));
      case 3: return build().binary(BinaryOp::floor_divide, left(), divisor(in), site(FailureKind::division_by_zero));
      case 4: return build().binary(BinaryOp::modulo, left(), divisor(in), site(FailureKind::division_by_zero));
      case 5: return choose_.chance(0.5) ? build().maximum({left(), left()}) : build().minimum({left(), left()});
      case 6: return build().select(boolean(in, depth - 1), left(), left());
      case 7:
        return build().unary(choose_.chance(0.5) ? UnaryOp::floor : UnaryOp::round, real(in, depth - 1),
                             site(FailureKind::not_representable));
      case 8: return in.loops < 3 && choose_.chance(0.5) ? reduction(in, ScalarType::integer) : left();
      default:
        return choose_.chance(0.03) ? build().fail(site(FailureKind::error_called), ScalarType::integer) : left();
    }
  }

  ValueId divisor(Scope& in) {
    if (choose_.chance(0.75)) return build().integer(choose_.one_of(std::vector<std::int64_t>{1, 2, 3, 7, 8, -3, 101}));
    return choose_.chance(0.7) ? build().maximum({build().integer(1), integer(in, 1)}) : integer(in, 1);
  }

  ValueId real(Scope& in, int depth) {
    if (depth == 0 || choose_.chance(0.12)) {
      if (choose_.chance(0.5)) return recent(in.reals);
      if (choose_.chance(0.5)) return build().to_real(recent(in.integers));
      return build().real(choose_.chance(0.15) ? choose_.wild_real() : choose_.tame_real());
    }
    const auto left = [&] { return real(in, depth - 1); };
    switch (choose_.below(11)) {
      case 0: return build().add(left(), left());
      case 1: return build().subtract(left(), left());
      case 2: return build().multiply(left(), left());
      case 3: {
        const ValueId by = choose_.chance(0.8) ? build().maximum({left(), build().real(0.5)}) : left();
        return build().divide(left(), by, site(FailureKind::division_by_zero));
      }
      case 4: return choose_.chance(0.5) ? build().maximum({left(), left()}) : build().minimum({left(), left()});
      case 5: return build().select(boolean(in, depth - 1), left(), left());
      case 6: return build().to_real(integer(in, depth - 1));
      case 7:
        return build().unary(UnaryOp::square_root, build().unary(UnaryOp::absolute, left()),
                             site(FailureKind::outside_domain));
      case 8: return in.loops < 3 && choose_.chance(0.5) ? reduction(in, ScalarType::real) : left();
      case 9: {
        if (in.functions.empty()) return left();
        const ir::DefinitionId f = choose_.one_of(in.functions);
        return build().call(model.system[f].frame, f, {integer(in, depth - 1), left()},
                            site(FailureKind::recursion_too_deep));
      }
      default:
        if (choose_.chance(0.9)) return build().negate(left());
        return build().check(build().less(recent(in.integers), integer(in, 1)), left(),
                             site(FailureKind::require_failed));
    }
  }

  ValueId boolean(Scope& in, int depth) {
    const auto left = [&] { return boolean(in, depth - 1); };
    if (depth > 0 && choose_.chance(0.2))
      return choose_.chance(0.5) ? build().logical_and(left(), left()) : build().logical_or(left(), left());
    if (depth > 0 && in.loops < 3 && choose_.chance(0.1)) return reduction(in, ScalarType::boolean);
    const int inner = std::max(0, depth - 1);
    if (choose_.chance(0.3)) return build().less(real(in, inner), real(in, inner));
    if (choose_.chance(0.5)) return build().less_equal(integer(in, inner), integer(in, inner));
    return build().equal(
        build().binary(BinaryOp::modulo, integer(in, inner), build().integer(3), site(FailureKind::division_by_zero)),
        build().integer(1));
  }

  // The last ones are binders.
  ValueId recent(const std::vector<ValueId>& values) {
    return choose_.chance(0.5) ? values.back() : choose_.one_of(values);
  }

  ir::Level level(Scope& in, ir::BinderId binder) {
    const std::int64_t length = in.loops == 0   ? choose_.between(15, 90)
                                : in.loops == 1 ? choose_.between(0, 40)
                                                : choose_.between(0, 6);
    const ValueId first = choose_.chance(0.6) ? build().integer(choose_.between(-4, 4)) : recent(in.integers);
    // Keeps the range from being too long, wherever it begins.
    const ValueId least = build().maximum({build().minimum({first, build().integer(1000)}), build().integer(-1000)});
    ir::Level made =
        model.level(binder, least, build().add(least, build().integer(length), site(FailureKind::integer_overflow)));
    if (choose_.chance(0.2))
      std::swap(made.first, made.last), made.step = build().integer(-choose_.between(1, 3));
    else if (choose_.chance(0.2))
      made.step = build().integer(choose_.between(0, 20) == 0 ? 0 : choose_.between(1, 3));
    if (choose_.chance(0.05)) made.first = build().integer(1), made.geometric = true, made.step = build().integer(2);
    return made;
  }

  ValueId reduction(Scope& outer, ScalarType type) {
    Scope in = outer;
    std::vector<ir::Level> levels;
    const int depth = in.loops < 2 && choose_.chance(0.2) ? 2 : 1;
    for (int i = 0; i < depth; ++i) {
      const ir::BinderId binder = build().binder("k" + std::to_string(model.system.binders.size()));
      ir::Level made = level(in, binder);
      ++in.loops;
      in.integers.push_back(build().index(binder));
      if (choose_.chance(0.25)) made.filter = boolean(in, 2);
      levels.push_back(made);
    }
    const ir::SiteId of_nothing = site(FailureKind::empty_reduction);
    const auto reduce = [&](ReduceKind kind, ValueId body, ValueId value = {}) {
      return build().reduce(kind, levels, body, value, of_nothing);
    };
    if (type == ScalarType::boolean)
      return reduce(choose_.chance(0.5) ? ReduceKind::any : ReduceKind::all, boolean(in, 2));
    const bool is_real = type == ScalarType::real;
    const auto body = [&] { return is_real ? real(in, 4) : integer(in, 3); };
    switch (choose_.below(is_real ? 8 : 9)) {
      case 0:
      case 1: return reduce(ReduceKind::sum, body());
      case 2: return reduce(ReduceKind::product, body());
      case 3:
      case 4: return reduce(ReduceKind::maximum, body());
      case 5: return reduce(ReduceKind::minimum, body());
      case 6: return reduce(choose_.chance(0.5) ? ReduceKind::arg_max : ReduceKind::arg_min, real(in, 3), body());
      case 7: return reduce(ReduceKind::nth, body(), build().integer(choose_.between(0, 60)));
      default: return reduce(ReduceKind::count, {});
    }
  }

  Choices choose_;
};

jit::LaneWishes wishes_for_reductions(Choices& choose) {
  jit::LaneWishes wishes;
  wishes.always = true;
  wishes.lanes = choose.one_of(std::vector<int>{0, 2, 4, 8, 16, 32});
  wishes.threads = static_cast<int>(choose.between(1, 3));
  wishes.steps = choose.chance(0.5) ? 0 : static_cast<int>(choose.between(1, 50));
  return wishes;
}

}  // namespace

TEST_CASE("random reductions in lanes have the interpreter's bits and failures") {
  const std::uint64_t first = number_from("WAVE_RANDOM_SEED", 1), count = rounds_of(40);
  std::uint64_t in_lanes = 0;
  std::size_t failures = 0, roots = 0;
  for (std::uint64_t seed = first; seed < first + count; ++seed) {
    Random random(seed);
    random.make();
    Choices choose(seed);
    const jit::LaneWishes wishes = wishes_for_reductions(choose);
    const LaneWish wish(wishes);
    const CheckedReductions checked = check_reductions(random.model.system);
    INFO(fmt::format("seed {}: {} lanes, {} threads, {} steps", seed, wishes.lanes, wishes.threads, wishes.steps));
    CHECK(checked.difference == "");
    in_lanes += checked.in_lanes, failures += checked.failures, roots += checked.roots;
  }
  CAPTURE(in_lanes, failures, roots);
  CHECK(in_lanes > 100 * count);
  CHECK(failures * 10 < roots * 8);
}
