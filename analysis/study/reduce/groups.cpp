// Means, sums and extremes of groups of points, or of all of them. Sums are exact, so a mean is rounded once. Of equal
// extremes the first point counts.
#include "analysis/study/reduce/exact_sum.h"
#include "analysis/study/reduce/group_index.h"
#include "analysis/study/reduce/reducer.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

namespace wave::analysis {
namespace {

using Extreme = std::pair<std::uint64_t, std::uint64_t>;  // the key, complemented of the greatest, and the point
constexpr Extreme no_extreme{~std::uint64_t{0}, ~std::uint64_t{0}};

struct Group {
  std::uint64_t counted = 0;
  bool has_points = false;  // with a value or without
  ExactSum sum;
  Extreme least = no_extreme, greatest = no_extreme;
};

class GroupReducer final : public Reducer {
 public:
  GroupReducer(const StudyDescription& study, const Reduction& reduction)
      : Reducer(study, reduction),
        index_(study, reduction.by),
        groups_(index_.size()),
        column_(study.columns[reduction.goals.front().column]) {}

  void take(const ChunkValues& chunk) override {
    const auto& keys = chunk.keys(reduction_.goals.front().column);
    const PointRange range = chunk.range();
    for (std::uint64_t point = range.begin; point < range.end;) {
      Group& group = groups_[index_.group(point)];
      const std::uint64_t end = point + std::min(index_.run_length(point), range.end - point);
      for (; point < end; ++point) add(group, keys[point - range.begin], point);
    }
  }

  void merge(Reducer& reducer) override {
    auto& other = static_cast<GroupReducer&>(reducer);
    for (std::size_t i = 0; i < groups_.size(); ++i) {
      Group &own = groups_[i], &theirs = other.groups_[i];
      own.counted += theirs.counted;
      own.has_points |= theirs.has_points;
      own.sum.add(theirs.sum);
      own.least = std::min(own.least, theirs.least);
      own.greatest = std::min(own.greatest, theirs.greatest);
    }
  }

  // Groups without points are left out.
  void write(ByteWriter& writer) const override {
    writer.number(static_cast<std::uint64_t>(
        std::count_if(groups_.begin(), groups_.end(), [](const Group& one) { return one.has_points; })));
    for (std::size_t i = 0; i < groups_.size(); ++i) {
      const Group& one = groups_[i];
      if (!one.has_points) continue;
      writer.number(static_cast<std::uint64_t>(i)).number(one.counted);
      writer.number(one.least.first).number(one.least.second).number(one.greatest.first).number(one.greatest.second);
      one.sum.write(writer);
    }
  }

  bool read(ByteReader& reader) override {
    const auto count = reader.number<std::uint64_t>();
    for (std::uint64_t i = 0; i < count; ++i) {
      const auto at = reader.number<std::uint64_t>();
      if (!reader.ok() || at >= groups_.size()) return false;
      Group& one = groups_[at];
      one.counted = reader.number<std::uint64_t>();
      one.has_points = true;
      for (Extreme* extreme : {&one.least, &one.greatest}) {
        extreme->first = reader.number<std::uint64_t>();
        extreme->second = reader.number<std::uint64_t>();
      }
      if (!one.sum.read(reader)) return false;
    }
    return reader.ok();
  }

  ReducedTable table() const override {
    ReducedTable table{reduction_.text, 0, 0, {}, 0};
    std::vector<std::size_t> shown;
    for (std::size_t i = 0; i < groups_.size(); ++i) {
      table.counted += groups_[i].counted;
      if (groups_[i].has_points || reduction_.by.empty()) shown.push_back(i);
    }
    table.rows = shown.size();
    add_keys(table, shown);
    std::vector<std::int64_t> counts;
    for (const std::size_t i : shown) counts.push_back(static_cast<std::int64_t>(groups_[i].counted));
    table.columns.push_back(whole_column("points counted", std::move(counts)));
    if (reduction_.sum) add_sums(table, shown, "sum");
    if (reduction_.mean) add_sums(table, shown, "mean");
    if (!reduction_.extremes) return table;
    add_extremes(table, shown, "least", &Group::least, 0);
    add_extremes(table, shown, "greatest", &Group::greatest, ~std::uint64_t{0});
    return table;
  }

 private:
  void add(Group& group, std::uint64_t key, std::uint64_t point) const {
    group.has_points = true;
    if (key == 0) return;
    ++group.counted;
    group.least = std::min(group.least, {key, point});
    group.greatest = std::min(group.greatest, {~key, point});
    if (!reduction_.mean && !reduction_.sum) return;
    if (column_.kind == CellKind::real)
      group.sum.add(real_of(key));
    else
      group.sum.add(whole_of(key));
  }

  void add_keys(ReducedTable& table, const std::vector<std::size_t>& shown) const {
    for (std::size_t k = 0; k < reduction_.by.size(); ++k) {
      const Column& column = study_.columns[reduction_.by[k]];
      Cells cells;
      std::visit(
          [&](const auto& listed) {
            std::remove_cvref_t<decltype(listed)> values;
            for (const std::size_t group : shown) values.push_back(listed[index_.places(group)[k]]);
            cells.values = std::move(values);
          },
          *column.listed);
      table.columns.push_back({column, std::move(cells)});
      table.columns.back().column.listed.reset();
    }
  }

  void add_sums(ReducedTable& table, const std::vector<std::size_t>& shown, const char* what) const {
    const bool is_mean = what == std::string_view("mean");
    std::vector<double> values;
    for (const std::size_t i : shown) {
      const Group& one = groups_[i];
      values.push_back(one.counted == 0 ? std::nan("") : one.sum.over(is_mean ? one.counted : 1));
    }
    table.columns.push_back(real_column(column_, column_.name + " " + what, std::move(values)));
  }

  void add_extremes(ReducedTable& table, const std::vector<std::size_t>& shown, const char* what,
                    Extreme Group::* extreme, std::uint64_t flip) const {
    std::vector<std::uint64_t> keys;
    std::vector<std::int64_t> points;
    for (const std::size_t i : shown) {
      const auto [key, point] = groups_[i].*extreme;
      keys.push_back(groups_[i].counted == 0 ? 0 : key ^ flip);
      points.push_back(groups_[i].counted == 0 ? 0 : static_cast<std::int64_t>(point + 1));
    }
    const std::string name = column_.name + " " + what;
    table.columns.push_back(key_column(column_, name, keys));
    table.columns.push_back(whole_column(name + " at row", std::move(points)));
    for (std::size_t row = 0; row < shown.size(); ++row) {
      if (keys[row] == 0) table.columns.back().cells.missing.push_back(row);
    }
  }

  const GroupIndex index_;
  std::vector<Group> groups_;
  const Column& column_;
};

}  // namespace

std::string trouble_of_groups(const StudyDescription& study, const Reduction& reduction) {
  const std::uint64_t groups = GroupIndex(study, reduction.by).size();
  if (groups <= most_groups) return {};
  return fmt::format("`{}` makes {} groups", reduction.text, groups);
}

std::unique_ptr<Reducer> make_groups(const StudyDescription& study, const Reduction& reduction) {
  return std::make_unique<GroupReducer>(study, reduction);
}

}  // namespace wave::analysis
