// Models written for many cases, as those of a library are: functions of indices that do not look at them, and nodes
// with as many processes as a parameter says. The forms that the end of lowering gives them have the same values and
// failures, and the interpreter and the JIT agree on them. WAVE_RANDOM_SEED and WAVE_RANDOM_COUNT choose other models.
#include "ir/arithmetic.h"
#include "ir/operations.h"
#include "ir/passes.h"
#include "ir/verify.h"
#include "tests/parity/compare.h"
#include "tests/parity/systems.h"
#include "tests/random/choices.h"
#include "tests/random/environment.h"

#include <catch2/catch.hpp>

using namespace wave;
using namespace wave::parity;

namespace {

// Costs are small whole numbers, so that no sum of them rounds, whatever the quantum is.
class Generator {
 public:
  explicit Generator(std::uint64_t seed) : choose_(seed) {}

  void make() {
    n_ = m_.parameter("n", b_.integer(choose_.between(1, 6)));
    k_ = m_.parameter("k", b_.integer(choose_.between(1, 6)));
    on_node_[0] = m_.parameter("D", b_.integer(choose_.between(choose_.chance(0.05) ? 0 : 1, 2)));
    on_node_[1] = m_.parameter("E", b_.integer(choose_.chance(0.7) ? 1 : choose_.between(2, 3)));
    flag_ = m_.parameter("flag", b_.integer(choose_.between(0, 1)));
    zero_ = m_.parameter("z", b_.integer(choose_.chance(0.1) ? 0 : 1));
    may_fail_ = choose_.chance(0.2);
    for (int i = 0; i < 3; ++i) add_function();
    grid_ = m_.grid({"i", "j"}, {n_, k_});
    if (choose_.chance(0.9)) check_nodes();
    add_start();
    if (choose_.chance(0.4)) add_follower();
    for (const ir::EventId event : events_) add_roots(event);
  }

  Model& model() { return m_; }

 private:
  ValueId cost() { return b_.real(static_cast<double>(choose_.between(0, 40))); }
  ValueId index(std::size_t axis) { return m_.index(grid_, axis); }
  ValueId moved(ValueId x, std::int64_t by) {
    return b_.add(x, b_.integer(by), m_.site(FailureKind::integer_overflow));
  }
  ValueId divide(ValueId a, ValueId by) {
    return b_.binary(BinaryOp::floor_divide, a, by, m_.site(FailureKind::division_by_zero));
  }

  // A function of two indices. It looks at none, one, one in a branch, or both, or at what another function looks at.
  void add_function() {
    const ir::FrameId frame = b_.frame("f", ir::System::root_frame);
    const ValueId i = b_.parameter_value(b_.parameter(frame, "i", ScalarType::integer));
    const ValueId j = b_.parameter_value(b_.parameter(frame, "j", ScalarType::integer));
    const std::size_t kind = choose_.below(functions_.empty() ? 5 : 7);
    ValueId body = cost();
    if (kind == 1) body = b_.add(cost(), b_.to_real(choose_.chance(0.5) ? i : j));
    if (kind == 2) body = b_.select(b_.equal(flag_, b_.integer(1)), b_.to_real(i), cost());
    if (kind == 3) body = b_.multiply(b_.to_real(on_node_[0]), cost());
    if (kind == 4) body = b_.multiply(b_.to_real(may_fail_ ? divide(i, zero_) : i), b_.to_real(j));
    if (kind >= 5) body = b_.add(cost(), call(choose_.one_of(functions_), i, choose_.chance(0.5) ? i : j));
    functions_.push_back(b_.define(frame, "f", body));
  }

  ValueId call(ir::DefinitionId body, ValueId i, ValueId j) {
    return b_.call(m_.system[body].frame, body, {i, j}, m_.site(FailureKind::recursion_too_deep));
  }

  ValueId argument(std::size_t axis) {
    if (may_fail_ && choose_.chance(0.3)) return divide(index(axis), zero_);
    return moved(index(axis), choose_.between(-1, 1));
  }

  // Whether a cell and its predecessor along the axis share a node, in the form in which `same_node` is lowered.
  ValueId same_node(std::size_t axis) {
    const auto block = [&](ValueId x) { return divide(moved(x, -1), on_node_[axis]); };
    const ValueId shared = b_.equal(block(moved(index(axis), -1)), block(index(axis)));
    return b_.logical_and(b_.binary(BinaryOp::not_equal, on_node_[axis], b_.integer(1)), shared);
  }

  void check_nodes() {
    for (std::size_t axis = 0; axis < 2; ++axis) {
      ValueId& last = m_.system.spaces[grid_.index].axes[axis].last;
      last = b_.check(b_.less_equal(b_.integer(1), on_node_[axis]), last, m_.site(FailureKind::require_failed));
    }
  }

  ValueId weight(std::size_t axis) {
    switch (choose_.below(6)) {
      case 0: return cost();
      case 1: return b_.select(same_node(axis), cost(), cost());
      case 2:
        return b_.select(b_.logical_or(b_.equal(flag_, b_.integer(1)), same_node(axis)), cost(), b_.to_real(index(0)));
      case 3:
        return b_.select(b_.equal(flag_, b_.integer(1)), call(choose_.one_of(functions_), argument(0), argument(1)),
                         cost());
      default: return call(choose_.one_of(functions_), argument(0), argument(1));
    }
  }

  std::vector<ValueId> weights(std::size_t axis) {
    std::vector<ValueId> result;
    for (std::size_t count = 1 + choose_.below(3); count > 0; --count) result.push_back(weight(axis));
    return result;
  }

  void add_start() {
    const ir::EventId start = m_.event("start", grid_);
    m_.constrain(start, start, {-1, 0}, weights(0));
    m_.constrain(start, start, {0, -1}, weights(1));
    if (choose_.chance(0.2)) m_.constrain(start, start, {-1, -1}, weights(choose_.below(2)));
    m_.system[start].otherwise = {choose_.chance(0.5) ? cost() : weight(0)};
    events_.push_back(start);
  }

  void add_follower() {
    const ir::EventId follower = m_.event("finish", grid_);
    m_.constrain(follower, events_.back(), {0, 0}, weights(0));
    events_.push_back(follower);
  }

  void add_roots(ir::EventId event) {
    m_.root("corner", {m_.read(event, {n_, k_}), m_.read(event, {b_.integer(1), k_})});
    m_.root("off the grid", {m_.read(event, {moved(n_, 1), k_})});
    m_.root_of_all("all", event);
  }

  test::Choices choose_;
  Model m_;
  ir::Builder& b_ = m_.build;
  ValueId n_, k_, on_node_[2], flag_, zero_;
  bool may_fail_ = false;
  std::vector<ir::DefinitionId> functions_;
  ir::SpaceId grid_;
  std::vector<ir::EventId> events_;
};

std::unique_ptr<backend::Engine> interpreter(const ir::System& system, bool shortcuts = false) {
  backend::EngineOptions options;
  options.shortcuts = shortcuts;
  auto made = backend::make_engine(backend::EngineKind::interpreter, system, options);
  return std::get<std::unique_ptr<backend::Engine>>(std::move(made));
}

bool is_same(const backend::Outcome& a, const backend::Outcome& b) {
  if (a.index() != b.index()) return false;
  if (const auto* failure = std::get_if<ir::Failure>(&a)) return failure->kind == std::get<ir::Failure>(b).kind;
  const auto& left = std::get<backend::Rows>(a).cells;
  const auto& right = std::get<backend::Rows>(b).cells;
  return left.size() == right.size() && std::equal(left.begin(), left.end(), right.begin(), ir::arithmetic::same_bits);
}

}  // namespace

TEST_CASE("models written for many cases mean the same after lowering has ended, in both engines") {
  const std::uint64_t first = test::number_from("WAVE_RANDOM_SEED", 1), count = test::rounds_of(120);
  std::size_t with_fewer_arguments = 0, with_second_form = 0, failed = 0, asked = 0;
  for (std::uint64_t seed = first; seed < first + count; ++seed) {
    INFO("seed " << seed);
    Generator generator(seed);
    generator.make();
    const ir::System& before = generator.model().system;
    const ir::System after = ir::end_lowering(before);
    const auto complaints = ir::verify(after);
    if (!complaints.empty()) FAIL(complaints.front());
    with_fewer_arguments += after.parameters.size() < before.parameters.size() ? 1 : 0;
    with_second_form += after.events.size() > before.events.size() ? 1 : 0;
    const auto one = interpreter(before), other = interpreter(after), quick = interpreter(after, true);
    for (const std::int64_t processes : {0, 1, 2}) {
      INFO(processes << " processes on a node");
      const std::vector<backend::Binding> bindings{{generator.model().definition("D"), ir::Scalar::of(processes)}};
      const auto as_written = one->start(bindings, {}), as_lowered = other->start(bindings, {}),
                 proved = quick->start(bindings, {});
      for (std::uint32_t i = 0; i < before.roots.size(); ++i) {
        const auto outcome = as_written->evaluate(ir::RootId{i});
        INFO("root " << before.roots[i].name);
        const auto lowered = as_lowered->evaluate(ir::RootId{i});
        REQUIRE(is_same(outcome, lowered));
        REQUIRE(difference(after, lowered, proved->evaluate(ir::RootId{i})) == "");
        ++asked;
        failed += std::holds_alternative<ir::Failure>(outcome) ? 1 : 0;
      }
      if (seed % 12 == 0) CHECK(compare(after, bindings).difference == "");
    }
  }
  CHECK(with_fewer_arguments * 4 > count);
  CHECK(with_second_form * 4 > count);
  CHECK(failed * 4 < asked * 3);  // a third of the questions are off the grid, and a third find no process on a node
}
