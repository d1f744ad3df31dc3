// See handles.h.
#include "analysis/inferred/handles.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <set>
#include <utility>
#include <vector>

namespace wave::analysis::inferred {

using recorded::Step;

namespace {

bool begins(const Node& node) {
  return !node.is_loop &&
         (node.operation.kind == Step::Kind::started_send || node.operation.kind == Step::Kind::posted_receive);
}

struct Begun {
  std::set<std::size_t> waits;
  std::size_t first = 0, last = 0;
  bool sends = false, receives = false;
  bool goes_on = false;  // a wait stands before what it ends, in a loop around both
};
void collect(const std::vector<Node>& nodes, std::map<std::size_t, std::set<std::size_t>>& waits,
             std::map<std::size_t, bool>& begun) {
  for (const Node& node : nodes) {
    if (begins(node)) begun[node.number] = node.operation.kind == Step::Kind::started_send;
    for (const std::size_t ended : node.ends) waits[ended].insert(node.number);
    collect(node.body, waits, begun);
  }
}
std::pair<std::size_t, std::size_t> range_of(const std::vector<Node>& nodes) {
  std::pair<std::size_t, std::size_t> range{SIZE_MAX, 0};
  for (const Node& node : nodes) {
    const auto own = node.is_loop ? range_of(node.body) : std::pair(node.number, node.number);
    range = {std::min(range.first, own.first), std::max(range.second, own.second)};
  }
  return range;
}

// Loops around calls: what begins in a loop may end in its next round.
void widen(const std::vector<Node>& nodes, Begun& of) {
  for (const Node& node : nodes) {
    if (!node.is_loop) continue;
    const auto [first, last] = range_of(node.body);
    if (first > last) continue;
    const bool begins_inside = of.first >= first && of.first <= last, ends_inside = of.last >= first && of.last <= last;
    if ((of.goes_on && begins_inside && ends_inside) || (begins_inside != ends_inside)) {
      of.first = std::min(of.first, first);
      of.last = std::max(of.last, last);
    }
    widen(node.body, of);
  }
}

}  // namespace

std::map<std::size_t, std::string> handles_of(const Tree& tree) {
  std::map<std::size_t, std::string> handles;
  std::map<std::size_t, std::set<std::size_t>> waits;
  std::map<std::size_t, bool> begun;
  collect(tree.nodes, waits, begun);
  std::map<std::set<std::size_t>, std::vector<std::size_t>> classes;
  for (const auto& [call, is_send] : begun) classes[waits[call]].push_back(call);
  std::vector<std::pair<Begun, std::vector<std::size_t>>> all;
  for (auto& [ends, calls] : classes) {
    Begun one{ends,  calls.front(), ends.empty() ? SIZE_MAX : *ends.rbegin(),
              false, false,         !ends.empty() && *ends.begin() < calls.front()};
    for (const std::size_t call : calls) (begun[call] ? one.sends : one.receives) = true;
    if (one.last < calls.back()) one.last = calls.back();
    if (!ends.empty()) one.first = std::min(one.first, *ends.begin());
    widen(tree.nodes, one);
    all.emplace_back(one, calls);
  }
  std::sort(all.begin(), all.end(), [](const auto& a, const auto& b) { return a.first.first < b.first.first; });
  std::map<std::string, std::size_t> busy;  // by name: up to which call
  for (const auto& [one, calls] : all) {
    const std::string kind = one.sends && one.receives ? "both" : one.sends ? "sent" : "posted";
    std::string name = kind;
    for (int k = 2; busy.count(name) > 0 && busy[name] >= one.first; ++k) name = fmt::format("{}_{}", kind, k);
    busy[name] = one.last;
    for (const std::size_t call : calls) handles[call] = name;
  }
  return handles;
}

}  // namespace wave::analysis::inferred
