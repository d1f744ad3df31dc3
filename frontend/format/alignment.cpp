// Keeps what was aligned aligned. Tokens of neighbouring lines that began in the same column, with two blanks before
// one of them, form a group; so do comments at line ends. A group moves to the leftmost column that all its members can
// reach. A comment stays in its column if the code leaves it room. Doing this again changes nothing: the same groups
// are found, in place.
#include "frontend/format/layout.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <optional>

namespace wave::frontend {

namespace {

struct Spot {
  std::size_t line, piece;
};

class Aligner {
 public:
  explicit Aligner(std::vector<Line>& lines) : lines_(lines) {
    for (std::size_t i = 0; i < lines.size(); ++i) {
      for (std::size_t k = 0; k < lines[i].pieces.size(); ++k) {
        index_[{i, k}] = spots_.size();
        spots_.push_back({i, k});
      }
    }
    group_.resize(spots_.size());
    std::iota(group_.begin(), group_.end(), std::size_t{0});
  }

  void run() {
    for (std::size_t i = 1; i < lines_.size(); ++i) {
      if (!lines_[i].blank_before) join_tokens(i - 1, i);
    }
    join_comments();
    move_groups();
  }

 private:
  const Piece& piece(Spot spot) const { return lines_[spot.line].pieces[spot.piece]; }

  // A first token takes part where its line continues the one before.
  bool movable(Spot spot) const {
    const Line& line = lines_[spot.line];
    return spot.piece > 0 ? piece(spot).gap > 0 : line.continues && !line.only_comment();
  }

  bool is_trailing_comment(Spot spot) const { return spot.piece > 0 && piece(spot).is_comment(); }
  bool wants(Spot spot) const { return spot.piece == 0 || piece(spot).old_gap > 1; }
  // A comment under code is aligned where both were set apart.
  bool want(Spot a, Spot b) const {
    const bool mixed = piece(a).is_comment() != piece(b).is_comment();
    return mixed ? wants(a) && wants(b) : wants(a) || wants(b);
  }

  void join_tokens(std::size_t above, std::size_t below) {
    const auto& upper = lines_[above].pieces;
    const auto& lower = lines_[below].pieces;
    for (std::size_t a = 0, b = 0; a < upper.size() && b < lower.size();) {
      if (upper[a].old_column == lower[b].old_column) {
        const Spot first{above, a}, second{below, b};
        const bool alike = lines_[above].depth == lines_[below].depth || b == 0;
        // Under a token that has no room to move, a continuing line still takes its place.
        const bool under = b == 0 && a > 0 && movable(second) && !upper[a].is_comment();
        if ((alike && movable(first) && movable(second) && want(first, second)) || under) join(first, second);
      }
      (upper[a].old_column <= lower[b].old_column ? a : b) += 1;
    }
  }

  void join_comments() {
    std::optional<Spot> last;
    for (std::size_t i = 0; i < lines_.size(); ++i) {
      const std::size_t k = lines_[i].pieces.size() - 1;
      if (k == 0 || !lines_[i].pieces[k].is_comment()) continue;
      if (last && piece(*last).old_column == lines_[i].pieces[k].old_column) join(*last, {i, k});
      last = Spot{i, k};
    }
  }

  std::size_t root(std::size_t spot) {
    while (group_[spot] != spot) spot = group_[spot] = group_[group_[spot]];
    return spot;
  }
  void join(Spot a, Spot b) { group_[root(index_[{a.line, a.piece}])] = root(index_[{b.line, b.piece}]); }

  void move_groups() {
    std::map<std::size_t, std::vector<Spot>> members;
    for (std::size_t i = 0; i < spots_.size(); ++i) members[root(i)].push_back(spots_[i]);
    std::vector<std::vector<Spot>> groups;
    for (auto& [root, spots] : members) {
      if (spots.size() > 1 || is_trailing_comment(spots[0])) groups.push_back(std::move(spots));
    }
    const auto column = [&](const std::vector<Spot>& group) { return piece(group[0]).old_column; };
    std::stable_sort(groups.begin(), groups.end(), [&](const auto& a, const auto& b) { return column(a) < column(b); });
    for (const std::vector<Spot>& group : groups) move(group);
  }

  // A first token is placed under the others, wherever they are; the others set the column.
  void move(const std::vector<Spot>& group) {
    std::size_t target = 0;
    for (const Spot& spot : group) {
      if (spot.piece > 0) target = std::max(target, lines_[spot.line].column(spot.piece));
      if (is_trailing_comment(spot)) target = std::max(target, piece(spot).old_column);
    }
    if (target == 0) return;  // first tokens alone keep their places
    for (const Spot& spot : group) {
      Line& line = lines_[spot.line];
      if (spot.piece == 0)
        line.indent = target;
      else
        line.pieces[spot.piece].gap += target - line.column(spot.piece);
    }
  }

  std::vector<Line>& lines_;
  std::vector<Spot> spots_;
  std::map<std::pair<std::size_t, std::size_t>, std::size_t> index_;
  std::vector<std::size_t> group_;
};

}  // namespace

void align(std::vector<Line>& lines) { Aligner(lines).run(); }

}  // namespace wave::frontend
