// See measures.h.
#include "base/measures.h"

#include <cmath>
#include <cstdlib>
#include <limits>
#include <string_view>

namespace wave {
namespace {

struct Unit {
  std::string_view name;
  double size;
};

// A number, perhaps a space, and one of the units.
template <std::size_t count>
std::optional<double> parse_measure(const std::string& text, const Unit (&units)[count]) {
  const bool begins_as_number = !text.empty() && ((text[0] >= '0' && text[0] <= '9') || text[0] == '.');
  if (!begins_as_number || text.find_first_of("xX") != std::string::npos) return std::nullopt;  // no hexadecimal
  char* end = nullptr;
  const double number = std::strtod(text.c_str(), &end);
  while (*end == ' ') ++end;
  const std::string_view unit(end);
  for (const Unit& u : units) {
    if (unit != u.name) continue;
    const double value = number * u.size;
    return value > 0 && std::isfinite(value) ? std::optional(value) : std::nullopt;
  }
  return std::nullopt;
}

}  // namespace

std::optional<double> parse_seconds(const std::string& text) {
  if (text == "none") return std::numeric_limits<double>::infinity();
  static constexpr Unit units[] = {{"s", 1}, {"ms", 1e-3}, {"us", 1e-6}, {"min", 60}, {"h", 3600}};
  return parse_measure(text, units);
}

std::optional<std::size_t> parse_bytes(const std::string& text) {
  static constexpr Unit units[] = {{"B", 1},         {"kB", 1e3},         {"MB", 1e6},
                                   {"GB", 1e9},      {"TB", 1e12},        {"KiB", 1024},
                                   {"MiB", 1048576}, {"GiB", 1073741824}, {"TiB", 1099511627776}};
  const auto bytes = parse_measure(text, units);
  if (!bytes || *bytes < 1 || *bytes > 1e18) return std::nullopt;
  return static_cast<std::size_t>(*bytes);
}

}  // namespace wave
