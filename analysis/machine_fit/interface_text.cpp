// See interface_text.h. A message is two signals, and its receiver waits for both: one takes the pair's own time, the
// other passes what is shared. The later one decides, which is the maximum of the model.
#include "analysis/machine_fit/interface_text.h"

#include "analysis/machine_fit/builder.h"
#include "analysis/machine_fit/machine_names.h"
#include "base/text.h"

#include <fmt/format.h>

#include <algorithm>

namespace wave::analysis::machine_fit {
namespace {

class InterfaceWriter {
 public:
  InterfaceWriter(const InterfaceFit& fit, const Provenance& provenance) : fit_(fit), provenance_(provenance) {}

  std::string write() {
    write_head();
    out_ += fmt::format("machine {} : Machine {{\n  levels {}\n", provenance_.name, join_texts(levels(), ", "));
    for (const auto& place : fit_.places) write_resource(place);
    out_ +=
        "\n  /// Overhead at either end.\n  param o: time = 0 us in 0 us..\n"
        "    from \"a choice: the data do not tell it from L, which contains both overheads\"\n";
    for (const auto& place : fit_.places) write_parameters(place);
    for (const auto& place : fit_.places) write_protocols(place);
    return out_ + "}\n";
  }

 private:
  static bool is_shared(const PlaceFit& place) { return place.pairs.size() > 1; }
  static std::string resource_of(const PlaceFit& place) { return place.level.empty() ? "nic" : "bus_" + place.level; }

  static std::string suffix(const PlaceFit& place, std::size_t k) {
    std::string text = place.level.empty() ? "" : "_" + place.level;
    if (place.classes.size() > 1) text += fmt::format("_{}", k + 1);
    return text;
  }

  // From the inside out. What passes between nodes belongs to a node in any case.
  std::vector<std::string> levels() const {
    std::vector<std::string> names;
    for (const auto& place : fit_.places) {
      if (!place.level.empty()) names.push_back(place.level);
    }
    if (std::find(names.begin(), names.end(), "node") != names.end()) return names;
    names.insert(std::find(names.begin(), names.end(), "switch"), "node");
    return names;
  }

  void write_head() {
    out_ = "/// Fitted to times of messages that several pairs of processes exchange at once, by `wave fit`.\n";
    out_ += fmt::format("// {}\n// version {}\nwave 1\nimport std.comm {{ Machine }}\n\n",
                        harmless(provenance_.command), harmless(provenance_.version));
    out_ +=
        "/// A machine whose processes share what passes their messages on. The last of k pairs has its message after\n"
        "/// L + max(s * G, q * (g + s * G_N)), where q is k divided by the number of servers, rounded up.\n///\n";
    for (std::size_t i = 0; i < provenance_.files.size(); ++i) {
      out_ += fmt::format("/// - Data: {}", quoted(provenance_.files[i]));
      if (i < provenance_.digests.size()) out_ += fmt::format(" (SHA-256 {})", provenance_.digests[i]);
      out_ += "\n";
    }
    for (const auto& note : fit_.notes) out_ += fmt::format("/// - {}\n", harmless(note));
    out_ +=
        "///\n/// Valid for the sizes and the numbers of pairs measured. Contention inside the network is left out.\n";
  }

  void write_resource(const PlaceFit& place) {
    if (!is_shared(place)) return;
    out_ += fmt::format("\n  /// {}\n  resource {} of {}",
                        place.level.empty() ? "The interface to other nodes." : "What messages inside it pass.",
                        resource_of(place), place.level.empty() ? "node" : place.level);
    if (place.servers > 1) out_ += fmt::format(" servers {}", place.servers);
    out_ += "\n";
  }

  void write_parameter(const std::string& name, ParameterUnit unit, const ClassNumber& number, const std::string& from,
                       std::string_view meaning) {
    MachineParameter parameter;
    parameter.dimension = unit;
    parameter.value = number.value;
    parameter.standard_error = number.told ? number.standard_error : 0;
    const bool is_time = unit == ParameterUnit::time;
    const std::string value = number.value == 0 ? fmt::format("0 {}", unit_of(unit)) : quantity_text(parameter);
    out_ += fmt::format("  /// {}.\n  param {}: {} = {} in 0 {}..\n    from {}\n", meaning, name,
                        is_time ? "time" : "time/data", value, unit_of(unit),
                        quoted(number.told ? from : "the data do not tell it: see the notes"));
  }

  void write_parameters(const PlaceFit& place) {
    for (std::size_t k = 0; k < place.classes.size(); ++k) {
      const PairClass& one = place.classes[k];
      const std::string end = suffix(place, k);
      const std::string from = fmt::format(
          "fitted to {} times of {} to {}, of {} pairs; residuals: rms {}, largest {}", one.points, size_text(one.from),
          size_text(one.to), join_texts(place.pairs, ", "), percent_text(one.rms), percent_text(one.largest));
      out_ += "\n";
      write_parameter("L" + end, ParameterUnit::time, one.at_zero, from, "An empty message, with both overheads");
      write_parameter("G" + end, ParameterUnit::time_per_byte, one.per_byte, from, "Each byte, of a pair");
      if (is_shared(place)) {
        write_parameter("g" + end, ParameterUnit::time, one.gap, from, "Each message, of what is shared");
        write_parameter("G_N" + end, ParameterUnit::time_per_byte, one.gap_per_byte, from,
                        "Each byte, of what is shared");
      }
      if (k + 1 == place.classes.size()) continue;
      out_ += fmt::format(
          "  /// The largest message of this class.\n  param S{}: data = {:.0f} B in 0 B..\n"
          "    from \"the next size that was measured belongs to the next class\"\n",
          end, one.to);
    }
  }

  void write_protocols(const PlaceFit& place) {
    const bool last_place = &place == &fit_.places.back();
    for (std::size_t k = 0; k < place.classes.size(); ++k) {
      const bool last = k + 1 == place.classes.size();
      const std::string end = suffix(place, k);
      std::vector<std::string> conditions;
      if (!last_place) conditions.push_back("within " + place.level);
      if (!last) conditions.push_back("s <= S" + end);
      out_ += fmt::format("\n  /// Messages {} {}{}.\n  protocol passed{}(s: data){}{} {{\n", last ? "from" : "up to",
                          size_text(last ? place.classes[k].from : place.classes[k].to),
                          place.level.empty() ? "" : " within a " + place.level, end,
                          conditions.empty() ? "" : " when ", join_texts(conditions, " and "));
      if (is_shared(place)) {
        out_ += fmt::format(
            "    sender {{\n      busy o\n      emit copied after L{0} + s * G{0}\n"
            "      emit payload via {1} for g{0} + s * G_N{0} after L{0} + g{0} + s * G_N{0}\n    }}\n"
            "    receiver {{ await copied; await payload; busy o }}\n  }}\n",
            end, resource_of(place));
      } else {
        out_ += fmt::format(
            "    sender {{ busy o; emit payload after L{0} + s * G{0} }}\n"
            "    receiver {{ await payload; busy o }}\n  }}\n",
            end);
      }
    }
  }

  const InterfaceFit& fit_;
  const Provenance& provenance_;
  std::string out_;
};

}  // namespace

std::string interface_text(const InterfaceFit& fit, const Provenance& provenance) {
  return InterfaceWriter(fit, provenance).write();
}

}  // namespace wave::analysis::machine_fit
