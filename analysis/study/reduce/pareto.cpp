// The front: the points than which no other is as good in all goals and better in one. Of points that are equal in all
// goals the first is on it.
#include "analysis/study/reduce/reducer.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <utility>

namespace wave::analysis {
namespace {

struct FrontPoint {
  std::array<std::uint64_t, 3> keys{};  // the less the better; 0 beyond the goals
  std::uint64_t point = 0;
  friend auto operator<=>(const FrontPoint&, const FrontPoint&) = default;
};

bool beats(const FrontPoint& a, const FrontPoint& b) {
  if (a.keys[0] > b.keys[0] || a.keys[1] > b.keys[1] || a.keys[2] > b.keys[2]) return false;
  return a.keys != b.keys || a.point < b.point;
}

// The least third key among points whose first is not larger, by the second. It falls where the second rises.
class Staircase {
 public:
  bool is_above(const FrontPoint& one) const {
    const auto after = steps_.upper_bound(one.keys[1]);
    return after != steps_.begin() && std::prev(after)->second <= one.keys[2];
  }
  void add(const FrontPoint& one) {
    auto at = steps_.lower_bound(one.keys[1]);
    while (at != steps_.end() && at->second >= one.keys[2]) at = steps_.erase(at);
    steps_.emplace_hint(at, one.keys[1], one.keys[2]);
  }

 private:
  std::map<std::uint64_t, std::uint64_t> steps_;
};

class ParetoReducer final : public Reducer {
 public:
  using Reducer::Reducer;

  void take(const ChunkValues& chunk) override {
    const std::size_t rows = chunk.range().size();
    std::array<const std::uint64_t*, 3> keys{};
    for (std::size_t i = 0; i < reduction_.goals.size(); ++i) keys[i] = chunk.keys(reduction_.goals[i].column).data();
    for (std::size_t row = 0; row < rows; ++row) {
      FrontPoint one{{}, chunk.range().begin + row};
      bool is_whole = true;
      for (std::size_t i = 0; i < reduction_.goals.size(); ++i) {
        is_whole &= keys[i][row] != 0;
        one.keys[i] = reduction_.goals[i].is_largest ? ~keys[i][row] : keys[i][row];
      }
      if (!is_whole) continue;
      ++counted_;
      if (!is_beaten_by_known(one)) open_.emplace_back(one, chunk.row(one.point));
    }
    constexpr std::size_t few = 1024;
    if (open_.size() > few + front_.size() / 2) settle();
  }

  void merge(Reducer& reducer) override {
    auto& other = static_cast<ParetoReducer&>(reducer);
    other.settle();
    for (auto& [one, row] : other.front_) open_.emplace_back(one, std::move(row));
    settle();
    counted_ += other.counted_;
  }

  void write(ByteWriter& writer) const override {
    settle();
    writer.number(counted_).number(static_cast<std::uint64_t>(front_.size()));
    for (const auto& [one, row] : front_) {
      for (std::size_t i = 0; i < reduction_.goals.size(); ++i) writer.number(one.keys[i]);
      analysis::write(writer, row);
    }
  }

  bool read(ByteReader& reader) override {
    counted_ = reader.number<std::uint64_t>();
    const auto count = reader.number<std::uint64_t>();
    if (!reader.ok() || count > most_kept_rows + 1 || count > counted_) return false;
    for (std::uint64_t i = 0; i < count; ++i) {
      FrontPoint one;
      for (std::size_t k = 0; k < reduction_.goals.size(); ++k) one.keys[k] = reader.number<std::uint64_t>();
      auto row = read_kept_row(reader, study_);
      if (!row) return false;
      one.point = row->point;
      front_.emplace(one, std::move(*row));
    }
    return true;
  }

  ReducedTable table() const override {
    settle();
    std::vector<const KeptRow*> rows;
    for (const auto& [one, row] : front_) rows.push_back(&row);
    return {reduction_.text, counted_, 0, row_columns(study_, rows), rows.size()};
  }

  std::string trouble() const override {
    if (front_.size() + open_.size() > most_kept_rows) settle();
    if (front_.size() <= most_kept_rows) return {};
    return fmt::format("the front of `{}` has more than {} points", reduction_.text, most_kept_rows);
  }

 private:
  // Most points are beaten by one of the last that beat any.
  bool is_beaten_by_known(const FrontPoint& one) {
    for (std::size_t i = 0; i < known_.size(); ++i) {
      if (!beats(known_[i], one)) continue;
      if (i > 0) std::swap(known_[i], known_[i / 2]);
      return true;
    }
    return false;
  }

  // The front of what it was and of the open points, in the order of the first key, then of the second and the third.
  void settle() const {
    if (open_.empty()) return;
    std::sort(open_.begin(), open_.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
    std::map<FrontPoint, KeptRow> front;
    Staircase stairs;
    auto next = open_.begin();
    for (auto at = front_.begin(); at != front_.end() || next != open_.end();) {
      const bool is_old = next == open_.end() || (at != front_.end() && at->first < next->first);
      const FrontPoint one = is_old ? at->first : next->first;
      if (!stairs.is_above(one)) {
        stairs.add(one);
        front.emplace_hint(front.end(), one, std::move(is_old ? at->second : next->second));
      }
      is_old ? static_cast<void>(++at) : static_cast<void>(++next);
    }
    front_ = std::move(front);
    open_.clear();
    choose_known();
  }

  void choose_known() const {
    constexpr std::size_t most_known = 16;
    known_.clear();
    const std::size_t step = std::max<std::size_t>(1, front_.size() / most_known);
    std::size_t i = 0;
    for (const auto& [one, row] : front_) {
      if (i++ % step == step / 2 && known_.size() < most_known) known_.push_back(one);
    }
  }

  // Points wait until there are many of them, since the front is gone through for each time that some are settled.
  mutable std::map<FrontPoint, KeptRow> front_;
  mutable std::vector<std::pair<FrontPoint, KeptRow>> open_;
  mutable std::vector<FrontPoint> known_;  // some of the front
  std::uint64_t counted_ = 0;
};

}  // namespace

std::unique_ptr<Reducer> make_pareto(const StudyDescription& study, const Reduction& reduction) {
  return std::make_unique<ParetoReducer>(study, reduction);
}

}  // namespace wave::analysis
