// The best points by one column. Of equal ones those with the lower numbers are better.
#include "analysis/study/reduce/reducer.h"

#include <algorithm>
#include <utility>

namespace wave::analysis {
namespace {

class BestReducer final : public Reducer {
 public:
  using Reducer::Reducer;

  void take(const ChunkValues& chunk) override {
    const Goal goal = reduction_.goals.front();
    const std::uint64_t flip = goal.is_largest ? ~std::uint64_t{0} : 0;
    std::uint64_t point = chunk.range().begin;
    for (const std::uint64_t key : chunk.keys(goal.column)) {
      const std::uint64_t at = point++;
      if (key == 0) continue;
      ++counted_;
      if (is_wanted({key ^ flip, at})) add({{key ^ flip, at}, chunk.row(at)});
    }
  }

  void merge(Reducer& reducer) override {
    auto& other = static_cast<BestReducer&>(reducer);
    for (auto& one : other.best_) {
      if (is_wanted(one.rank)) add(std::move(one));
    }
    counted_ += other.counted_;
  }

  void write(ByteWriter& writer) const override {
    writer.number(counted_).number(static_cast<std::uint64_t>(best_.size()));
    for (const auto* one : sorted()) {
      writer.number(one->rank.first);
      analysis::write(writer, one->row);
    }
  }

  bool read(ByteReader& reader) override {
    counted_ = reader.number<std::uint64_t>();
    const auto count = reader.number<std::uint64_t>();
    if (!reader.ok() || count > reduction_.count || count > counted_) return false;
    for (std::uint64_t i = 0; i < count; ++i) {
      const auto key = reader.number<std::uint64_t>();
      auto row = read_kept_row(reader, study_);
      if (!row) return false;
      add({{key, row->point}, std::move(*row)});
    }
    return true;
  }

  ReducedTable table() const override {
    std::vector<const KeptRow*> rows;
    for (const auto* one : sorted()) rows.push_back(&one->row);
    return {reduction_.text, counted_, 0, row_columns(study_, rows), rows.size()};
  }

 private:
  using Rank = std::pair<std::uint64_t, std::uint64_t>;  // the key, and the point
  struct Kept {
    Rank rank;
    KeptRow row;
  };
  static bool is_better(const Kept& a, const Kept& b) { return a.rank < b.rank; }

  bool is_wanted(const Rank& rank) const { return best_.size() < reduction_.count || rank < best_.front().rank; }
  void add(Kept kept) {
    if (best_.size() == reduction_.count) {
      std::pop_heap(best_.begin(), best_.end(), is_better);
      best_.pop_back();
    }
    best_.push_back(std::move(kept));
    std::push_heap(best_.begin(), best_.end(), is_better);
  }
  std::vector<const Kept*> sorted() const {
    std::vector<const Kept*> all;
    for (const auto& one : best_) all.push_back(&one);
    std::sort(all.begin(), all.end(), [](const auto* a, const auto* b) { return is_better(*a, *b); });
    return all;
  }

  std::vector<Kept> best_;  // a heap, the worst first
  std::uint64_t counted_ = 0;
};

}  // namespace

std::unique_ptr<Reducer> make_best(const StudyDescription& study, const Reduction& reduction) {
  return std::make_unique<BestReducer>(study, reduction);
}

}  // namespace wave::analysis
