// See streams.h.
#include "tests/random/streams.h"

#include "tests/random/choices.h"

#include <fmt/format.h>

#include <cstddef>
#include <string>
#include <vector>

namespace wave::test {

namespace {

class Writer {
 public:
  explicit Writer(std::uint64_t seed) : choose_(seed), axes_(1 + choose_.below(3)) {}

  WrittenProcess write() {
    const bool has_levels = choose_.chance(0.5), is_own = choose_.chance(has_levels ? 0.4 : 0.1);
    const bool is_of_nodes = has_levels && !is_own && choose_.chance(0.6);
    const bool has_rendezvous = !is_own && !is_of_nodes && choose_.chance(0.2);
    std::string text = "wave 1\n";
    if (!is_own) text += "import std.machines.loggp { LogGP, LogGPS }\nimport std.machines.nodes { Nodes }\n";
    text += fmt::format("machine Net {}{{\n", is_own           ? ""
                                              : is_of_nodes    ? "extends Nodes "
                                              : has_rendezvous ? "extends LogGPS "
                                                               : "extends LogGP ");
    if (has_levels) text += "  levels node\n";
    if (is_of_nodes)
      text += fmt::format(
          "  override param L_node: time = {} ns\n  override param G_node: time/data = {} ns/B\n"
          "  override param interfaces: int = {}\n",
          choose_.between(1, 3), choose_.between(0, 1), choose_.chance(0.7) ? 1 : 2);
    else if (has_levels && !is_own && choose_.chance(0.5))
      text += "  override fn latency(within: level): time = if within node then 1 ns else L\n";
    const char* const kind = is_own ? "param" : "override param";
    text += fmt::format("  {} L: time = {} ns\n", kind, choose_.between(1, 9));
    text += fmt::format("  {} o: time = {} ns\n", kind, choose_.between(0, 4));
    text += fmt::format("  {} g: time = {} ns\n", kind, choose_.between(0, 6));
    text += fmt::format("  {} G: time/data = {} ns/B\n", kind, choose_.between(0, 1));
    if (is_own) text += protocols(has_levels);
    text += "}\nmodel M {\n  param W: time = 2 ns\n";
    const std::vector<std::string> names{"i", "j", "k"};
    std::string axes;
    for (std::size_t axis = 0; axis < axes_; ++axis)
      axes += fmt::format("{}{}: {}", axis ? ", " : "", names[axis],
                          choose_.between(1, axes_ == 1   ? 12
                                             : axes_ == 2 ? 7
                                                          : 4));
    text += fmt::format("  grid P[{}]{}\n", axes,
                        has_levels ? fmt::format(" levels {{ node: rank div {} }}", choose_.between(1, 4)) : "");
    text += fmt::format("  process p on P using Net({}) {{\n", has_rendezvous ? "S = 20 B" : "");
    const bool repeats = choose_.chance(0.3);
    if (repeats) text += fmt::format("    repeat {} {{\n", choose_.between(2, 4));
    for (std::size_t left = 1 + choose_.below(3); left > 0; --left) text += statement();
    if (repeats) text += "    }\n";
    text += "  }\n  output finish = p.time\n";
    text += fmt::format("  output first = p.finish[{}]\n", axes_ == 1 ? "1" : axes_ == 2 ? "1, 1" : "1, 1, 1");
    text += "  output overhead = p.overhead\n  output messages = p.messages\n}\n";
    return {text, {}};
  }

 private:
  // Some messages are served, and some are not.
  std::string protocols(bool has_levels) {
    const auto owner = [&] { return has_levels && choose_.chance(0.6) ? "node" : "process"; };
    std::string text = fmt::format("  resource tx of {}\n  resource rx of {}{}\n  resource memory of process\n",
                                   owner(), owner(), choose_.chance(0.2) ? " servers 2" : "");
    if (has_levels)
      text += fmt::format(
          "  protocol near(s: data) when within node {{\n    sender {{ busy o; emit payload after {} ns }}\n"
          "    receiver {{ await payload{}; busy 1 ns }}\n  }}\n",
          choose_.between(1, 3), choose_.chance(0.5) ? " via memory for 2 ns" : "");
    if (choose_.chance(0.5))
      text +=
          "  protocol small(s: data) when s <= 3 B {\n    sender { emit payload after L; busy o }\n"
          "    receiver { await payload }\n  }\n";
    if (choose_.chance(0.3)) {
      text += fmt::format(
          "  protocol far(s: data) {{\n    sender {{ emit payload after {} ns; await done }}\n"
          "    receiver {{ await payload via rx for {}s * 1 ns/B; emit done after L }}\n  }}\n",
          choose_.between(1, 3), choose_.chance(0.5) ? "g + " : "");
      return text;
    }
    text += fmt::format(
        "  protocol far(s: data) {{\n    sender {{ busy o; emit payload via tx for g after L; busy {} ns }}\n"
        "    receiver {{ await payload via rx for g + s * G after s * G; busy o }}\n  }}\n",
        choose_.between(0, 2));
    return text;
  }
  std::string corner() {
    std::string text = "(";
    for (std::size_t axis = 0; axis < axes_; ++axis)
      text += std::string(axis ? "," : "") + (choose_.chance(0.5) ? "+" : "-");
    return text + ")";
  }
  std::string statement() {
    if (choose_.chance(0.2)) return fmt::format("      compute({})\n", work(false));
    const std::string in_phase = fmt::format("      phase \"x\" {{\n{}      }}\n", sweep());
    return choose_.chance(0.15) ? in_phase : sweep();
  }
  std::string sweep() {
    std::string corners;
    for (std::size_t left = 1 + choose_.below(4); left > 0; --left) corners += corner() + (left > 1 ? ", " : "");
    return fmt::format("      sweep from [{}] tiles {} {{\n{}      }}\n", corners,
                       choose_.between(1, choose_.chance(0.2) ? 70 : 9), body());
  }
  std::string body() {
    std::vector<std::string> receives, sends;
    const char* const names[] = {"i", "j", "k"};
    for (std::size_t axis = 0; axis < axes_; ++axis) {
      if (choose_.chance(0.1)) continue;
      for (std::size_t left = choose_.chance(0.2) ? 2 : 1; left > 0; --left) {
        const std::string size = sizes(names[(axis + 1) % axes_]);
        receives.push_back(fmt::format("        recv {} from upwind {}\n", size, names[axis]));
        sends.push_back(fmt::format("        send {} to downwind {}\n", size, names[axis]));
      }
    }
    std::string text;
    const bool computes_between = choose_.chance(0.2);
    if (choose_.chance(0.2)) text += fmt::format("        compute({})\n", work(true));
    const bool is_background = choose_.chance(0.25);
    const auto begin = [&](std::string one, const char* call, const char* in_background) {
      const std::size_t at = one.find(call);
      return is_background && choose_.chance(0.5) ? one.replace(at, std::string(call).size(), in_background) : one;
    };
    for (std::string& one : receives) one = begin(one, "recv ", "irecv ");
    for (std::string& one : sends) one = begin(one, "send ", "isend ");
    for (const std::string& one : receives)
      text += one + (computes_between ? fmt::format("        compute({})\n", work(true)) : "");
    const char* const waits = is_background ? "        waitall\n" : "";
    if (choose_.chance(0.7)) text += waits;
    text += fmt::format("        compute({})\n", work(true));
    for (const std::string& one : sends)
      text += one + (computes_between ? fmt::format("        compute({})\n", work(true)) : "");
    return text + waits;
  }
  // `across`: an index that both ends have in common, unless there is only one axis.
  std::string sizes(const std::string& across) {
    if (axes_ > 1 && choose_.chance(0.2))
      return fmt::format("({} B + 8 B * ({} mod 2))", choose_.one_of(std::vector<int>{1, 14, 30}), across);
    if (choose_.chance(0.2)) return fmt::format("(8 B + 4 B * (tile mod {}))", choose_.between(2, 5));
    return fmt::format("{} B", choose_.one_of(std::vector<int>{0, 1, 3, 8, 30}));
  }
  std::string work(bool in_sweep) {
    const std::int64_t plain = choose_.between(0, 9);
    if (choose_.chance(0.25))
      return fmt::format("1 ns * ({} * i mod {})", choose_.between(1, 7), choose_.between(2, 9));
    if (in_sweep && choose_.chance(0.2))
      return fmt::format("1 ns * ({} * tile mod {})", choose_.between(1, 7), choose_.between(2, 9));
    return choose_.chance(0.2) ? "W" : fmt::format("{} ns", plain);
  }

  Choices choose_;
  std::size_t axes_;
};

}  // namespace

WrittenProcess random_streams(std::uint64_t seed) { return Writer(seed).write(); }

}  // namespace wave::test
