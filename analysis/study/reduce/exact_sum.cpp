// See exact_sum.h.
#include "analysis/study/reduce/exact_sum.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

namespace wave::analysis {
namespace {

constexpr int limb_bits = 32, lowest_exponent = -1074, mantissa_bits = 52, most_limbs = 72;
constexpr std::int64_t limb_base = std::int64_t{1} << limb_bits;
constexpr std::uint32_t most_added = std::uint32_t{1} << 29;  // three limbs below 2^32 each, within 63 bits

using Limbs = std::vector<std::uint32_t>;

bool bit_of(const Limbs& limbs, int at) {
  return at >= 0 && at / limb_bits < static_cast<int>(limbs.size()) &&
         ((limbs[static_cast<std::size_t>(at / limb_bits)] >> (at % limb_bits)) & 1) != 0;
}

bool has_bits_below(const Limbs& limbs, int end) {
  for (int at = 0; at < end; ++at) {
    if (at % limb_bits == 0 && at + limb_bits <= end && at / limb_bits < static_cast<int>(limbs.size()) &&
        limbs[static_cast<std::size_t>(at / limb_bits)] == 0) {
      at += limb_bits - 1;
      continue;
    }
    if (bit_of(limbs, at)) return true;
  }
  return false;
}

// Divides in place, and returns the remainder.
std::uint64_t divide(Limbs& limbs, std::uint64_t by) {
  unsigned __int128 rest = 0;
  for (std::size_t i = limbs.size(); i-- > 0;) {
    rest = (rest << limb_bits) | limbs[i];
    limbs[i] = static_cast<std::uint32_t>(rest / by);
    rest %= by;
  }
  return static_cast<std::uint64_t>(rest);
}

// The double nearest to limbs * 2^exponent and a little more if `is_more`; ties to even.
double nearest(const Limbs& limbs, int exponent, bool is_more) {
  int top = static_cast<int>(limbs.size()) * limb_bits - 1;
  while (top >= 0 && !bit_of(limbs, top)) --top;
  const int shift = std::max(top - mantissa_bits, lowest_exponent - exponent);
  std::uint64_t mantissa = 0;
  for (int at = top; at >= shift; --at) mantissa = mantissa << 1 | (bit_of(limbs, at) ? 1 : 0);
  const bool half = bit_of(limbs, shift - 1), rest = is_more || has_bits_below(limbs, shift - 1);
  if (half && (rest || (mantissa & 1) != 0)) ++mantissa;
  return std::ldexp(static_cast<double>(mantissa), exponent + shift);
}

}  // namespace

void ExactSum::add_limb(int at, std::int64_t limb) {
  if (limbs_.empty()) first_ = at;
  if (at < first_) {
    limbs_.insert(limbs_.begin(), static_cast<std::size_t>(first_ - at), 0);
    first_ = at;
  }
  const auto index = static_cast<std::size_t>(at - first_);
  if (index >= limbs_.size()) limbs_.resize(index + 1, 0);
  limbs_[index] += limb;
}

void ExactSum::add(double value) {
  const auto bits = std::bit_cast<std::uint64_t>(value);
  const int exponent = static_cast<int>(bits >> mantissa_bits & 0x7ff);
  const bool is_negative = bits >> 63 != 0;
  std::uint64_t mantissa = bits & ((std::uint64_t{1} << mantissa_bits) - 1);
  if (exponent == 0x7ff) {
    ++(is_negative ? minus_infinite_ : infinite_);
    return;
  }
  if (exponent > 0) mantissa |= std::uint64_t{1} << mantissa_bits;
  if (mantissa == 0) return;
  const int place = std::max(exponent - 1, 0);
  auto shifted = static_cast<unsigned __int128>(mantissa) << (place % limb_bits);
  for (int at = place / limb_bits; shifted != 0; ++at, shifted >>= limb_bits) {
    const auto limb = static_cast<std::int64_t>(static_cast<std::uint32_t>(shifted));
    if (limb != 0) add_limb(at, is_negative ? -limb : limb);
  }
  if (++added_ >= most_added) carry();
}

// Both halves are doubles without rounding.
void ExactSum::add(std::int64_t value) {
  const std::int64_t high = value >> limb_bits;
  add(static_cast<double>(high) * static_cast<double>(limb_base));
  add(static_cast<double>(value - high * limb_base));
}

void ExactSum::add(const ExactSum& other) {
  const Magnitude theirs = other.magnitude();
  for (std::size_t i = 0; i < theirs.limbs.size(); ++i) {
    const auto limb = static_cast<std::int64_t>(theirs.limbs[i]);
    add_limb(theirs.first + static_cast<int>(i), theirs.is_negative ? -limb : limb);
  }
  infinite_ += other.infinite_;
  minus_infinite_ += other.minus_infinite_;
  if (++added_ >= most_added) carry();
}

// All limbs but the last lie in 0 ... 2^32 - 1 then.
void ExactSum::carry() {
  added_ = 0;
  for (std::size_t i = 0; i < limbs_.size(); ++i) {
    const std::int64_t over = limbs_[i] >> limb_bits;
    const bool is_last = i + 1 == limbs_.size();
    if (over == 0 || (is_last && over == -1)) continue;
    if (is_last) limbs_.push_back(0);
    limbs_[i] -= over * limb_base;
    limbs_[i + 1] += over;
  }
}

ExactSum::Magnitude ExactSum::magnitude() const {
  ExactSum sum = *this;
  sum.carry();
  Magnitude result;
  result.is_negative = !sum.limbs_.empty() && sum.limbs_.back() < 0;
  if (result.is_negative) {
    for (auto& limb : sum.limbs_) limb = -limb;
    sum.carry();
  }
  for (const std::int64_t limb : sum.limbs_) result.limbs.push_back(static_cast<std::uint32_t>(limb));
  while (!result.limbs.empty() && result.limbs.back() == 0) result.limbs.pop_back();
  const auto begin = std::find_if(result.limbs.begin(), result.limbs.end(), [](auto limb) { return limb != 0; });
  result.first = result.limbs.empty() ? 0 : sum.first_ + static_cast<int>(begin - result.limbs.begin());
  result.limbs.erase(result.limbs.begin(), begin);
  return result;
}

double ExactSum::over(std::uint64_t count) const {
  const double infinite = std::numeric_limits<double>::infinity();
  if (count == 0 || (infinite_ > 0 && minus_infinite_ > 0)) return std::nan("");
  if (infinite_ > 0 || minus_infinite_ > 0) return infinite_ > 0 ? infinite : -infinite;
  Magnitude sum = magnitude();
  if (sum.limbs.empty()) return 0;
  constexpr int more = 4;  // limbs, so that a quotient has more bits than a double
  sum.limbs.insert(sum.limbs.begin(), more, 0);
  const std::uint64_t rest = divide(sum.limbs, count);
  const int exponent = (sum.first - more) * limb_bits + lowest_exponent;
  const double value = nearest(sum.limbs, exponent, rest != 0);
  return sum.is_negative ? -value : value;
}

void ExactSum::write(ByteWriter& writer) const {
  const Magnitude sum = magnitude();
  writer.number(static_cast<std::uint8_t>(sum.is_negative ? 1 : 0)).number(static_cast<std::int32_t>(sum.first));
  writer.numbers(sum.limbs).number(infinite_).number(minus_infinite_);
}

bool ExactSum::read(ByteReader& reader) {
  const bool is_negative = reader.number<std::uint8_t>() != 0;
  const auto first = reader.number<std::int32_t>();
  const auto limbs = reader.numbers<std::uint32_t>();
  *this = {};
  infinite_ = reader.number<std::uint64_t>();
  minus_infinite_ = reader.number<std::uint64_t>();
  if (!reader.ok() || first < 0 || first > most_limbs || limbs.size() > most_limbs) return false;
  for (std::size_t i = 0; i < limbs.size(); ++i) {
    const auto limb = static_cast<std::int64_t>(limbs[i]);
    add_limb(first + static_cast<int>(i), is_negative ? -limb : limb);
  }
  return true;
}

}  // namespace wave::analysis
