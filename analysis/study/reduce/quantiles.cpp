// Quantiles: of n values the one of the rank ceil(share n), at least 1. The first pass finds the bin that it lies in,
// with the least and the greatest value there. Where these differ, and exact values are asked for, another pass looks
// at this bin alone, by the bits that follow; a third one sees the last bits.
#include "analysis/study/reduce/counters.h"
#include "analysis/study/reduce/reducer.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

namespace wave::analysis {
namespace {

// Where a quantile lies as far as it is known.
struct Target {
  std::uint64_t rank = 0, count = 0;      // among the values between these, and how many these are
  std::uint64_t least = 0, greatest = 0;  // keys; 0: there are no values
  std::int32_t known_bits = 0;            // that these have in common
  bool is_found() const { return least == greatest; }
};

class QuantileReducer final : public Reducer {
 public:
  QuantileReducer(const StudyDescription& study, const Reduction& reduction) : Reducer(study, reduction) {
    counters_.push_back(Counters::whole_values());
  }
  // Of a later pass.
  QuantileReducer(const StudyDescription& study, const Reduction& reduction, std::vector<Target> targets,
                  std::uint64_t counted)
      : Reducer(study, reduction), targets_(std::move(targets)), counted_(counted) {
    for (const Target& one : *targets_) {
      const int known = one.known_bits;
      if (!one.is_found() && counters_of(one) == nullptr) counters_.emplace_back(one.least >> (64 - known), known);
    }
  }

  void take(const ChunkValues& chunk) override {
    for (const std::uint64_t key : chunk.real_keys(reduction_.goals.front().column)) {
      if (key == 0) continue;
      for (auto& one : counters_) one.add(key);
    }
  }

  void merge(Reducer& reducer) override {
    const auto& other = static_cast<QuantileReducer&>(reducer);
    for (std::size_t i = 0; i < counters_.size(); ++i) counters_[i].merge(other.counters_[i]);
  }

  void write(ByteWriter& writer) const override {
    for (const auto& one : counters_) one.write(writer);
  }
  bool read(ByteReader& reader) override {
    return std::all_of(counters_.begin(), counters_.end(), [&](Counters& one) { return one.read(reader); });
  }

  ReducedTable table() const override {
    const Column& column = study_.columns[reduction_.goals.front().column];
    ReducedTable table{reduction_.text, counted(), 0, {}, reduction_.shares.size()};
    std::vector<double> shares, middle, least, greatest;
    for (const std::uint32_t share : reduction_.shares) shares.push_back(static_cast<double>(share) / whole_share);
    for (const Target& one : narrowed()) {
      least.push_back(one.least == 0 ? std::nan("") : real_of(one.least));
      greatest.push_back(one.greatest == 0 ? std::nan("") : real_of(one.greatest));
      middle.push_back(one.is_found() ? least.back() : least.back() + (greatest.back() - least.back()) / 2);
    }
    table.columns.push_back(real_column({}, "share of points", std::move(shares)));
    table.columns.push_back(real_column(column, column.name, std::move(middle)));
    if (reduction_.is_exact) return table;
    table.columns.push_back(real_column(column, column.name + " from", std::move(least)));
    table.columns.push_back(real_column(column, column.name + " to", std::move(greatest)));
    return table;
  }

  bool needs_another_pass() const override {
    if (!reduction_.is_exact) return false;
    const auto targets = narrowed();
    return std::any_of(targets.begin(), targets.end(), [](const Target& one) { return !one.is_found(); });
  }

  // Points that are given up for time or memory may be others the next time.
  std::string inconsistency() const override {
    for (const Target& one : targets_.value_or(std::vector<Target>())) {
      const Counters* const counters = one.is_found() ? nullptr : counters_of(one);
      if (counters == nullptr || counters->count() == one.count) continue;
      return fmt::format("the values of `{}` are others in this pass than in the one before", reduction_.text);
    }
    return {};
  }

  void write_plan(ByteWriter& writer) const override {
    writer.number(counted());
    for (const Target& one : narrowed())
      writer.number(one.rank).number(one.count).number(one.least).number(one.greatest).number(one.known_bits);
  }

  std::unique_ptr<Reducer> next(ByteReader& reader) const override {
    const auto counted = reader.number<std::uint64_t>();
    std::vector<Target> targets(reduction_.shares.size());
    for (Target& one : targets) {
      one.rank = reader.number<std::uint64_t>();
      one.count = reader.number<std::uint64_t>();
      one.least = reader.number<std::uint64_t>();
      one.greatest = reader.number<std::uint64_t>();
      one.known_bits = reader.number<std::int32_t>();
      const bool is_sound = one.is_found() || (one.known_bits > 0 && one.known_bits < 64 && one.least < one.greatest);
      if (!reader.ok() || !is_sound) return nullptr;
    }
    return std::make_unique<QuantileReducer>(study_, reduction_, std::move(targets), counted);
  }

 private:
  const Counters* counters_of(const Target& target) const {
    for (const auto& one : counters_) {
      if (target.known_bits > 0 && one.prefix() == target.least >> (64 - target.known_bits)) return &one;
    }
    return targets_ ? nullptr : &counters_.front();
  }

  std::uint64_t counted() const { return targets_ ? counted_ : counters_.front().count(); }

  std::vector<Target> first_targets() const {
    std::vector<Target> targets;
    const std::uint64_t count = counted();
    for (const std::uint32_t share : reduction_.shares) {
      const auto rank = (static_cast<unsigned __int128>(count) * share + whole_share - 1) / whole_share;
      targets.push_back({std::max<std::uint64_t>(1, static_cast<std::uint64_t>(rank)), count, 0, 0, 0});
    }
    return targets;
  }

  // Where the quantiles lie by what this pass has counted.
  std::vector<Target> narrowed() const {
    auto targets = targets_ ? *targets_ : first_targets();
    for (Target& one : targets) {
      if (targets_ && one.is_found()) continue;
      const Counters* const counters = counters_of(one);
      if (counters == nullptr) continue;
      std::uint64_t rank = one.rank;
      for (const auto& bin : counters->all()) {
        one = {rank, bin.count, bin.least, bin.greatest, counters->known_in_bins()};
        if (rank <= bin.count) break;
        rank -= bin.count;
      }
    }
    return targets;
  }

  std::optional<std::vector<Target>> targets_;  // of a later pass
  std::vector<Counters> counters_;              // of all values, or of those around each target that is not found
  std::uint64_t counted_ = 0;                   // in the first pass
};

}  // namespace

std::unique_ptr<Reducer> make_quantiles(const StudyDescription& study, const Reduction& reduction) {
  return std::make_unique<QuantileReducer>(study, reduction);
}

}  // namespace wave::analysis
