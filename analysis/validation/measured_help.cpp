// See measured_help.h.
#include "analysis/validation/measured_help.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace wave::analysis {
namespace {

std::string letters_of(const std::string& name) {
  std::string result;
  for (const char c : name) {
    if (c >= 'A' && c <= 'Z') result += static_cast<char>(c - 'A' + 'a');
    if (c >= 'a' && c <= 'z') result += c;
  }
  return result;
}

// `time (min)` may be in minutes, or the least of several.
bool has_word_min(const std::string& name) {
  const auto is_letter = [&](std::size_t at) { return at < name.size() && !letters_of(name.substr(at, 1)).empty(); };
  for (std::size_t at = 0; at + 3 <= name.size(); ++at) {
    const bool is_word = (at == 0 || !is_letter(at - 1)) && !is_letter(at + 3);
    if (is_word && letters_of(name.substr(at, 3)) == "min") return true;
  }
  return false;
}

bool contains(const std::string& text, const char* part) { return text.find(part) != std::string::npos; }

// The count of processors: the only whole number that varies, or the one called so.
const MeasuredParameter* count_that_varies(const MeasuredData& data) {
  std::vector<const MeasuredParameter*> found;
  for (const MeasuredParameter& one : data.parameters()) {
    const auto* const values = std::get_if<std::vector<std::int64_t>>(&one.values);
    if (one.has_texts || !std::holds_alternative<frontend::types::Int>(one.type->kind) || values->empty()) continue;
    if (*std::min_element(values->begin(), values->end()) < *std::max_element(values->begin(), values->end()))
      found.push_back(&one);
  }
  for (const MeasuredParameter* one : found) {
    const std::string name = letters_of(one->name);
    for (const char* word : {"rank", "proc", "core", "thread", "node", "gpu", "worker", "pe"}) {
      if (contains(name, word)) return one;
    }
  }
  return found.empty() ? nullptr : found.front();
}

// Its value where the measurement is nearest to 1 (or to 100 %): that which others are compared with.
std::int64_t base_count(const MeasuredData& data, const std::vector<std::int64_t>& counts, double one) {
  std::size_t best = 0;
  for (std::size_t row = 1; row < counts.size(); ++row) {
    const double off = std::fabs(data.measured()[row] - one), least = std::fabs(data.measured()[best] - one);
    if (off < least || (off == least && counts[row] < counts[best])) best = row;
  }
  return counts[best];
}

}  // namespace

std::string ratio_of_times(const MeasuredData& data, const std::string& output) {
  const std::string name = letters_of(data.name());
  const bool is_efficiency = contains(name, "effic") || name == "eff";
  if (!is_efficiency && !contains(name, "speedup") && !contains(name, "scaleup")) return "";
  const MeasuredParameter* const count = count_that_varies(data);
  if (count == nullptr) return "";
  const double largest = *std::max_element(data.measured().begin(), data.measured().end());
  constexpr double most_of_efficiency = 5;  // beyond it, they are per cent
  const bool is_percent = is_efficiency && (contains(name, "percent") || largest > most_of_efficiency);
  const std::int64_t base = base_count(data, std::get<std::vector<std::int64_t>>(count->values), is_percent ? 100 : 1);
  std::string ratio = fmt::format("{}[{} = {}] / {}", output, count->name, base, output);
  if (is_efficiency) ratio = fmt::format("{} * {} / {}", ratio, base, count->name);
  return is_percent ? "100 * " + ratio : ratio;
}

void help_on_missing_unit(const MeasuredData& data, const std::string& output, frontend::Dimension dimension,
                          frontend::Diagnostic& diagnostic) {
  const std::string ratio = ratio_of_times(data, output);
  if (!ratio.empty()) {
    diagnostic.help.push_back(fmt::format("where it is a ratio of times: `--show \"{}\"`", ratio));
    return;
  }
  const auto option = [&](const char* unit) { return fmt::format("`--measured \"{} [{}]\"`", data.name(), unit); };
  const std::string example = example_unit(dimension);
  if (dimension == frontend::Dimension{1, 0, 0})
    diagnostic.help.push_back(fmt::format(
        "say in which unit it is: {}{} for seconds, {} for milliseconds, {} for microseconds",
        has_word_min(data.name()) ? option("min") + " for minutes, " : "", option("s"), option("ms"), option("us")));
  else if (!example.empty())
    diagnostic.help.push_back(
        fmt::format("say in which unit it is: {}, where it is in {}", option(example.c_str()), example));
}

}  // namespace wave::analysis
