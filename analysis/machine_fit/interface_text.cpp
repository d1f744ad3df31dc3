// See interface_text.h. A message is two signals, and its receiver waits for both: one takes the pair's own time, the
// other passes what is shared. The later one decides, which is the maximum of the model. In a stream each of them waits
// for its turn at the process.
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
    if (has_streams())
      out_ +=
          "\n  /// What a process sends through, one message after the other: the two signals of each.\n"
          "  resource out of process\n  resource copies of process\n";
    out_ +=
        "\n  /// Overhead at either end.\n  param o: time = 0 us in 0 us..\n"
        "    from \"a choice: the data do not tell it from L, which contains both overheads\"\n";
    for (const auto& place : fit_.places) {
      for (const MachineParameter& one : parameters_of(place))
        out_ += "\n" + parameter_text(one, probability_of_intervals);
    }
    for (const auto& place : fit_.places) write_protocols(place);
    return out_ + "}\n";
  }

 private:
  bool has_streams() const {
    return std::any_of(fit_.places.begin(), fit_.places.end(), [](const PlaceFit& one) { return one.has_streams(); });
  }
  static std::string resource_of(const PlaceFit& place) { return place.level.empty() ? "nic" : "bus_" + place.level; }

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
        "/// L + max(s * G, q * (g + s * G_N)), where q is k divided by the number of servers, rounded up.\n";
    if (has_streams())
      out_ += "/// In a stream the next message of a process follows after max(p + s * P, q * (g + s * G_N)).\n";
    out_ += "///\n";
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
    if (!place.is_shared()) return;
    out_ += fmt::format("\n  /// {}\n  resource {} of {}",
                        place.level.empty() ? "The interface to other nodes." : "What messages inside it pass.",
                        resource_of(place), place.level.empty() ? "node" : place.level);
    if (place.servers > 1) out_ += fmt::format(" servers {}", place.servers);
    out_ += "\n";
  }

  void write_protocols(const PlaceFit& place) {
    const bool last_place = &place == &fit_.places.back();
    for (std::size_t k = 0; k < place.classes.size(); ++k) {
      const bool last = k + 1 == place.classes.size();
      const std::string end = end_of_names(place, k);
      std::vector<std::string> conditions;
      if (!last_place) conditions.push_back("within " + place.level);
      if (!last) conditions.push_back("s <= S" + end);
      out_ += fmt::format("\n  /// Messages {} {}{}.\n  protocol passed{}(s: data){}{} {{\n", last ? "from" : "up to",
                          size_text(last ? place.classes[k].from : place.classes[k].to),
                          place.level.empty() ? "" : " within a " + place.level, end,
                          conditions.empty() ? "" : " when ", join_texts(conditions, " and "));
      const auto passing = [&](const char* resource) {
        return place.has_streams() ? fmt::format("via {1} for p{0} + s * P{0} ", end, resource) : std::string();
      };
      if (place.is_shared()) {
        out_ += fmt::format(
            "    sender {{\n      busy o\n      emit copied {3}after L{0} + s * G{0}\n"
            "      emit payload {2}via {1} for g{0} + s * G_N{0} after L{0} + g{0} + s * G_N{0}\n    }}\n"
            "    receiver {{ await copied; await payload; busy o }}\n  }}\n",
            end, resource_of(place), passing("out"), passing("copies"));
      } else {
        out_ += fmt::format(
            "    sender {{ busy o; emit payload {1}after L{0} + s * G{0} }}\n"
            "    receiver {{ await payload; busy o }}\n  }}\n",
            end, passing("out"));
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
