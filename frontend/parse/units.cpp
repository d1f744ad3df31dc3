// Units, and decimal literals as doubles: a literal with its unit is a fraction of big integers, which is rounded once.
#include "frontend/parse/units.h"

#include <boost/multiprecision/cpp_int.hpp>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <map>

namespace wave::frontend {
namespace {

using boost::multiprecision::cpp_int;

struct Decimal {
  cpp_int digits;
  long exponent = 0;  // digits * 10^exponent
};

// No double, and no midpoint between two, has more than 767 significant digits (subnormals included). What follows
// those only says whether the value is above, so one sticky digit stands for it. Units may shift a midpoint by a few
// binary factors, hence the margin.
constexpr std::size_t significant_digits = 1500;
constexpr long largest_decimal_exponent = 100000;

long read_exponent(std::string_view text) {
  const bool negative = !text.empty() && text[0] == '-';
  long value = 0;
  for (const char c : text) {
    if (c >= '0' && c <= '9') value = std::min(value * 10 + (c - '0'), largest_decimal_exponent * 10);
  }
  return negative ? -value : value;
}

Decimal read_decimal(std::string_view text) {
  Decimal result;
  const std::size_t e = text.find_first_of("eE");
  if (e != std::string_view::npos) result.exponent = read_exponent(text.substr(e + 1));
  std::string digits;
  bool after_point = false, sticky = false;
  for (const char c : text.substr(0, e)) {
    if (c == '.') {
      after_point = true;
      continue;
    }
    if (digits.empty() && c == '0') {  // a leading zero
      result.exponent -= after_point ? 1 : 0;
    } else if (digits.size() < significant_digits) {
      digits += c;
      result.exponent -= after_point ? 1 : 0;
    } else {
      sticky |= c != '0';
      result.exponent += after_point ? 0 : 1;
    }
  }
  if (sticky) {
    digits += '1';
    --result.exponent;
  }
  result.digits = digits.empty() ? cpp_int(0) : cpp_int(digits);
  return result;
}

// Rounds numerator / denominator to the nearest double, ties to even.
double round_fraction(cpp_int numerator, cpp_int denominator) {
  constexpr int lowest_bit = -1074;
  const long order = static_cast<long>(msb(numerator)) - static_cast<long>(msb(denominator));
  const long shift = 56 - order;  // the quotient has 56 or 57 bits
  if (shift >= 0)
    numerator <<= static_cast<unsigned>(shift);
  else
    denominator <<= static_cast<unsigned>(-shift);
  cpp_int quotient, remainder;
  divide_qr(numerator, denominator, quotient, remainder);
  const auto bits = quotient.convert_to<std::uint64_t>();
  const long top = static_cast<long>(msb(quotient)) - shift;
  const long last = std::max<long>(top - 52, lowest_bit);
  const long dropped = last + shift;
  if (dropped > 60) return 0;  // less than half of the smallest double
  const std::uint64_t half = std::uint64_t{1} << (dropped - 1);
  const std::uint64_t rest = bits & (2 * half - 1);
  std::uint64_t kept = bits >> dropped;
  if (rest > half || (rest == half && (remainder != 0 || (kept & 1) != 0))) ++kept;
  return std::ldexp(static_cast<double>(kept), static_cast<int>(last));
}

cpp_int power_of_ten(long exponent) { return pow(cpp_int(10), static_cast<unsigned>(exponent)); }

}  // namespace

std::optional<double> nearest_value(std::string_view number, const Unit* unit) {
  Decimal decimal = read_decimal(number);
  if (decimal.digits == 0) return 0.0;
  cpp_int numerator = decimal.digits, denominator = 1;
  if (unit != nullptr) {
    for (const auto& [name, exponent] : unit->factors) {
      const UnitInfo* info = find_unit(name.text);
      const cpp_int factor = pow(cpp_int(info->mantissa), static_cast<unsigned>(std::abs(exponent)));
      (exponent > 0 ? numerator : denominator) *= factor;
      decimal.exponent += static_cast<long>(info->exponent) * exponent;
    }
  }
  // Stop if it is far outside the range of doubles, before the powers become expensive.
  const auto size = static_cast<long>(msb(numerator)) * 3 / 10 - static_cast<long>(msb(denominator)) * 3 / 10;
  if (size + decimal.exponent > 400) return std::nullopt;
  if (size + decimal.exponent < -2000) return 0.0;
  if (decimal.exponent >= 0)
    numerator *= power_of_ten(decimal.exponent);
  else
    denominator *= power_of_ten(-decimal.exponent);
  const double value = round_fraction(std::move(numerator), std::move(denominator));
  return std::isfinite(value) ? std::optional<double>(value) : std::nullopt;
}

// --- units ---

namespace {

constexpr Dimension time{1, 0, 0}, data{0, 1, 0}, work{0, 0, 1}, rate{-1, 0, 0};

bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; }
bool is_symbol(char c) { return c == '/' || c == '*' || c == '^' || c == '-'; }

// The pieces of a unit expression: words, integers and symbols.
class Pieces {
 public:
  Pieces(std::string_view text, Location location) : text_(text), location_(location) {}

  std::string_view next() {
    while (at_ < text_.size() && is_blank(text_[at_])) ++at_;
    begin_ = at_;
    if (at_ < text_.size() && is_symbol(text_[at_])) {
      ++at_;
    } else {
      while (at_ < text_.size() && !is_blank(text_[at_]) && !is_symbol(text_[at_])) ++at_;
    }
    return text_.substr(begin_, at_ - begin_);
  }
  char peek() {
    while (at_ < text_.size() && is_blank(text_[at_])) ++at_;
    return at_ < text_.size() ? text_[at_] : '\0';
  }
  Location location() const {
    return {location_.file, location_.begin + static_cast<std::uint32_t>(begin_),
            location_.begin + static_cast<std::uint32_t>(at_)};
  }

 private:
  std::string_view text_;
  Location location_;
  std::size_t begin_ = 0, at_ = 0;
};

// Other ways to write a unit, and what they mean. A `b` is a bit, but the nearest word would be a byte. If usage is
// divided, both meanings are named.
std::vector<std::string> usual_units(std::string_view word) {
  static const std::map<std::string_view, std::vector<std::string>> usual = {{"\u00B5s", {"us"}},
                                                                             {"\u03BCs", {"us"}},
                                                                             {"usec", {"us"}},
                                                                             {"msec", {"ms"}},
                                                                             {"nsec", {"ns"}},
                                                                             {"usecs", {"us"}},
                                                                             {"msecs", {"ms"}},
                                                                             {"nsecs", {"ns"}},
                                                                             {"microseconds", {"us"}},
                                                                             {"milliseconds", {"ms"}},
                                                                             {"nanoseconds", {"ns"}},
                                                                             {"sec", {"s"}},
                                                                             {"secs", {"s"}},
                                                                             {"second", {"s"}},
                                                                             {"seconds", {"s"}},
                                                                             {"mins", {"min"}},
                                                                             {"minute", {"min"}},
                                                                             {"minutes", {"min"}},
                                                                             {"hr", {"h"}},
                                                                             {"hrs", {"h"}},
                                                                             {"hour", {"h"}},
                                                                             {"hours", {"h"}},
                                                                             {"byte", {"B"}},
                                                                             {"bytes", {"B"}},
                                                                             {"Byte", {"B"}},
                                                                             {"Bytes", {"B"}},
                                                                             {"K", {"KiB", "kB"}},
                                                                             {"KB", {"KiB", "kB"}},
                                                                             {"Kb", {"kbit"}},
                                                                             {"kb", {"kbit"}},
                                                                             {"Kbit", {"kbit"}},
                                                                             {"mb", {"MB", "Mbit"}},
                                                                             {"gb", {"GB", "Gbit"}},
                                                                             {"Mb", {"Mbit"}},
                                                                             {"Gb", {"Gbit"}},
                                                                             {"Tb", {"1000 Gbit"}},
                                                                             {"Tbit", {"1000 Gbit"}},
                                                                             {"Kib", {"KiB", "kbit"}},
                                                                             {"Mib", {"MiB", "Mbit"}},
                                                                             {"Gib", {"GiB", "Gbit"}},
                                                                             {"PB", {"1000 TB"}},
                                                                             {"PiB", {"1024 TiB"}},
                                                                             {"b", {"bit"}},
                                                                             {"bits", {"bit"}},
                                                                             {"bps", {"bit/s"}},
                                                                             {"kbps", {"kbit/s"}},
                                                                             {"Kbps", {"kbit/s"}},
                                                                             {"Mbps", {"Mbit/s"}},
                                                                             {"Gbps", {"Gbit/s"}},
                                                                             {"Tbps", {"1000 Gbit/s"}},
                                                                             {"Bps", {"B/s"}},
                                                                             {"kBps", {"kB/s"}},
                                                                             {"KBps", {"KiB/s", "kB/s"}},
                                                                             {"MBps", {"MB/s"}},
                                                                             {"GBps", {"GB/s"}},
                                                                             {"TBps", {"TB/s"}},
                                                                             {"flops", {"flop", "flop/s"}},
                                                                             {"FLOP", {"flop"}},
                                                                             {"FLOPS", {"flop/s", "flop"}},
                                                                             {"MFLOP", {"Mflop"}},
                                                                             {"GFLOP", {"Gflop"}},
                                                                             {"TFLOP", {"Tflop"}},
                                                                             {"MFLOPS", {"Mflop/s"}},
                                                                             {"GFLOPS", {"Gflop/s"}},
                                                                             {"TFLOPS", {"Tflop/s"}},
                                                                             {"PFLOPS", {"Pflop/s"}},
                                                                             {"MFlops", {"Mflop/s"}},
                                                                             {"GFlops", {"Gflop/s"}},
                                                                             {"TFlops", {"Tflop/s"}},
                                                                             {"hz", {"Hz"}}};
  const auto found = usual.find(word);
  return found == usual.end() ? std::vector<std::string>{} : found->second;
}

void report_unknown(std::string_view name, Location location, std::string_view number, bool first,
                    Diagnostics& diagnostics) {
  std::vector<std::string> names;
  for (const UnitInfo& unit : all_units()) names.emplace_back(unit.name);
  const std::string word(name);
  Diagnostic& report =
      diagnostics.add(DiagnosticKind::unknown_unit, location, "unknown unit `" + word + "`", "not a unit");
  std::vector<std::string> near = usual_units(word);
  if (const std::string one = near.empty() ? nearest(word, names) : ""; !one.empty()) near.push_back(one);
  if (!near.empty()) report.help.push_back(did_you_mean(near));
  for (const std::string& one : near) report.fixes.push_back({location, one});
  if (near.empty() && first && !number.empty()) {
    report.help.push_back("a word after a number on the same line is its unit; to multiply, write `" +
                          std::string(number) + " * " + word + "`, to begin a statement, a new line or `;`");
    report.fixes.push_back({{location.file, location.begin, location.begin}, "* "});
  }
  if (!first)
    report.help.push_back(
        "without a space around it, `/`, `*` and `^` belong to the unit; put spaces around an "
        "operator to divide or multiply by `" +
        word + "`");
}

// The exponent after `^`, or 1 without one. Nothing if it is out of bounds.
std::optional<int> read_exponent(Pieces& pieces) {
  if (pieces.peek() != '^') return 1;
  pieces.next();
  const bool negative = pieces.peek() == '-';
  if (negative) pieces.next();
  int value = 0;
  for (const char digit : pieces.next()) {
    if (!std::isdigit(static_cast<unsigned char>(digit))) return std::nullopt;
    value = value * 10 + (digit - '0');
    if (value > largest_written_exponent) return std::nullopt;
  }
  return negative ? -value : value;
}

}  // namespace

namespace {

// What is meant by one word of a unit.
std::optional<std::string> usual_word(const std::string& word) {
  if (find_unit(word) != nullptr) return word;
  // In the language all units without an `i` are powers of 1000.
  if (word == "KB") return "kB";
  if (word == "KBps") return "kB/s";
  auto meant = usual_units(word);
  constexpr std::size_t shortest = 3;  // whose capitals mean nothing
  if (meant.empty() && word.size() >= shortest) {
    std::string small = word;
    for (char& c : small) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    meant = usual_units(small);
  }
  // `1000 Gbit` is no unit.
  const bool is_clear = meant.size() == 1 && meant.front().find(' ') == std::string::npos && word != "b";
  return is_clear ? std::optional(meant.front()) : std::nullopt;
}

}  // namespace

std::optional<std::string> usual_unit(std::string_view text) {
  constexpr std::size_t longest = 100;
  if (text.size() > longest) return std::nullopt;
  std::string result;
  Pieces pieces(text, {});
  while (pieces.peek() != '\0') {
    const std::string word(pieces.next());
    const bool is_symbol_or_exponent =
        is_symbol(word.front()) || std::isdigit(static_cast<unsigned char>(word.front()));
    const auto meant = is_symbol_or_exponent ? std::optional(word) : usual_word(word);
    if (!meant) return std::nullopt;
    result += *meant;
  }
  Diagnostics aside;
  return read_unit(result, {}, "", aside) ? std::optional(result) : std::nullopt;
}

const std::vector<UnitInfo>& all_units() {
  static const std::vector<UnitInfo> units = {
      {"ps", time, 1, 0},
      {"ns", time, 1, 3},
      {"us", time, 1, 6},
      {"ms", time, 1, 9},
      {"s", time, 1, 12},
      {"min", time, 60, 12},
      {"h", time, 3600, 12},
      {"bit", data, 125, -3},
      {"B", data, 1, 0},
      {"kB", data, 1, 3},
      {"MB", data, 1, 6},
      {"GB", data, 1, 9},
      {"TB", data, 1, 12},
      {"KiB", data, 1024, 0},
      {"MiB", data, 1 << 20, 0},
      {"GiB", data, 1 << 30, 0},
      {"TiB", data, std::uint64_t{1} << 40, 0},
      {"kbit", data, 125, 0},
      {"Mbit", data, 125, 3},
      {"Gbit", data, 125, 6},
      {"flop", work, 1, 0},
      {"kflop", work, 1, 3},
      {"Mflop", work, 1, 6},
      {"Gflop", work, 1, 9},
      {"Tflop", work, 1, 12},
      {"Pflop", work, 1, 15},
      {"Hz", rate, 1, -12},
      {"kHz", rate, 1, -9},
      {"MHz", rate, 1, -6},
      {"GHz", rate, 1, -3},
  };
  return units;
}

const UnitInfo* find_unit(std::string_view name) {
  for (const UnitInfo& unit : all_units()) {
    if (unit.name == name) return &unit;
  }
  return nullptr;
}

Dimension dimension_of(const Unit& unit) {
  Dimension result;
  const auto add = [](std::int8_t& exponent, std::int8_t base, int power) {
    exponent = static_cast<std::int8_t>(exponent + base * power);
  };
  for (const auto& [name, exponent] : unit.factors) {
    const UnitInfo* info = find_unit(name.text);
    add(result.time, info->dimension.time, exponent);
    add(result.data, info->dimension.data, exponent);
    add(result.work, info->dimension.work, exponent);
  }
  return result;
}

std::optional<Unit> read_unit(std::string_view text, Location location, std::string_view number,
                              Diagnostics& diagnostics) {
  Unit unit;
  unit.location = location;
  unit.text = std::string(text);
  Pieces pieces(text, location);
  bool divides = false;
  int total = 0;
  for (bool first = true;; first = false) {
    const std::string name(pieces.next());
    const Location name_location = pieces.location();
    if (find_unit(name) == nullptr) {
      report_unknown(name, name_location, number, first, diagnostics);
      return std::nullopt;
    }
    const std::optional<int> exponent = read_exponent(pieces);
    total += exponent ? std::abs(*exponent) : 0;
    if (!exponent || total > 4 * largest_written_exponent) {
      diagnostics.add(DiagnosticKind::number_out_of_range, cover(name_location, pieces.location()),
                      "the exponent of unit `" + name + "` is out of range", "at most 9 either way, and 36 in all");
      return std::nullopt;
    }
    unit.factors.push_back({{name, name_location}, divides ? -*exponent : *exponent});
    if (pieces.peek() == '\0') return unit;
    divides = pieces.next() == "/";
  }
}

}  // namespace wave::frontend
