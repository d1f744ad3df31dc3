// Pieces are cut where another function's begin, and their periods become common ones.
#include "backend/closed_form/index_function.h"

#include "backend/closed_form/thresholds.h"

#include <algorithm>
#include <numeric>
#include <unordered_map>

namespace wave::backend::closed_form {

namespace {

// The least common multiple, or the whole length where that is not longer: then nothing repeats.
std::optional<std::int64_t> common_period(std::int64_t a, std::int64_t b, std::int64_t length) {
  const std::int64_t factor = b / std::gcd(a, b);
  std::int64_t product = 0;
  const bool is_longer = __builtin_mul_overflow(a, factor, &product) || product >= length;
  const std::int64_t period = is_longer ? length : product;
  return period > most_values ? std::nullopt : std::optional(period);
}

struct TupleHash {
  std::size_t operator()(const std::vector<std::int64_t>& tuple) const {
    std::uint64_t hash = 0x9e3779b97f4a7c15;
    for (const std::int64_t value : tuple) {
      hash = (hash ^ static_cast<std::uint64_t>(value)) * 0xff51afd7ed558ccd;
      hash ^= hash >> 32;
    }
    return hash;
  }
};

// One part of a piece, beginning anywhere in it.
Piece cut(const Piece& piece, std::int64_t first, std::int64_t last) {
  Piece result{first, last, piece.increment, {}};
  const std::int64_t count = std::min(piece.period(), last - first + 1);
  result.values.reserve(static_cast<std::size_t>(count));
  for (std::int64_t i = 0; i < count; ++i) result.values.push_back(piece.at(first + i));
  if (count < piece.period()) result.increment = 0;
  return result;
}

}  // namespace

std::size_t IndexFunction::piece_of(std::int64_t index) const {
  const auto after = std::upper_bound(pieces_.begin(), pieces_.end(), index,
                                      [](std::int64_t at, const Piece& piece) { return at < piece.first; });
  return static_cast<std::size_t>(after - pieces_.begin()) - 1;
}

IndexFunction IndexFunction::within(std::int64_t first, std::int64_t last) const {
  if (first == this->first() && last == this->last()) return *this;
  std::vector<Piece> result;
  for (const Piece& piece : pieces_) {
    if (piece.last < first || piece.first > last) continue;
    result.push_back(cut(piece, std::max(first, piece.first), std::min(last, piece.last)));
  }
  return IndexFunction(std::move(result));
}

IndexFunction IndexFunction::shifted(std::int64_t by) const {
  IndexFunction result = *this;
  for (Piece& piece : result.pieces_) piece.first += by, piece.last += by;
  return result;
}

IndexFunction IndexFunction::negated() const {
  IndexFunction result = *this;
  for (Piece& piece : result.pieces_) {
    piece.increment = -piece.increment;
    for (std::int64_t& value : piece.values) value = -value;
  }
  return result;
}

std::optional<std::vector<Stretch>> stretches(std::span<const IndexFunction* const> functions) {
  std::vector<Stretch> result;
  std::vector<std::size_t> at(functions.size(), 0);
  const std::int64_t last = functions.front()->last();
  for (std::int64_t first = functions.front()->first(); first <= last;) {
    Stretch next{first, last, 1};
    for (std::size_t i = 0; i < functions.size(); ++i) {
      while (functions[i]->pieces()[at[i]].last < first) ++at[i];
      next.last = std::min(next.last, functions[i]->pieces()[at[i]].last);
    }
    const std::int64_t length = next.last - first + 1;
    for (std::size_t i = 0; i < functions.size(); ++i) {
      const std::int64_t own = std::min(functions[i]->pieces()[at[i]].period(), length);
      const auto period = common_period(next.period, own, length);
      if (!period) return std::nullopt;
      next.period = *period;
    }
    result.push_back(next);
    first = next.last + 1;
  }
  return result;
}

std::optional<IndexFunction> add(const IndexFunction& a, const IndexFunction& b) {
  const IndexFunction* const both[] = {&a, &b};
  const auto parts = stretches(both);
  if (!parts) return std::nullopt;
  std::vector<Piece> result;
  for (const Stretch& stretch : *parts) {
    Piece piece{stretch.first, stretch.last, 0, {}};
    piece.values.reserve(static_cast<std::size_t>(stretch.period));
    for (std::int64_t i = 0; i < stretch.period; ++i)
      piece.values.push_back(a.at(stretch.first + i) + b.at(stretch.first + i));
    if (stretch.first + stretch.period <= stretch.last) {
      const std::int64_t next = stretch.first + stretch.period;
      piece.increment = a.at(next) + b.at(next) - piece.values.front();
    }
    result.push_back(std::move(piece));
  }
  return IndexFunction(std::move(result));
}

std::optional<Joint> join(std::span<const IndexFunction* const> functions, std::size_t most) {
  const auto parts = stretches(functions);
  if (!parts) return std::nullopt;
  Joint result;
  std::unordered_map<std::vector<std::int64_t>, std::int64_t, TupleHash> numbers;
  std::vector<Piece> pieces;
  std::vector<std::int64_t> tuple(functions.size()), previous;
  std::int64_t number = 0;
  for (Stretch stretch : *parts) {
    for (const IndexFunction* function : functions) {
      const std::int64_t length = stretch.last - stretch.first + 1;
      const bool repeats = stretch.period < length;
      if (repeats && function->at(stretch.first) != function->at(stretch.first + stretch.period))
        stretch.period = length;
      if (stretch.period > most_values) return std::nullopt;
    }
    Piece piece{stretch.first, stretch.last, 0, {}};
    piece.values.reserve(static_cast<std::size_t>(stretch.period));
    for (std::int64_t i = 0; i < stretch.period; ++i) {
      for (std::size_t f = 0; f < functions.size(); ++f) tuple[f] = functions[f]->at(stretch.first + i);
      if (tuple != previous) {
        number = numbers.emplace(tuple, static_cast<std::int64_t>(numbers.size())).first->second;
        previous = tuple;
        if (numbers.size() > most) return std::nullopt;
      }
      piece.values.push_back(number);
    }
    pieces.push_back(std::move(piece));
  }
  result.tuples.resize(numbers.size());
  for (const auto& [key, value] : numbers) result.tuples[static_cast<std::size_t>(value)] = key;
  result.number = IndexFunction(std::move(pieces));
  return result;
}

Sums::Sums(const IndexFunction& function) {
  Wide before = 0;
  for (const Piece& piece : function.pieces()) {
    Part part{piece.first, piece.last, piece.increment, before, {0}};
    part.within.reserve(piece.values.size() + 1);
    for (const std::int64_t value : piece.values) part.within.push_back(part.within.back() + value);
    parts_.push_back(std::move(part));
    before = until(piece.last);
  }
}

Wide Sums::until(std::int64_t index) const {
  const auto after = std::upper_bound(parts_.begin(), parts_.end(), index,
                                      [](std::int64_t at, const Part& part) { return at < part.first; });
  if (after == parts_.begin()) return 0;
  const Part& part = *(after - 1);
  const auto period = static_cast<std::int64_t>(part.within.size()) - 1;
  const std::int64_t count = std::min(index, part.last) - part.first + 1;
  const Wide rounds = count / period, rest = count % period;
  const Wide repeated = part.before + rounds * part.within.back() + part.within[static_cast<std::size_t>(rest)];
  if (part.increment == 0) return repeated;
  return repeated + Wide{part.increment} * (rounds * (rounds - 1) / 2 * period + rounds * rest);
}

std::optional<std::vector<std::int64_t>> run_ends(const IndexFunction& function, std::size_t most) {
  std::vector<std::int64_t> ends;
  std::int64_t value = 0;
  const auto go_to = [&](std::int64_t index, std::int64_t next) {
    if (index > function.first() && next != value) ends.push_back(index - 1);
    value = next;
    return ends.size() <= most;
  };
  for (const Piece& piece : function.pieces()) {
    const bool is_flat = !piece.grows() && std::all_of(piece.values.begin(), piece.values.end(),
                                                       [&](std::int64_t x) { return x == piece.values.front(); });
    const std::int64_t last = is_flat ? piece.first : piece.last;
    for (std::int64_t index = piece.first; index <= last; ++index) {
      if (!go_to(index, piece.at(index))) return std::nullopt;
    }
  }
  ends.push_back(function.last());
  return ends;
}

}  // namespace wave::backend::closed_form
