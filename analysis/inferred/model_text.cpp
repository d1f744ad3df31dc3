// See model_text.h.
#include "analysis/inferred/model_text.h"

#include "analysis/inferred/doubts.h"
#include "analysis/inferred/formula_text.h"
#include "analysis/inferred/handles.h"
#include "analysis/inferred/lines.h"
#include "base/text.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <set>

namespace wave::analysis::inferred {

using recorded::Step;
using Term = Condition::Term;

namespace {

std::string time_text(double ns) {
  struct Unit {
    double ns;
    const char* name;
  };
  for (const Unit unit : {Unit{1e9, "s"}, Unit{1e6, "ms"}, Unit{1e3, "us"}}) {
    if (ns >= unit.ns) return fmt::format("{:.4g} {}", ns / unit.ns, unit.name);
  }
  return fmt::format("{:.4g} ns", ns);
}

class Writer : FormulaText {
 public:
  Writer(const Structure& structure, const Runs& runs, const Names& names, const Formulas& formulas,
         const Explained& explained, const std::vector<std::string>& given_extents)
      : FormulaText(structure, runs, formulas, given_extents),
        names_(names),
        explained_(explained),
        handles_(handles_of(structure.tree)) {}

  ModelText write(const std::string& model) {
    std::vector<Line> lines = lines_of(structure_.tree.nodes);
    const std::vector<Subprogram> procedures =
        take_out_procedures(lines, works_, [&](const std::string& name) { return taken_.take(name); });
    return assemble(model, lines, procedures);
  }

 private:
  // --- calls ---

  std::string moved(std::size_t axis, std::int64_t by) const {
    if (by == 0) return axis_names_[axis];
    return fmt::format("{} {} {}", axis_names_[axis], by > 0 ? "+" : "-", std::abs(by));
  }

  std::string peer_text(const PeerRule& rule) {
    std::vector<std::string> places;
    switch (rule.kind) {
      case PeerRule::Kind::offset:
        for (std::size_t axis = 0; axis < axes(); ++axis) places.push_back(moved(axis, rule.by[axis]));
        return "[" + join_texts(places, ", ") + "]";
      case PeerRule::Kind::exclusive:
        uses_bits_ = true;
        for (std::size_t axis = 0; axis < axes(); ++axis) {
          std::string place = axis_names_[axis];
          for (std::int64_t bit = 1; bit <= rule.by[axis]; bit *= 2) {
            if ((rule.by[axis] & bit) != 0) place = fmt::format("differing({}, {})", place, power_text(bit));
          }
          places.push_back(place);
        }
        break;
      case PeerRule::Kind::transposed: places = {axis_names_[1], axis_names_[0]}; break;
      case PeerRule::Kind::rank:
        for (const std::int64_t at : grid().place_of(rule.by[0])) places.push_back(fmt::format("{}", at + 1));
        break;
      case PeerRule::Kind::none: break;
    }
    return "P[" + join_texts(places, ", ") + "]";
  }
  static std::string power_text(std::int64_t bit) {
    const int power = static_cast<int>(std::log2(static_cast<double>(bit)));
    return bit <= 2 ? fmt::format("{}", bit) : fmt::format("2 ^ {}", power);
  }

  // The statement, but for whom it is to or from if that is a place beside it: `@` stands there.
  std::string call_text(const Node& node) {
    const Operation& operation = node.operation;
    const auto& size = explained_.sizes[node.number];
    const std::string bytes = size ? size_text(*size) : "";
    switch (operation.kind) {
      case Step::Kind::send: return fmt::format("send {} to @", bytes);
      case Step::Kind::started_send: return fmt::format("isend {} to @ as {}", bytes, handles_.at(node.number));
      case Step::Kind::receive: return "recv from @";
      case Step::Kind::posted_receive: return fmt::format("irecv from @ as {}", handles_.at(node.number));
      case Step::Kind::exchange: {
        const bool sends = operation.to.kind != PeerRule::Kind::none,
                   receives = operation.from.kind != PeerRule::Kind::none;
        if (!sends) return fmt::format("recv from {}", peer_text(operation.from));
        const std::string to = peer_text(operation.to);
        return receives ? fmt::format("sendrecv {} to {} from {}", bytes, to, peer_text(operation.from))
                        : fmt::format("isend {} to {} as exchanged; wait exchanged", bytes, to);
      }
      case Step::Kind::wait: {
        std::set<std::string> handles;
        for (const std::size_t ended : node.ends) handles.insert(handles_.at(ended));
        std::vector<std::string> waits;
        for (const std::string& handle : handles) waits.push_back("wait " + handle);
        return join_texts(waits, "; ");
      }
      case Step::Kind::collective: return collective_text(node, size);
    }
    return "";
  }

  std::string collective_text(const Node& node, const std::optional<Amount>& size) {
    const std::string& name = names_[node.operation.name];
    std::string along;
    if (!node.operation.along.empty()) {
      std::vector<std::string> axes_of;
      for (std::size_t axis = 0; axis < axes(); ++axis) {
        if (node.operation.along[axis]) axes_of.push_back(axis_names_[axis]);
      }
      along = " along " + join_texts(axes_of, ", ");
    }
    if (name == "barrier") return "barrier()" + along;
    if (name == "alltoallv") return fmt::format("alltoallv({}){}", part_of_exchange(node, size), along);
    return fmt::format("{}({}){}", name, size ? size_text(*size) : "0 B", along);
  }

  // The name of a function with the part of each of what one sends to all that take part.
  std::string part_of_exchange(const Node& node, const std::optional<Amount>& size) {
    std::vector<std::string> extents;
    for (std::size_t axis = 0; axis < axes(); ++axis) {
      if (node.operation.along.empty() || node.operation.along[axis]) extents.push_back(extent_names_[axis]);
    }
    const std::string all = !size           ? "0 B"
                            : size->formula ? bytes_text(*size->formula)
                                            : "1 B * " + table_text(size->seen, "from");
    std::string& name =
        functions_[fmt::format("(from: int, to: int): data = {} / ({})", all, join_texts(extents, " * "))];
    if (name.empty()) name = taken_.take("part");
    return name;
  }

  std::string condition_text(const Condition& condition) {
    std::vector<std::string> terms;
    for (const Term& term : condition.all) {
      const std::string& axis = axis_names_[term.axis];
      const std::string& extent = extent_names_[term.axis];
      switch (term.kind) {
        case Term::Kind::first: terms.push_back(axis + " == 1"); break;
        case Term::Kind::not_first: terms.push_back(axis + " > 1"); break;
        case Term::Kind::last: terms.push_back(axis + " == " + extent); break;
        case Term::Kind::not_last: terms.push_back(axis + " < " + extent); break;
        case Term::Kind::border: terms.push_back(fmt::format("({0} == 1 or {0} == {1})", axis, extent)); break;
        case Term::Kind::not_border: terms.push_back(fmt::format("{0} > 1 and {0} < {1}", axis, extent)); break;
        case Term::Kind::odd: terms.push_back(axis + " mod 2 == 1"); break;
        case Term::Kind::even: terms.push_back(axis + " mod 2 == 0"); break;
        case Term::Kind::below_last_even:
          terms.push_back(fmt::format("{0} mod 2 == 0 and {0} < {1}", axis, extent));
          break;
      }
    }
    if (terms.empty()) {
      std::vector<std::vector<double>> seen;
      for (const auto& run : condition.ranks) seen.emplace_back(run.begin(), run.end());
      needs_ranks_ = true;
      terms.push_back(table_text(seen, rank_text()) + " > 0");
    }
    return join_texts(terms, " and ");
  }

  // --- lines ---

  std::vector<Line> lines_of(const std::vector<Node>& nodes) {
    std::vector<Line> lines;
    for (std::size_t i = 0; i < nodes.size(); ++i) {
      const Node& node = nodes[i];
      if (!is_done(node)) continue;
      if (node.is_loop) {
        add_loop(node, lines);
        continue;
      }
      add_work(node, lines);
      const std::size_t group = group_at(nodes, i);
      if (group > 1) {
        lines.push_back(group_line(nodes, i, group));
        i += group - 1;
        continue;
      }
      Line line{with_peer(node, call_text(node)), {}};
      if (const auto& condition = explained_.conditions[node.number])
        line.text = fmt::format("if {} {{ {} }}", condition_text(*condition), line.text);
      lines.push_back(std::move(line));
    }
    return with_repeats(lines);
  }

  // A line that stands there three times or more is repeated.
  static std::vector<Line> with_repeats(const std::vector<Line>& lines) {
    constexpr std::size_t least = 3;
    std::vector<Line> result;
    for (std::size_t i = 0; i < lines.size();) {
      std::size_t count = 1;
      const bool may = lines[i].body.empty() && lines[i].work == 0;
      while (may && i + count < lines.size() && lines[i + count] == lines[i]) ++count;
      if (count < least) count = 1;
      result.push_back(count == 1 ? lines[i] : Line{fmt::format("repeat {} {{ {} }}", count, lines[i].text), {}});
      i += count;
    }
    return result;
  }

  std::string with_peer(const Node& node, std::string text) {
    const auto at = text.find('@');
    if (at == std::string::npos) return text;
    const bool is_send = node.operation.to.kind != PeerRule::Kind::none;
    return text.replace(at, 1, peer_text(is_send ? node.operation.to : node.operation.from));
  }

  void add_work(const Node& node, std::vector<Line>& lines) {
    const auto& work = explained_.work[node.number];
    if (!work) return;
    const std::string per = work->per ? " * " + product_text(work->per->above, " * ") : "";
    std::size_t& number = work_numbers_[work->group];
    if (number == 0) {
      number = works_.add();
      work_of_.push_back(&*work);
    }
    lines.push_back({per, {}, number});
  }

  // Whether any rank does it in any run of the model.
  bool is_done(const Node& node) const {
    if (node.is_loop)
      return std::any_of(node.body.begin(), node.body.end(), [&](const Node& one) { return is_done(one); });
    return std::any_of(structure_.runs.begin(), structure_.runs.end(), [&](const auto& run) {
      return run && std::any_of(run->calls[node.number].begin(), run->calls[node.number].end(),
                                [](const CallSeen& call) { return call.times > 0; });
    });
  }

  // So many calls from here on differ in their offset alone.
  std::size_t group_at(const std::vector<Node>& nodes, std::size_t at) {
    constexpr std::size_t least = 3;
    const auto rule_of = [](const Node& node) -> const PeerRule& {
      return node.operation.to.kind != PeerRule::Kind::none ? node.operation.to : node.operation.from;
    };
    const auto may = [&](const Node& node) {
      return !node.is_loop && node.operation.kind != Step::Kind::exchange &&
             rule_of(node).kind == PeerRule::Kind::offset && !explained_.conditions[node.number];
    };
    if (!may(nodes[at])) return 1;
    const std::string text = call_text(nodes[at]);
    std::size_t count = 1;
    while (at + count < nodes.size() && may(nodes[at + count]) && !explained_.work[nodes[at + count].number] &&
           call_text(nodes[at + count]) == text)
      ++count;
    return count >= least ? count : 1;
  }

  Line group_line(const std::vector<Node>& nodes, std::size_t at, std::size_t count) {
    std::vector<std::string> offsets;
    for (std::size_t k = at; k < at + count; ++k) {
      const PeerRule& rule =
          nodes[k].operation.to.kind != PeerRule::Kind::none ? nodes[k].operation.to : nodes[k].operation.from;
      std::vector<std::string> by;
      for (const std::int64_t one : rule.by) by.push_back(fmt::format("{}", one));
      offsets.push_back("[" + join_texts(by, ", ") + "]");
    }
    std::string& list = offsets_["[" + join_texts(offsets, ", ") + "]"];
    if (list.empty()) list = taken_.take(fmt::format("around_{}", offsets_.size()));
    std::vector<std::string> places;
    for (std::size_t axis = 0; axis < axes(); ++axis)
      places.push_back(fmt::format("{} + d[{}]", axis_names_[axis], axis + 1));
    std::string text = call_text(nodes[at]);
    text.replace(text.find('@'), 1, "[" + join_texts(places, ", ") + "]");
    return {fmt::format("for d in {} {{ {} }}", list, text), {}};
  }

  void add_loop(const Node& loop, std::vector<Line>& lines) {
    const Amount& rounds = explained_.rounds[loop.number];
    std::string text;
    if (rounds.formula) {
      const bool is_once = *rounds.formula == Formula{1, {}, {}, 0, rounds.formula->cost};
      if (is_once) {
        for (Line& line : lines_of(loop.body)) lines.push_back(std::move(line));
        return;
      }
      text = rounds_text(*rounds.formula);
    } else {
      needs_ranks_ = true;
      text = fmt::format("int({})", table_text(rounds.seen, rank_text()));
    }
    if (add_sweep(loop, text, lines)) return;
    turns_.push_back({text, false});
    std::vector<Line> body = lines_of(loop.body);
    const std::string head =
        turns_.back().is_used ? fmt::format("for {} in 1..{}", turn_variable, text) : "repeat " + text;
    turns_.pop_back();
    if (body.size() == 1 && body[0].body.empty() && body[0].work == 0)
      lines.push_back({fmt::format("{} {{ {} }}", head, body[0].text), {}});
    else
      lines.push_back({head, std::move(body)});
  }

  // A loop that receives from one side along each axis and sends to the other is a sweep.
  bool add_sweep(const Node& loop, const std::string& tiles, std::vector<Line>& lines) {
    std::vector<std::int64_t> way(axes());
    bool sends = false, receives = false;
    for (const Node& node : loop.body) {
      if (node.is_loop || explained_.conditions[node.number]) return false;
      const bool is_send = node.operation.kind == Step::Kind::send,
                 is_receive = node.operation.kind == Step::Kind::receive;
      if (!is_send && !is_receive) return false;
      const PeerRule& rule = is_send ? node.operation.to : node.operation.from;
      if (rule.kind != PeerRule::Kind::offset) return false;
      std::size_t moved_axis = axes();
      for (std::size_t axis = 0; axis < axes(); ++axis) {
        if (rule.by[axis] == 0) continue;
        if (moved_axis < axes() || std::abs(rule.by[axis]) != 1 || grid().wraps[axis]) return false;
        moved_axis = axis;
      }
      if (moved_axis == axes()) return false;
      const std::int64_t own = is_send ? rule.by[moved_axis] : -rule.by[moved_axis];
      if (way[moved_axis] != 0 && way[moved_axis] != own) return false;
      way[moved_axis] = own;
      (is_send ? sends : receives) = true;
    }
    if (!sends || !receives || std::count(way.begin(), way.end(), 0) > 0) return false;
    std::vector<std::string> signs;
    for (const std::int64_t one : way) signs.push_back(one > 0 ? "+" : "-");
    const std::string corner = axes() == 1 ? "(" + signs[0] + ")" : "(" + join_texts(signs, ",") + ")";
    Line sweep{fmt::format("sweep from [{}] tiles {}", corner, tiles), {}};
    for (const Node& node : loop.body) {
      add_work(node, sweep.body);
      const bool is_send = node.operation.kind == Step::Kind::send;
      const PeerRule& rule = is_send ? node.operation.to : node.operation.from;
      const auto axis = static_cast<std::size_t>(
          std::find_if(rule.by.begin(), rule.by.end(), [](auto by) { return by != 0; }) - rule.by.begin());
      std::string text = call_text(node);
      text.replace(text.find('@'), 1, fmt::format("{} {}", is_send ? "downwind" : "upwind", axis_names_[axis]));
      sweep.body.push_back({std::move(text), {}});
    }
    if (!lines.empty() && lines.back().body == sweep.body && lines.back().text.starts_with("sweep from [")) {
      const auto end = lines.back().text.find("] tiles ");
      if (lines.back().text.substr(end + 8) == tiles) {
        for (std::size_t k = 0; k < sweep.body.size(); ++k) works_.unite(lines.back().body[k], sweep.body[k]);
        lines.back().text.insert(end, ", " + corner);
        return true;
      }
    }
    lines.push_back(std::move(sweep));
    return true;
  }

  // --- the whole ---

  // A parameter for what is computed at all places that are one.
  struct WorkParameter {
    std::string name;
    double ns = 0, least = 1e300, most = 0, share = 0;
    std::size_t places = 0;
    std::string per;  // " * nx", as the text has it
  };
  std::map<std::size_t, WorkParameter> work_parameters() {
    std::map<std::size_t, WorkParameter> result;
    for (std::size_t work = 1; work <= works_.count(); ++work) {
      WorkParameter& one = result[works_.find(work)];
      const Work& own = *work_of_[work - 1];
      if (one.name.empty()) one.name = taken_.take(fmt::format("work_{}", result.size()));
      one.ns += own.ns;
      one.least = std::min(one.least, own.least);
      one.most = std::max(one.most, own.most);
      one.share += own.share;
      ++one.places;
      if (own.per) one.per = " for each " + product_text(own.per->above, " * ");
    }
    return result;
  }

  std::string text_of(const std::vector<Line>& lines, std::size_t indentation,
                      const std::map<std::size_t, WorkParameter>& work) {
    std::string text;
    const std::string before(indentation, ' ');
    for (const Line& line : lines) {
      if (line.work > 0)
        text += fmt::format("{}compute({}{})\n", before, work.at(works_.find(line.work)).name, line.text);
      else if (line.body.empty())
        text += before + line.text + "\n";
      else
        text += before + line.text + " {\n" + text_of(line.body, indentation + 2, work) + before + "}\n";
    }
    return text;
  }

  std::string own_values(const std::string& name) const {
    std::set<std::int64_t> values;
    for (std::size_t run = 0; run < runs_.size(); ++run) {
      if (!structure_.runs[run]) continue;
      if (const auto found = runs_[run]->parameters.find(name); found != runs_[run]->parameters.end())
        values.insert(found->second);
    }
    std::vector<std::string> texts;
    for (const std::int64_t value : values) texts.push_back(fmt::format("{}", value));
    return join_texts(texts, ", ");
  }

  // Of a run among those in the model, from 1.
  std::size_t number_of(std::size_t run) const {
    const auto matched = matched_runs();
    return static_cast<std::size_t>(std::find(matched.begin(), matched.end(), run) - matched.begin()) + 1;
  }

  ModelText assemble(const std::string& model, const std::vector<Line>& lines,
                     const std::vector<Subprogram>& procedures) {
    const auto work = work_parameters();
    const auto matched = matched_runs();
    std::string body;
    for (const Subprogram& procedure : procedures)
      body += fmt::format("\n  procedure {}() on P {{\n{}  }}\n", procedure.name, text_of(procedure.body, 4, work));
    body += fmt::format("\n  process run on P using net {{\n{}  }}\n", text_of(lines, 4, work));

    std::string text =
        fmt::format("/// Made of {} by `wave infer`.\n",
                    matched.size() == 1 ? "a recorded run" : fmt::format("{} recorded runs", matched.size()));
    text += fmt::format(
        "model {} {{\n  param net: Machine = LogGOPSim()  /// what messages cost: `wave fit` measures it\n", model);
    const auto& parameters = formulas_.parameters();
    for (std::size_t k = 0; k < parameters.size(); ++k) {
      text += fmt::format("  param {}: int = {}  /// recorded: {}\n", parameter_names_[k],
                          runs_[structure_.base]->parameters.at(parameters[k]), own_values(parameters[k]));
    }
    if (!ranks_name_.empty())
      text += fmt::format("  param {}: int = {} in 1..  /// processes\n", ranks_name_, grid().count());
    std::set<std::string> named;
    for (std::size_t axis = 0; axis < axes(); ++axis) {
      if (!named.insert(extent_names_[axis]).second) continue;
      const bool is_common = axes() > 1 && extent_names_[1] == extent_names_[0];
      text += fmt::format("  param {}: int = {} in 1..  /// processes{}\n", extent_names_[axis],
                          extent_rules_.empty() ? fmt::format("{}", grid().extents[axis]) : extent_rules_[axis],
                          is_common     ? " along each axis"
                          : axes() == 1 ? ""
                                        : " along " + axis_names_[axis]);
    }
    for (const auto& [value, name] : constants_)
      text += fmt::format("  param {}: int = {}  /// the same in all runs\n", name, number_text(value));
    if (!tables_.empty())
      text += fmt::format("  param recorded: int = {} in 1..{}  /// the run that has the numbers that are data\n",
                          number_of(structure_.base), matched.size());
    for (const auto& [number, one] : work) {
      text += fmt::format("  param {}: time = {}  /// {} to {}{}; {:.0f} % of what is computed\n", one.name,
                          time_text(one.ns / static_cast<double>(one.places)), time_text(one.least),
                          time_text(one.most), one.per, 100 * one.share);
    }
    if (!extent_rules_.empty() && extent_names_.size() > 1 && extent_names_[0] == extent_names_[1])
      text +=
          fmt::format("  require {0} ^ {1} == {2}, \"the grid is as long along each axis: {2} must be {0} ^ {1}\"\n",
                      extent_names_[0], axes(), ranks_name_);
    if (needs_ranks_) {
      std::vector<std::string> counts;
      for (const std::size_t run : matched) counts.push_back(fmt::format("{}", structure_.runs[run]->grid.count()));
      text += fmt::format(
          "  require {} == [{}][recorded], \"which ranks do what is known of recorded runs alone: give "
          "`recorded` and the grid of one of them\"\n",
          all_ranks_text(), join_texts(counts, ", "));
    }
    std::vector<std::string> extents;
    for (std::size_t axis = 0; axis < axes(); ++axis)
      extents.push_back(
          fmt::format("{}: {}{}", axis_names_[axis], extent_names_[axis], grid().wraps[axis] ? " wrap" : ""));
    text += fmt::format("  grid P[{}]{}\n", join_texts(extents, ", "),
                        axes() > 1 ? fmt::format("  // ranks run along {} first", axis_names_.back()) : "");
    for (const auto& [list, name] : offsets_) text += fmt::format("  let {} = {}\n", name, list);
    for (const auto& [list, name] : tables_) text += fmt::format("  let {} = {}\n", name, list);
    if (uses_ranks_)
      text +=
          "  fn of_rank(all: [int], r: int): real = if r <= count(all) then all[r] else sum(one in all: one) / "
          "count(all)\n";
    if (uses_rank_)
      text += fmt::format("  fn rank({}: int): int = {}\n", join_texts(axis_names_, ": int, "), rank_formula());
    if (uses_bits_)
      text += "  fn differing(k: int, bit: int): int = if (k - 1) div bit mod 2 == 0 then k + bit else k - bit\n";
    for (const auto& [key, name] : parts_) {
      const auto& [parameter, axis, is_inner] = key;
      const std::string& own = axis_names_[axis];
      if (!is_inner) {
        text += fmt::format("  fn {}({}: int): int = int(by_whole_cells({}, {}, {}))\n", name, own,
                            parameter_names_[parameter], extent_names_[axis], own);
      } else {
        text += fmt::format(
            "  fn {0}({1}: int): int = {2}({1}) - (if {1} == 1 then 1 else 0) - (if {1} == {3} then 1 else 0)\n", name,
            own, parts_.at({parameter, axis, false}), extent_names_[axis]);
      }
    }
    for (const auto& [rest, name] : functions_) {
      text += fmt::format("  /// What one process has for another: an even part of what it sends.\n  fn {}{}\n", name,
                          rest);
    }
    text += body;
    text += "\n  output time = run.time\n  output messages = run.messages\n  output bytes = run.bytes\n}\n";
    ModelText result;
    result.imports = imports();
    result.text = std::move(text);
    result.tables = tables_.size();
    for (std::size_t k = 0; k < parameters.size(); ++k) result.parameters[parameters[k]] = parameter_names_[k];
    result.ranks = extent_rules_.empty() ? "" : ranks_name_;
    result.extents = extent_names_;
    for (const std::size_t run : matched) result.tests += test_text(model, result, run);
    result.doubts = doubts_of(*this, explained_);
    return result;
  }

  std::vector<std::string> imports() const {
    std::vector<std::string> result{"std.comm { Machine }", "std.machines.counting { Counting }",
                                    "std.machines.loggp { LogGOPSim }"};
    const auto add = [&](const char* module, const std::vector<std::string>& names) {
      if (!names.empty()) result.push_back(fmt::format("{} {{ {} }}", module, join_texts(names, ", ")));
    };
    std::vector<std::string> dealt, diagonal;
    if (!extent_rules_.empty() && extent_rules_[0].starts_with("balanced")) dealt.push_back("balanced_extents");
    if (!parts_.empty()) dealt.push_back("by_whole_cells");
    if (uses_lines_) diagonal.push_back("cell_at");
    if (uses_faces_) diagonal.push_back("faces");
    if (uses_lines_) diagonal.push_back("lines_through");
    add("std.decomposition", dealt);
    add("std.applications.npb.multipartition", diagonal);
    return result;
  }

  // What all ranks of a run sent to each other.
  std::string test_text(const std::string& model, const ModelText& names, std::size_t run) const {
    std::size_t messages = 0;
    double bytes = 0;
    for (const Calls& calls : runs_[run]->ranks) {
      for (const Call& call : calls.calls) {
        const bool sends =
            call.kind == Step::Kind::send || call.kind == Step::Kind::started_send || call.kind == Step::Kind::exchange;
        if (!sends || call.peer < 0) continue;
        ++messages;
        bytes += std::max(call.size, 0.0);
      }
    }
    std::string made = model + "(net = Counting()";
    for (const std::string& given : given_of(names, *runs_[run], structure_.runs[run]->grid, number_of(run))) {
      const auto equals = given.find('=');
      made += fmt::format(", {} = {}", given.substr(0, equals), given.substr(equals + 1));
    }
    made += ")";
    std::string text = fmt::format("  expect {}.messages == {}", made, messages);
    const bool is_exact = std::none_of(explained_.sizes.begin(), explained_.sizes.end(),
                                       [](const auto& size) { return size && size->varies && !size->formula; });
    if (is_exact) text += fmt::format(" and {}.bytes == {} B", made, number_text(bytes));
    return text + "\n";
  }

  const Names& names_;
  const Explained& explained_;
  const std::map<std::size_t, std::string> handles_;  // by call

  std::map<std::string, std::string> offsets_, functions_;  // names by text
  bool needs_ranks_ = false, uses_bits_ = false;
  Works works_;
  std::map<std::size_t, std::size_t> work_numbers_;  // by group
  std::vector<const Work*> work_of_;                 // by number
};

}  // namespace

std::vector<std::string> given_of(const ModelText& model, const Run& run, const RankGrid& grid, std::size_t recorded) {
  std::vector<std::string> given;
  for (const auto& [own, name] : model.parameters) {
    if (const auto found = run.parameters.find(own); found != run.parameters.end())
      given.push_back(fmt::format("{}={}", name, found->second));
  }
  if (!model.ranks.empty()) given.push_back(fmt::format("{}={}", model.ranks, grid.count()));
  std::set<std::string> named;
  for (std::size_t axis = 0; axis < model.extents.size() && model.ranks.empty(); ++axis) {
    if (axis < grid.extents.size() && named.insert(model.extents[axis]).second)
      given.push_back(fmt::format("{}={}", model.extents[axis], grid.extents[axis]));
  }
  if (model.tables > 0 && recorded > 0) given.push_back(fmt::format("recorded={}", recorded));
  return given;
}

ModelText write_model(const std::string& name, const Structure& structure, const Runs& runs, const Names& names,
                      const Formulas& formulas, const Explained& explained,
                      const std::vector<std::string>& given_extents) {
  return Writer(structure, runs, names, formulas, explained, given_extents).write(name);
}

}  // namespace wave::analysis::inferred
