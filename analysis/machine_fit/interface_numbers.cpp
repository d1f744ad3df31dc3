// The numbers of what several pairs share, as parameters of a machine. See interfaces.h.
#include "analysis/machine_fit/builder.h"
#include "analysis/machine_fit/interfaces.h"
#include "base/text.h"

#include <fmt/format.h>

namespace wave::analysis::machine_fit {
namespace {

MachineParameter parameter_of(std::string name, ParameterUnit unit, const ClassNumber& number, std::string meaning,
                              const std::string& origin) {
  MachineParameter one;
  one.name = std::move(name);
  one.dimension = unit;
  one.value = one.lower = one.upper = number.value;
  one.meaning = std::move(meaning);
  one.origin = number.told ? origin : "the data do not tell it: see the notes";
  if (!number.told) return one;
  one.standard_error = number.standard_error;
  one.lower = number.lower;
  one.upper = number.upper;
  return one;
}

std::string origin_of(const PlaceFit& place, const PairClass& one) {
  return fmt::format("fitted to {} times of {} to {}, of {} pairs; residuals: rms {}, largest {}", one.points,
                     size_text(one.from), size_text(one.to), join_texts(place.pairs, ", "), percent_text(one.rms),
                     percent_text(one.largest));
}

}  // namespace

std::string end_of_names(const PlaceFit& place, std::size_t k) {
  const std::string level = place.level.empty() ? "" : "_" + place.level;
  return place.classes.size() > 1 ? fmt::format("{}_{}", level, k + 1) : level;
}

std::vector<MachineParameter> parameters_of(const PlaceFit& place) {
  std::vector<MachineParameter> all;
  for (std::size_t k = 0; k < place.classes.size(); ++k) {
    const PairClass& one = place.classes[k];
    const std::string end = end_of_names(place, k), from = origin_of(place, one);
    const auto add = [&](const char* name, ParameterUnit unit, const ClassNumber& number, const char* meaning) {
      all.push_back(parameter_of(name + end, unit, number, meaning, from));
    };
    add("L", ParameterUnit::time, one.at_zero, "an empty message, with both overheads");
    add("G", ParameterUnit::time_per_byte, one.per_byte, "each byte, of a pair");
    if (place.is_shared()) {
      add("g", ParameterUnit::time, one.gap, "each message, of what is shared");
      add("G_N", ParameterUnit::time_per_byte, one.gap_per_byte, "each byte, of what is shared");
    }
    if (place.has_streams()) {
      add("p", ParameterUnit::time, one.own_gap, "each message of a stream, of a process");
      add("P", ParameterUnit::time_per_byte, one.own_gap_per_byte, "each byte of a stream, of a process");
    }
    if (k + 1 == place.classes.size()) continue;
    const ClassNumber threshold{.value = one.to, .told = false};
    all.push_back(parameter_of("S" + end, ParameterUnit::size, threshold, "the largest message of this class", ""));
    all.back().origin = "the next size that was measured belongs to the next class";
  }
  return all;
}

}  // namespace wave::analysis::machine_fit
