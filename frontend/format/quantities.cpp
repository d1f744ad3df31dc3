// Numbers and quantities as a person would write them.
#include "frontend/format/quantities.h"

#include "frontend/parse/units.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>

namespace wave::frontend {
namespace {

constexpr double largest_plain = 1e15;
constexpr double smallest_plain = 1e-4;
// The most decimals of a column. More would only show the grid of doubles.
constexpr int most_decimals = 9;

int decimal_exponent(double value) { return static_cast<int>(std::floor(std::log10(std::abs(value)))); }

std::string without_trailing_zeros(std::string number) {
  if (number.find('.') == std::string::npos) return number;
  number.erase(number.find_last_not_of('0') + 1);
  if (number.back() == '.') number.pop_back();
  return number;
}

// Whether the written number is the value, apart from the rounding of arithmetic.
bool says_all(const std::string& number, double value) {
  return std::abs(std::strtod(number.c_str(), nullptr) - value) <= 1e-12 * std::abs(value);
}

std::string with_decimals(double value, int decimals) {
  const std::string number = fmt::format("{:.{}f}", value, decimals);
  return says_all(number, value) ? without_trailing_zeros(number) : number;
}

}  // namespace

std::string format_number(double value, int digits) {
  if (!std::isfinite(value)) return fmt::format("{}", value);
  if (value == 0) return "0";
  if (std::abs(value) >= largest_plain || std::abs(value) < smallest_plain) {
    return fmt::format("{:.{}e}", value, digits - 1);
  }
  return with_decimals(value, std::max(0, digits - 1 - decimal_exponent(value)));
}

std::string format_decimals(double value, int decimals) {
  return decimals < 0 ? format_number(value, 6) : fmt::format("{:.{}f}", value, decimals);
}

std::string grouped(std::uint64_t count) {
  std::string digits = fmt::format("{}", count);
  for (std::size_t at = digits.size(); at > 3; at -= 3) digits.insert(at - 3, " ");
  return digits;
}

std::string plural(std::uint64_t count, const std::string& one) {
  return fmt::format("{} {}{}", grouped(count), one, count == 1 ? "" : "s");
}

std::string counted(std::size_t count, std::string_view noun) { return counted(count, noun, std::string(noun) + "s"); }

std::string counted(std::size_t count, std::string_view one, std::string_view several) {
  return fmt::format("{} {}", count, count == 1 ? one : several);
}

int common_decimals(const std::vector<double>& values, int digits) {
  double smallest = 0, largest = 0;
  for (const double value : values) {
    const double size = std::abs(value);
    if (size == 0 || !std::isfinite(size)) continue;
    smallest = smallest == 0 ? size : std::min(smallest, size);
    largest = std::max(largest, size);
  }
  if (smallest == 0) return 0;
  if (largest >= largest_plain || decimal_exponent(smallest) < digits - 1 - most_decimals) return -1;
  const int wanted = std::max(0, digits - 1 - decimal_exponent(smallest));
  int needed = 0;
  for (const double value : values) {
    const std::string number = with_decimals(value, wanted);
    const auto point = number.find('.');
    if (point != std::string::npos) needed = std::max(needed, static_cast<int>(number.size() - point - 1));
  }
  return needed;
}

// --- quantities ---
namespace {

// One of a unit is multiplier / divisor base units.
struct UnitSize {
  double multiplier = 1, divisor = 1;
};

UnitSize size_of(std::string_view name) {
  const auto* info = find_unit(name);
  if (info == nullptr) return {};
  const double power = std::pow(10.0, std::abs(info->exponent));  // exact for the exponents of units
  const auto mantissa = static_cast<double>(info->mantissa);
  return info->exponent < 0 ? UnitSize{mantissa, power} : UnitSize{mantissa * power, 1};
}

void reduce(Scale& scale) {
  const double common = std::min(scale.multiplier, scale.divisor);
  if (common > 1 && std::fmod(std::max(scale.multiplier, scale.divisor), common) == 0) {
    scale.multiplier /= common;
    scale.divisor /= common;
  }
}

// Both products stay exact as long as a double can hold them, so that one division rounds once.
void apply(Scale& scale, const UnitSize& unit, int exponent) {
  for (int i = 0; i < std::abs(exponent); ++i) {
    scale.multiplier *= exponent > 0 ? unit.divisor : unit.multiplier;
    scale.divisor *= exponent > 0 ? unit.multiplier : unit.divisor;
  }
  reduce(scale);
}

using Factors = std::vector<std::pair<std::string, int>>;

Scale scale_of(const Factors& factors) {
  Scale scale;
  std::string below;
  for (const auto& [name, exponent] : factors) {
    if (exponent == 0) continue;
    apply(scale, size_of(name), exponent);
    std::string& side = exponent > 0 ? scale.unit : below;
    if (exponent < 0) side += "/";
    if (exponent > 0 && !side.empty()) side += "*";
    side += name;
    if (std::abs(exponent) > 1) side += fmt::format("^{}", std::abs(exponent));
  }
  if (scale.unit.empty() && !below.empty()) scale.unit = "1";
  scale.unit += below;
  return scale;
}

// The units among which a person chooses, from small to large; empty for the standard scale.
std::vector<Scale> readable_units(Dimension d) {
  std::vector<Scale> result;
  const auto family = [&](std::initializer_list<const char*> names, const Factors& rest) {
    for (const char* name : names) {
      Factors factors{{name, 1}};
      factors.insert(factors.end(), rest.begin(), rest.end());
      result.push_back(scale_of(factors));
    }
  };
  if (d == Dimension{1, 0, 0}) family({"ps", "ns", "us", "ms", "s", "h"}, {});
  if (d == Dimension{-1, 0, 0}) family({"Hz", "kHz", "MHz", "GHz"}, {});
  if (d == Dimension{0, 0, 1}) family({"flop", "kflop", "Mflop", "Gflop", "Tflop", "Pflop"}, {});
  if (d == Dimension{-1, 1, 0}) family({"B", "kB", "MB", "GB", "TB"}, {{"s", -1}});
  if (d == Dimension{-1, 0, 1}) family({"flop", "kflop", "Mflop", "Gflop", "Tflop", "Pflop"}, {{"s", -1}});
  if (d == Dimension{1, -1, 0}) family({"ps", "ns", "us", "ms", "s"}, {{"B", -1}});
  if (d == Dimension{1, 0, -1}) family({"ps", "ns", "us", "ms", "s"}, {{"flop", -1}});
  return result;
}

// Binary or decimal multiples, whichever is shorter to write. Few bytes are bytes, unless they are whole KiB.
Scale readable_data_scale(double bytes) {
  const double size = std::abs(bytes);
  const bool whole_binary = size >= 1024 && std::fmod(size, 1024) == 0;
  if (size < 10000 && size == std::floor(size) && !whole_binary) return scale_of(Factors{{"B", 1}});
  Scale best;
  std::size_t best_length = 0;
  for (const auto& names : {std::initializer_list<const char*>{"KiB", "MiB", "GiB", "TiB"}, {"kB", "MB", "GB", "TB"}}) {
    Scale scale = scale_of(Factors{{"B", 1}});
    for (const char* name : names) {
      const Scale larger = scale_of(Factors{{name, 1}});
      if (std::abs(larger.shown(size)) >= 1) scale = larger;
    }
    const std::size_t length = format_number(scale.shown(size), 4).size();
    if (best_length == 0 || length < best_length) {
      best = scale;
      best_length = length;
    }
  }
  return best;
}

// The largest unit of which the value has at least one, or at least two for hours.
Scale readable_among(const std::vector<Scale>& units, double value) {
  Scale best = units.front();
  for (const auto& scale : units) {
    const double least = scale.unit == "h" ? 2 : 1;
    if (std::abs(scale.shown(value)) >= least) best = scale;
  }
  return best;
}

}  // namespace

Scale scale_of(const Unit& unit) {
  Factors factors;
  for (const auto& [name, exponent] : unit.factors) factors.emplace_back(name.text, exponent);
  Scale scale = scale_of(factors);
  if (!unit.text.empty()) scale.unit = unit.text;
  return scale;
}

Scale standard_scale(Dimension d) {
  // `1/s` is no unit that may stand after a number.
  if (d.time < 0 && d.data <= 0 && d.work <= 0)
    return scale_of(Factors{{"Hz", -d.time}, {"flop", d.work}, {"B", d.data}});
  return scale_of(Factors{{"flop", d.work}, {"B", d.data}, {"s", d.time}});
}

Scale ratio_scale(const Scale& of, const Scale& by) {
  Scale scale{of.unit, of.multiplier * by.divisor, of.divisor * by.multiplier};
  reduce(scale);
  if (by.unit.empty()) return scale;
  const auto in_brackets_with = [](const std::string& unit, const char* signs) {
    return unit.find_first_of(signs) == std::string::npos ? unit : "(" + unit + ")";
  };
  const std::string above = of.unit.empty() ? "1" : in_brackets_with(of.unit, "/");
  scale.unit = above + "/" + in_brackets_with(by.unit, "/*");
  return scale;
}

Scale readable_scale(Dimension dimension, double value) {
  if (dimension == Dimension{0, 1, 0}) return readable_data_scale(value);
  const auto units = readable_units(dimension);
  if (value == 0 || units.empty()) return standard_scale(dimension);
  return readable_among(units, value);
}

Scale readable_scale(Dimension dimension, const std::vector<double>& values) {
  std::vector<double> sizes;
  for (const double value : values) {
    if (value != 0 && std::isfinite(value)) sizes.push_back(std::abs(value));
  }
  if (sizes.empty()) return standard_scale(dimension);
  std::sort(sizes.begin(), sizes.end());
  // Up to here, four digits of the smallest and all digits of the largest fit beside each other. Beyond, the middle
  // decides.
  constexpr double comfortable_span = 1e5;
  const bool comfortable = sizes.back() / sizes.front() < comfortable_span;
  return readable_scale(dimension, comfortable ? sizes.front() : sizes[sizes.size() / 2]);
}

std::string format_quantity(double value, Dimension dimension, const std::optional<Unit>& unit, int digits) {
  const Scale scale = unit ? scale_of(*unit) : readable_scale(dimension, value);
  const std::string number = format_number(scale.shown(value), digits);
  return scale.unit.empty() ? number : number + " " + scale.unit;
}

}  // namespace wave::frontend
