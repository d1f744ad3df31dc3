// How many points have values between edges: equal bins between two numbers, or bins that divide octaves.
#include "analysis/study/reduce/counters.h"
#include "analysis/study/reduce/reducer.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <map>
#include <optional>

namespace wave::analysis {
namespace {

ReducedTable table_of_bins(const StudyDescription& study, const Reduction& reduction, const std::vector<double>& from,
                           const std::vector<double>& to, std::vector<std::int64_t> counts) {
  const Column& column = study.columns[reduction.goals.front().column];
  ReducedTable table{reduction.text, 0, 0, {}, counts.size()};
  table.columns.push_back(real_column(column, column.name + " from", from));
  table.columns.push_back(real_column(column, column.name + " to", to));
  table.columns.push_back(whole_column("points counted", std::move(counts)));
  return table;
}

// Bins of equal width: from <= value < to, in the last one also value = to. What lies outside is counted, too.
class RangeHistogram final : public Reducer {
 public:
  RangeHistogram(const StudyDescription& study, const Reduction& reduction)
      : Reducer(study, reduction), counts_(reduction.count + 2) {
    for (std::uint64_t i = 0; i <= reduction.count; ++i) edges_.push_back(edge(i));
  }

  void take(const ChunkValues& chunk) override {
    for (const std::uint64_t key : chunk.real_keys(reduction_.goals.front().column)) {
      if (key != 0) ++counts_[bin_of(real_of(key))];
    }
  }

  void merge(Reducer& reducer) override {
    const auto& other = static_cast<RangeHistogram&>(reducer);
    for (std::size_t i = 0; i < counts_.size(); ++i) counts_[i] += other.counts_[i];
  }

  void write(ByteWriter& writer) const override { writer.numbers(counts_); }

  bool read(ByteReader& reader) override {
    auto counts = reader.numbers<std::uint64_t>();
    if (!reader.ok() || counts.size() != counts_.size()) return false;
    counts_ = std::move(counts);
    return true;
  }

  ReducedTable table() const override {
    std::vector<double> from, to;
    std::vector<std::int64_t> counts;
    std::uint64_t counted = 0;
    for (std::size_t i = 0; i < counts_.size(); ++i) {
      counted += counts_[i];
      const bool is_below = i == 0, is_above = i + 1 == counts_.size();
      if ((is_below || is_above) && counts_[i] == 0) continue;
      from.push_back(is_below ? std::nan("") : edges_[i - 1]);
      to.push_back(is_above ? std::nan("") : edges_[i]);
      counts.push_back(static_cast<std::int64_t>(counts_[i]));
    }
    ReducedTable table = table_of_bins(study_, reduction_, from, to, std::move(counts));
    table.counted = counted;
    return table;
  }

 private:
  double edge(std::uint64_t i) const {
    if (i == 0 || i == reduction_.count) return i == 0 ? reduction_.from : reduction_.to;
    const double share = static_cast<double>(i) / static_cast<double>(reduction_.count);
    return reduction_.from + (reduction_.to - reduction_.from) * share;
  }
  // 0: below, count + 1: above. Edges decide, and not the rounding of a quotient.
  std::size_t bin_of(double value) const {
    if (value < reduction_.from) return 0;
    if (value > reduction_.to) return reduction_.count + 1;
    const double place =
        (value - reduction_.from) / (reduction_.to - reduction_.from) * static_cast<double>(reduction_.count);
    auto bin = std::min(static_cast<std::size_t>(place), static_cast<std::size_t>(reduction_.count - 1));
    while (bin > 0 && value < edges_[bin]) --bin;
    while (bin + 1 < reduction_.count && value >= edges_[bin + 1]) ++bin;
    return bin + 1;
  }

  std::vector<double> edges_;
  std::vector<std::uint64_t> counts_;  // below, in each bin, above
};

// Bins of equal width between a power of two and the next, which need no range.
class OctaveHistogram final : public Reducer {
 public:
  using Reducer::Reducer;

  void take(const ChunkValues& chunk) override {
    for (const std::uint64_t key : chunk.real_keys(reduction_.goals.front().column)) {
      if (key != 0) counters_.add(key);
    }
  }
  void merge(Reducer& reducer) override {
    const auto& other = static_cast<OctaveHistogram&>(reducer);
    counters_.merge(other.counters_);
  }
  void write(ByteWriter& writer) const override { counters_.write(writer); }
  bool read(ByteReader& reader) override { return counters_.read(reader); }

  // Empty bins between others have rows, unless there are very many.
  ReducedTable table() const override {
    const int shift = 52 - std::countr_zero(reduction_.count);
    std::map<std::uint64_t, std::uint64_t> bins;
    std::uint64_t counted = 0;
    for (const auto& one : counters_.all()) {
      bins[one.least >> shift] += one.count;
      counted += one.count;
    }
    std::vector<double> from, to;
    std::vector<std::int64_t> counts;
    const auto add = [&](std::uint64_t bin, std::uint64_t count) {
      // Of numbers below 0, keys rise where the bits of magnitudes fall.
      const std::uint64_t first = bin << shift, last = first + ((std::uint64_t{1} << shift) - 1);
      const bool is_negative = first >> 63 == 0;
      from.push_back(is_negative ? next_down(first) : real_of(first));
      to.push_back(is_negative ? real_of(last) : next_up(last));
      counts.push_back(static_cast<std::int64_t>(count));
    };
    constexpr std::uint64_t most_empty = 1000;
    std::optional<std::uint64_t> before;
    for (const auto& [bin, count] : bins) {
      for (std::uint64_t i = before.value_or(bin) + 1; before && bin - *before <= most_empty && i < bin; ++i) add(i, 0);
      add(bin, count);
      before = bin;
    }
    ReducedTable table = table_of_bins(study_, reduction_, from, to, std::move(counts));
    table.counted = counted;
    return table;
  }

 private:
  // The edge of a bin of negative numbers is the power of two, or part of it, beyond its first; of positive ones beyond
  // its last.
  static double next_down(std::uint64_t first) { return real_of(first - 1); }
  static double next_up(std::uint64_t last) { return last == ~std::uint64_t{0} ? real_of(last) : real_of(last + 1); }

  Counters counters_{Counters::whole_values()};
};

}  // namespace

std::unique_ptr<Reducer> make_histogram(const StudyDescription& study, const Reduction& reduction) {
  if (reduction.has_range) return std::make_unique<RangeHistogram>(study, reduction);
  return std::make_unique<OctaveHistogram>(study, reduction);
}

}  // namespace wave::analysis
