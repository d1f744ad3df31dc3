// Checks recurrences against integer arithmetic: they are equal where no weight needs rounding, and otherwise within
// the reported error.
#include "tests/unit/interpreter/direct.h"

#include <cmath>
#include <cstdlib>

using namespace wave;

namespace {

// Every cell of every event, in row-major order.
ir::RootId whole(test::Fixture& f, ir::EventId event) {
  ir::RowBlock block;
  std::vector<ir::ValueId> indices;
  for (const ir::Axis& axis : f.system[f.system[event].space].axes) {
    block.levels.push_back({f.b.binder(axis.name), axis.first, axis.last, f.b.integer(1), false, {}, f.site()});
    indices.push_back(f.b.index(block.levels.back().binder));
  }
  block.columns = {f.at(event, indices)};
  return f.b.root({f.system[event].name, {block}, {}});
}

struct Compared {
  double largest = 0;  // the largest difference over all cells
  double allowed = 0;  // the reported error
  bool is_exact = true;
};

Compared compare(test::Direct& direct) {
  test::Fixture f;
  const auto events = direct.build(f);
  std::vector<ir::RootId> roots;
  for (const auto event : events) roots.push_back(whole(f, event));
  for (const std::string& complaint : ir::verify(f.system)) FAIL_CHECK(complaint);
  const auto engine = backend::make_interpreter(f.system);
  const auto evaluation = engine->start({}, {});
  Compared result;
  for (std::size_t e = 0; e < events.size(); ++e) {
    const auto outcome = evaluation->evaluate(roots[e]);
    REQUIRE(std::holds_alternative<backend::Rows>(outcome));
    std::vector<std::int64_t> point = direct.first;
    for (const ir::Scalar cell : std::get<backend::Rows>(outcome).cells) {
      const auto expected = direct.value(static_cast<int>(e), point);
      const auto found = static_cast<__int128>(std::ldexp(cell.real, direct.bits));
      result.largest = std::max(result.largest, std::fabs(static_cast<double>(found - expected)));
      for (std::size_t axis = point.size(); axis-- > 0;) {
        if (++point[axis] <= direct.last[axis]) break;
        point[axis] = direct.first[axis];
      }
    }
  }
  for (const auto& report : evaluation->reports()) {
    result.is_exact = result.is_exact && report.quantum > 0;
    result.allowed = std::max(result.allowed, std::ldexp(report.error, direct.bits));
  }
  return result;
}

}  // namespace

TEST_CASE("where weights are multiples of the quantum, recurrences are exact") {
  for (std::uint64_t seed = 1; seed <= 300; ++seed) {
    INFO("seed " << seed);
    test::Direct direct = test::random_direct(seed, true);
    const Compared result = compare(direct);
    REQUIRE(result.is_exact);
    REQUIRE(result.largest == 0);
  }
}

TEST_CASE("elsewhere the difference stays within the reported error") {
  double largest = 0;
  for (std::uint64_t seed = 1; seed <= 300; ++seed) {
    INFO("seed " << seed);
    test::Direct direct = test::random_direct(seed, false);
    const Compared result = compare(direct);
    REQUIRE(result.is_exact);
    REQUIRE(result.largest <= result.allowed);
    largest = std::max(largest, result.largest);
  }
  CHECK(largest > 0);  // otherwise nothing was tested
}
