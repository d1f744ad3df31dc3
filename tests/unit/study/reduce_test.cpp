// A study that is reduced gives what a plain look at all its points gives, to the bit, however it is divided.
#include "analysis/study/reduce/reduced_study.h"
#include "tests/unit/study/random_study.h"

#include <boost/multiprecision/cpp_int.hpp>
#include <catch2/catch.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <map>

using namespace wave;
using namespace wave::analysis;
using test::below;
using test::Random;
using test::RandomStudy;

namespace {

using Rational = boost::multiprecision::cpp_rational;

std::unique_ptr<ReducedStudy> make(const StudyDescription& study) {
  auto made = ReducedStudy::make(study);
  REQUIRE(std::holds_alternative<std::unique_ptr<ReducedStudy>>(made));
  return std::get<std::unique_ptr<ReducedStudy>>(std::move(made));
}

std::unique_ptr<ReducedStudy> in_one_piece(const RandomStudy& study) {
  auto whole = make(study.description);
  do whole->take(study.chunk({0, study.points()}));
  while (whole->begin_next_pass());
  return whole;
}

// Parts take ranges in any order, and are merged in any order, some with what others have merged.
std::unique_ptr<ReducedStudy> divided(Random& random, const RandomStudy& study) {
  auto whole = make(study.description);
  do {
    std::vector<std::unique_ptr<ReducedStudy>> parts(1 + below(random, 5));
    for (auto& part : parts) REQUIRE((part = make(study.description))->follow(whole->plan()));
    for (const auto& range : test::random_ranges(random, study.points()))
      parts[below(random, parts.size())]->take(study.chunk(range));
    std::shuffle(parts.begin(), parts.end(), random);
    while (parts.size() > 1 && below(random, 2) == 0) {
      CHECK(parts.back()->merge(parts.front()->encode()).empty());
      parts.erase(parts.begin());
    }
    for (const auto& part : parts) CHECK(whole->merge(part->encode()).empty());
    CHECK(whole->inconsistency().empty());
    auto again = make(study.description);
    REQUIRE(again->decode(whole->encode()));
    CHECK(again->encode() == whole->encode());
    whole = std::move(again);
  } while (whole->begin_next_pass());
  return whole;
}

const ReducedColumn& column(const ReducedTable& table, const std::string& name) {
  const auto found = std::find_if(table.columns.begin(), table.columns.end(),
                                  [&](const auto& one) { return one.column.name == name; });
  REQUIRE(found != table.columns.end());
  return *found;
}
std::vector<std::int64_t> wholes(const ReducedTable& table, const std::string& name) {
  return std::get<std::vector<std::int64_t>>(column(table, name).cells.values);
}
std::vector<double> reals(const ReducedTable& table, const std::string& name) {
  return std::get<std::vector<double>>(column(table, name).cells.values);
}

// A value that counts, of a point that was not given up, without rounding.
template <class Value>
std::optional<long double> value(const RandomStudy& study, const std::vector<std::optional<Value>>& values,
                                 std::uint64_t i) {
  static_assert(std::numeric_limits<long double>::digits >= 64);
  return values[i] && !study.was_given_up(i) ? std::optional<long double>(*values[i]) : std::nullopt;
}

std::vector<double> sorted_totals(const RandomStudy& study) {
  std::vector<double> all;
  for (std::uint64_t i = 0; i < study.points(); ++i) {
    if (const auto one = value(study, study.total, i)) all.push_back(static_cast<double>(*one));
  }
  std::sort(all.begin(), all.end());
  return all;
}

void check_best(const RandomStudy& study, const ReducedTable& table, bool is_largest, std::size_t count) {
  std::vector<std::pair<std::int64_t, std::int64_t>> all;
  for (std::uint64_t i = 0; i < study.points(); ++i) {
    if (study.steps[i] && !study.was_given_up(i))
      all.push_back({is_largest ? -*study.steps[i] : *study.steps[i], static_cast<std::int64_t>(i + 1)});
  }
  std::sort(all.begin(), all.end());
  CHECK(table.counted == all.size());
  all.resize(std::min(count, all.size()));
  const auto rows = wholes(table, "at row"), steps = wholes(table, "steps"), n = wholes(table, "n");
  REQUIRE(rows.size() == all.size());
  const auto listed = StudyPoints(study.description).at({0, study.points()});
  for (std::size_t i = 0; i < all.size(); ++i) {
    const auto point = static_cast<std::size_t>(all[i].second - 1);
    CHECK(rows[i] == all[i].second);
    CHECK(steps[i] == *study.steps[point]);
    CHECK(n[i] == std::get<std::vector<std::int64_t>>(listed[0])[point]);
    const auto& names = column(table, "name");
    const bool has_name = std::count(names.cells.missing.begin(), names.cells.missing.end(), i) == 0;
    CHECK(has_name == study.name[point].has_value());
    if (has_name) CHECK(word_of(names.column, names.cells.labels, wholes(table, "name")[i]) == *study.name[point]);
  }
}

// total and steps are to be small, share large.
void check_front(const RandomStudy& study, const ReducedTable& table, bool has_third) {
  std::vector<std::array<long double, 3>> all;
  std::vector<std::int64_t> points, front;
  for (std::uint64_t i = 0; i < study.points(); ++i) {
    const auto a = value(study, study.total, i), b = value(study, study.share, i), c = value(study, study.steps, i);
    if (!a || !b || (has_third && !c)) continue;
    all.push_back({*a, -*b, has_third ? *c : 0.0L});
    points.push_back(static_cast<std::int64_t>(i + 1));
  }
  for (std::size_t i = 0; i < all.size(); ++i) {
    bool is_beaten = false;
    for (std::size_t k = 0; k < all.size() && !is_beaten; ++k) {
      const bool as_good = all[k][0] <= all[i][0] && all[k][1] <= all[i][1] && all[k][2] <= all[i][2];
      is_beaten = k != i && as_good && (all[k] != all[i] || k < i);
    }
    if (!is_beaten) front.push_back(points[i]);
  }
  auto rows = wholes(table, "at row");
  const auto totals = reals(table, "total");
  CHECK(std::is_sorted(totals.begin(), totals.end()));
  std::sort(rows.begin(), rows.end());
  CHECK(rows == front);
  CHECK(table.counted == all.size());
}

void check_bins(const RandomStudy& study, const ReducedTable& table, bool in_octaves) {
  const auto from = reals(table, "total from"), to = reals(table, "total to");
  const auto counts = wholes(table, "points counted");
  const auto all = sorted_totals(study);
  std::size_t sum = 0;
  for (std::size_t bin = 0; bin < counts.size(); ++bin) {
    const bool is_last = bin + 1 == counts.size() || std::isnan(to[bin + 1]);
    const auto is_inside = [&](double one) {
      if (in_octaves && one < 0) return (std::isnan(from[bin]) || one > from[bin]) && one <= to[bin];
      if (!std::isnan(from[bin]) && (one < from[bin] || (std::isnan(to[bin]) && !in_octaves && one == from[bin])))
        return false;
      return std::isnan(to[bin]) || one < to[bin] || (!in_octaves && is_last && one == to[bin]);
    };
    const auto inside = static_cast<std::size_t>(std::count_if(all.begin(), all.end(), is_inside));
    CHECK(static_cast<std::size_t>(counts[bin]) == inside);
    sum += inside;
    if (in_octaves && from[bin] >= 1e-300 && std::isfinite(to[bin])) CHECK(to[bin] <= from[bin] * 1.25);
    if (!in_octaves && !std::isnan(from[bin]) && !std::isnan(to[bin])) CHECK(to[bin] - from[bin] == Approx(0.5));
  }
  CHECK(sum == all.size());
  CHECK(table.counted == all.size());
}

Rational exactly(double value) {
  int exponent = 0;
  const auto mantissa = static_cast<std::int64_t>(std::ldexp(std::frexp(value, &exponent), 53));
  exponent -= 53;
  boost::multiprecision::cpp_int power = 1;
  power <<= std::abs(exponent);
  return exponent < 0 ? Rational(mantissa, power) : Rational(power * mantissa);
}

// The nearest double, of two that are as near the one with an even last bit.
void check_rounded(double found, const Rational& wanted) {
  const Rational off = abs(exactly(found) - wanted);
  for (const double way : {-1.0, 1.0}) {
    const double other = std::nextafter(found, way * std::numeric_limits<double>::infinity());
    if (!std::isfinite(other)) continue;
    const Rational theirs = abs(exactly(other) - wanted);
    CHECK(off <= theirs);
    if (off == theirs) CHECK((std::bit_cast<std::uint64_t>(found) & 1) == 0);
  }
}

struct PlainGroup {
  std::vector<std::pair<double, std::int64_t>> values;
  int infinite = 0, minus_infinite = 0;
};

void check_groups(const RandomStudy& study, const ReducedTable& table) {
  const auto listed = StudyPoints(study.description).at({0, study.points()});
  std::map<std::pair<std::int64_t, std::int64_t>, PlainGroup> groups;
  for (std::uint64_t i = 0; i < study.points(); ++i) {
    auto& group =
        groups[{std::get<std::vector<std::int64_t>>(listed[2])[i], std::get<std::vector<std::int64_t>>(listed[0])[i]}];
    const auto one = value(study, study.total, i);
    if (!one) continue;
    group.values.push_back({static_cast<double>(*one), static_cast<std::int64_t>(i + 1)});
    if (std::isinf(*one)) ++(*one > 0 ? group.infinite : group.minus_infinite);
  }
  const auto nets = wholes(table, "net"), n = wholes(table, "n"), counts = wholes(table, "points counted");
  REQUIRE(nets.size() == groups.size());
  for (std::size_t row = 0; row < nets.size(); ++row) {
    auto values = groups.at({nets[row], n[row]}).values;
    CHECK(static_cast<std::size_t>(counts[row]) == values.size());
    if (values.empty()) continue;
    std::sort(values.begin(), values.end());
    CHECK(reals(table, "total least")[row] == values.front().first);
    CHECK(wholes(table, "total least at row")[row] == values.front().second);
    const auto greatest =
        std::lower_bound(values.begin(), values.end(), std::pair(values.back().first, std::int64_t{0}));
    CHECK(reals(table, "total greatest")[row] == greatest->first);
    CHECK(wholes(table, "total greatest at row")[row] == greatest->second);
    const auto& group = groups.at({nets[row], n[row]});
    const double mean = reals(table, "total mean")[row];
    if (group.infinite + group.minus_infinite > 0) {
      CHECK((group.infinite > 0 && group.minus_infinite > 0 ? std::isnan(mean) : std::isinf(mean)));
      continue;
    }
    Rational sum;
    for (const auto& [one, point] : values) sum += exactly(one);
    check_rounded(reals(table, "total sum")[row], sum);
    check_rounded(mean, sum / static_cast<std::int64_t>(values.size()));
  }
}

void check_sum_of_wholes(const RandomStudy& study, const ReducedTable& table) {
  __int128 sum = 0;
  std::int64_t count = 0;
  for (std::uint64_t i = 0; i < study.points(); ++i) {
    if (!study.steps[i] || study.was_given_up(i)) continue;
    sum += *study.steps[i];
    ++count;
  }
  CHECK(wholes(table, "points counted") == std::vector{count});
  if (count > 0) CHECK(reals(table, "steps sum").front() == static_cast<double>(sum));
}

void check_quantiles(const RandomStudy& study, const ReducedTable& table, bool is_exact) {
  const auto all = sorted_totals(study);
  const auto found = reals(table, "total");
  const std::vector<std::uint64_t> shares{0, 100'000'000, 500'000'000, 950'000'000, 999'999'999, 1'000'000'000};
  REQUIRE(found.size() == shares.size());
  for (std::size_t i = 0; i < shares.size(); ++i) {
    if (all.empty()) {
      CHECK(std::isnan(found[i]));
      continue;
    }
    const std::uint64_t rank = std::max<std::uint64_t>(1, (shares[i] * all.size() + 999'999'999) / 1'000'000'000);
    const double wanted = all[rank - 1];
    if (is_exact) {
      CHECK(found[i] == wanted);
      continue;
    }
    const double from = reals(table, "total from")[i], to = reals(table, "total to")[i];
    CHECK(from <= wanted);
    CHECK(wanted <= to);
    CHECK((from == to || to - from <= std::ldexp(std::min(std::fabs(from), std::fabs(to)), -10)));
    CHECK((from <= found[i] && found[i] <= to));
  }
}

}  // namespace

TEST_CASE("reductions give what a plain look at all points gives, in the same bytes for every division") {
  const char* const seed = std::getenv("WAVE_SEED");
  const char* const count = std::getenv("WAVE_COUNT");
  Random random(seed != nullptr ? std::strtoull(seed, nullptr, 10) : 44);
  for (int round = 0; round < (count != nullptr ? std::atoi(count) : 60); ++round) {
    CAPTURE(round);
    RandomStudy study = test::random_study(random);
    const std::uint64_t best = 1 + below(random, 20);
    study.description.reductions = {fmt::format("best {} of steps", best),
                                    fmt::format("best {} of max steps", best),
                                    "pareto of total, max share",
                                    "pareto of total, max share, min steps",
                                    "histogram of total in 8 bins from -1 ps to 3 ps",
                                    "histogram of total in 4 bins an octave",
                                    "mean, sum and extremes of total by net, n",
                                    "sum of steps",
                                    "quantiles 0, 10%, 50%, 0.95, 0.999999999, 1 of total",
                                    "quantiles 0, 10%, 50%, 0.95, 0.999999999, 1 of total exact"};
    const auto whole = in_one_piece(study);
    const auto tables = whole->tables();
    check_best(study, tables[0], false, best);
    check_best(study, tables[1], true, best);
    check_front(study, tables[2], false);
    check_front(study, tables[3], true);
    check_bins(study, tables[4], false);
    check_bins(study, tables[5], true);
    check_groups(study, tables[6]);
    check_sum_of_wholes(study, tables[7]);
    check_quantiles(study, tables[8], false);
    check_quantiles(study, tables[9], true);
    for (const auto& table : tables) CHECK(table.counted + table.without_value == study.points());
    for (int i = 0; i < 3; ++i) CHECK(divided(random, study)->encode() == whole->encode());
  }
}
