// Integers and conditions for many processes at a time: in bulk (plan_bulk.h), and as lines (plan_lines.h). Compared
// with the same values one by one.
#include "backend/failed.h"
#include "backend/processes/bulk/plan_bulk.h"
#include "backend/processes/bulk/plan_lines.h"
#include "ir/builder.h"
#include "ir/operations.h"
#include "tests/random/choices.h"
#include "tests/random/environment.h"
#include "tests/unit/plan/scalars.h"

#include <catch2/catch.hpp>

#include <limits>
#include <optional>

using namespace wave;
using namespace wave::backend::processes;
using ir::BinaryOp;
using ir::ValueId;

namespace {

constexpr std::int64_t most = std::numeric_limits<std::int64_t>::max(),
                       least = std::numeric_limits<std::int64_t>::min();

// OfIndices of two indices. Lines are along the second.
class OfIndices {
 public:
  OfIndices() : build(system), indices{build.binder("i"), build.binder("j")} {}

  ir::SiteId site() { return build.site(ir::FailureKind::integer_overflow, {}); }
  ValueId i() { return build.index(indices[0]); }
  ValueId j() { return build.index(indices[1]); }
  ValueId number(std::int64_t x) { return build.integer(x); }
  ValueId of(BinaryOp op, ValueId a, ValueId b) { return build.binary(op, a, b, site()); }

  ir::System system;
  ir::Builder build;
  std::vector<ir::BinderId> indices;
};

class Asked {
 public:
  explicit Asked(const OfIndices& values)
      : indices_(values.indices), scalars_(values.system), binders_(values.system) {}

  std::optional<LineScalars::Line> line(ValueId value, std::int64_t i, std::int64_t j, std::int64_t count) {
    scalars_.bind(indices_[0], i);
    scalars_.bind(indices_[1], j);
    LineScalars lines(scalars_, binders_, indices_);
    return lines.line(value, {i, j}, count);
  }
  // Nothing where one fails.
  std::optional<std::vector<std::int64_t>> bulk(ValueId value, std::int64_t i, std::int64_t j, std::int64_t count) {
    BulkScalars bulk(scalars_, binders_, indices_);
    for (std::int64_t k = 0; k < count; ++k) {
      bulk.places()[0].push_back(i);
      bulk.places()[1].push_back(j + k);
    }
    std::vector<std::int64_t> result(static_cast<std::size_t>(count));
    try {
      if (!bulk.evaluate(value, result.size(), result.data())) return std::nullopt;
    } catch (const backend::Failed&) {
      return std::nullopt;
    }
    return result;
  }
  std::optional<std::vector<std::int64_t>> one_by_one(ValueId value, std::int64_t i, std::int64_t j,
                                                      std::int64_t count) {
    std::vector<std::int64_t> result;
    try {
      for (std::int64_t k = 0; k < count; ++k) {
        scalars_.bind(indices_[0], i);
        scalars_.bind(indices_[1], j + k);
        const ir::Scalar x = scalars_.value(value);
        result.push_back(x.type == ir::ScalarType::boolean ? std::int64_t{x.boolean} : x.integer);
      }
    } catch (const backend::Failed&) {
      return std::nullopt;
    }
    return result;
  }

 private:
  const std::vector<ir::BinderId> indices_;
  test::PlainScalars scalars_;
  ir::FreeBinders binders_;
};

class RandomValues {
 public:
  RandomValues(std::uint64_t seed, OfIndices& values) : choose_(seed), values_(values) {}

  ValueId number(int depth) {
    if (depth == 0 || choose_.chance(0.15)) return leaf();
    switch (choose_.below(9)) {
      case 0: return values_.of(BinaryOp::add, number(depth - 1), number(depth - 1));
      case 1: return values_.of(BinaryOp::subtract, number(depth - 1), number(depth - 1));
      case 2: return values_.of(BinaryOp::multiply, number(depth - 1), number(depth - 1));
      case 3: return values_.of(BinaryOp::floor_divide, number(depth - 1), divisor());
      case 4: return values_.of(BinaryOp::modulo, number(depth - 1), divisor());
      case 5: return values_.build.negate(number(depth - 1), values_.site());
      case 6: return values_.build.maximum({number(depth - 1), number(depth - 1)});
      case 7: return values_.build.minimum({number(depth - 1), number(depth - 1), number(depth - 1)});
      default: return values_.build.select(condition(depth - 1), number(depth - 1), number(depth - 1));
    }
  }
  ValueId condition(int depth) {
    const auto compared = [&](BinaryOp op) {
      const int below = depth == 0 ? 0 : depth - 1;
      return values_.of(op, number(below), number(below));
    };
    switch (choose_.below(depth == 0 ? 6 : 9)) {
      case 0: return compared(BinaryOp::less);
      case 1: return compared(BinaryOp::less_equal);
      case 2: return compared(BinaryOp::greater);
      case 3: return compared(BinaryOp::greater_equal);
      case 4: return compared(BinaryOp::equal);
      case 5: return compared(BinaryOp::not_equal);
      case 6: return values_.build.logical_not(condition(depth - 1));
      case 7: return values_.build.logical_and(condition(depth - 1), condition(depth - 1));
      default: return values_.build.logical_or(condition(depth - 1), condition(depth - 1));
    }
  }

 private:
  ValueId leaf() {
    const std::vector<std::int64_t> large{most, most - 9, least, least + 9, std::int64_t{1} << 61};
    if (choose_.chance(0.05)) return values_.number(choose_.one_of(large));
    if (choose_.chance(0.3)) return values_.number(choose_.between(-3, 12));
    return choose_.chance(0.3) ? values_.i() : values_.j();
  }
  ValueId divisor() {
    return choose_.chance(0.8) ? values_.number(choose_.one_of(std::vector<std::int64_t>{1, 2, 3, 5, 8, 64, -4, 0}))
                               : leaf();
  }

  test::Choices choose_;
  OfIndices& values_;
};

}  // namespace

TEST_CASE("random integers and conditions are the same in bulk, and on lines, as one by one") {
  const std::uint64_t first = test::number_from("WAVE_RANDOM_SEED", 1), count = test::rounds_of(4000);
  std::size_t lines = 0, failed = 0;
  for (std::uint64_t seed = first; seed < first + count; ++seed) {
    INFO("seed " << seed);
    OfIndices values;
    RandomValues maker(seed, values);
    const ValueId value = seed % 3 == 0 ? maker.condition(4) : maker.number(4);
    test::Choices choose(seed);
    const std::int64_t i = choose.between(1, 9), j = choose.between(1, 70), length = choose.between(1, 9);
    Asked asked(values);
    const auto expected = asked.one_by_one(value, i, j, length);
    failed += !expected;
    CHECK(asked.bulk(value, i, j, length) == expected);
    const auto line = [&]() -> std::optional<LineScalars::Line> {
      try {
        return asked.line(value, i, j, length);
      } catch (const backend::Failed&) {
        return std::nullopt;  // of what looks at no index
      }
    }();
    if (!line) continue;
    ++lines;
    REQUIRE(expected);
    for (std::size_t k = 0; k < expected->size(); ++k)
      REQUIRE((*expected)[k] == line->first + line->step * static_cast<std::int64_t>(k));
  }
  CHECK(lines * 3 > count);
  CHECK(failed * 20 > count);
}

TEST_CASE("what rises evenly is found to be a line, as far as integers go") {
  OfIndices v;
  struct Form {
    const char* text;
    ValueId value;
    std::optional<std::pair<std::int64_t, std::int64_t>> line;  // for i = 3 and 32 <= j <= 39
  };
  const auto n = [&](std::int64_t x) { return v.number(x); };
  const auto of = [&](BinaryOp op, ValueId a, ValueId b) { return v.of(op, a, b); };
  const ValueId i = v.i(), j = v.j(), from_0 = of(BinaryOp::subtract, j, n(32));
  const auto is = [](std::int64_t first, std::int64_t step) { return std::optional(std::pair(first, step)); };
  const std::vector<Form> forms{
      {"j", j, is(32, 1)},
      {"i", i, is(3, 0)},
      {"-j", v.build.negate(j, v.site()), is(-32, -1)},
      {"j + i * 5", of(BinaryOp::add, j, of(BinaryOp::multiply, i, n(5))), is(47, 1)},
      {"j * i", of(BinaryOp::multiply, j, i), is(96, 3)},
      {"i * j", of(BinaryOp::multiply, i, j), is(96, 3)},
      {"j * j", of(BinaryOp::multiply, j, j), {}},
      {"j div 8", of(BinaryOp::floor_divide, j, n(8)), is(4, 0)},
      {"j mod 8", of(BinaryOp::modulo, j, n(8)), is(0, 1)},
      {"(j + 32) mod 36", of(BinaryOp::modulo, of(BinaryOp::add, j, n(32)), n(36)), is(28, 1)},
      {"(j + 32) mod 33", of(BinaryOp::modulo, of(BinaryOp::add, j, n(32)), n(33)), {}},
      {"j mod 100", of(BinaryOp::modulo, j, n(100)), is(32, 1)},
      {"(j + 180) mod 100", of(BinaryOp::modulo, of(BinaryOp::add, j, n(180)), n(100)), is(12, 1)},
      {"200 div j", of(BinaryOp::floor_divide, n(200), j), {}},
      {"j div -8", of(BinaryOp::floor_divide, j, n(-8)), {}},
      {"j < 40", of(BinaryOp::less, j, n(40)), is(1, 0)},
      {"j < 39", of(BinaryOp::less, j, n(39)), {}},
      {"j >= 32", of(BinaryOp::greater_equal, j, n(32)), is(1, 0)},
      {"j > 39", of(BinaryOp::greater, j, n(39)), is(0, 0)},
      {"j == 31", of(BinaryOp::equal, j, n(31)), is(0, 0)},
      {"j == 35", of(BinaryOp::equal, j, n(35)), {}},
      {"j == 39", of(BinaryOp::equal, j, n(39)), {}},
      {"j != 40", of(BinaryOp::not_equal, j, n(40)), is(1, 0)},
      {"j + i == j + 3", of(BinaryOp::equal, of(BinaryOp::add, j, i), of(BinaryOp::add, j, n(3))), is(1, 0)},
      {"not (j < 40)", v.build.logical_not(of(BinaryOp::less, j, n(40))), is(0, 0)},
      {"not (j > 40)", v.build.logical_not(of(BinaryOp::greater, j, n(40))), is(1, 0)},
      {"j > 31 and i == 3", v.build.logical_and(of(BinaryOp::greater, j, n(31)), of(BinaryOp::equal, i, n(3))),
       is(1, 0)},
      {"max(j, 10, i)", v.build.maximum({j, n(10), i}), is(32, 1)},
      {"min(j, 50)", v.build.minimum({j, n(50)}), is(32, 1)},
      {"max(j, 35)", v.build.maximum({j, n(35)}), {}},
      {"if j < 40 then j else i", v.build.select(of(BinaryOp::less, j, n(40)), j, i), is(32, 1)},
      {"if j < 35 then j else i", v.build.select(of(BinaryOp::less, j, n(35)), j, i), {}},
      {"least + (j - 32)", of(BinaryOp::add, from_0, n(least)), is(least, 1)},
      {"most - (j - 32)", of(BinaryOp::subtract, n(most), from_0), is(most, -1)},
      {"most - 7 + (j - 32)", of(BinaryOp::add, from_0, n(most - 7)), is(most - 7, 1)},
      {"most - 6 + (j - 32)", of(BinaryOp::add, from_0, n(most - 6)), {}},
      {"least + 7 - (j - 32)", of(BinaryOp::subtract, n(least + 7), from_0), is(least + 7, -1)},
      {"least + 6 - (j - 32)", of(BinaryOp::subtract, n(least + 6), from_0), {}},
      {"most * (j - 32)", of(BinaryOp::multiply, from_0, n(most)), {}},
  };
  const ValueId real = v.build.to_real(j);
  Asked asked(v);
  for (const Form& form : forms) {
    INFO(form.text);
    const auto found = asked.line(form.value, 3, 32, 8);
    CHECK(found.has_value() == form.line.has_value());
    if (found && form.line) CHECK(std::pair(found->first, found->step) == *form.line);
  }
  CHECK(!asked.line(real, 3, 32, 8));
}
