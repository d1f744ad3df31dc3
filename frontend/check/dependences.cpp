// Which definitions need which. Functions and recurrences may be recursive. A parameter or a let that needs itself has
// no value.
#include "frontend/check/names.h"

#include <algorithm>
#include <tuple>

namespace wave::frontend::check {
namespace {

bool may_recur(const Item& item) {
  return std::holds_alternative<item::Function>(item.node) || std::holds_alternative<item::Recurrence>(item.node) ||
         std::holds_alternative<item::Procedure>(item.node);
}

// Strongly connected components by Tarjan's algorithm. There is no recursion, because chains of definitions may be
// long.
class Components {
 public:
  using Edges = std::unordered_map<const Item*, std::vector<const Item*>>;
  explicit Components(const Edges& edges) : edges_(edges) {}

  std::vector<std::vector<const Item*>> find(const std::vector<const Item*>& roots) {
    for (const Item* root : roots) {
      if (!nodes_.count(root)) visit(root);
    }
    return std::move(components_);
  }

 private:
  struct Node {
    std::size_t number, low;
    bool open = true;
  };
  struct Frame {
    const Item* item;
    std::size_t next = 0;
  };

  void enter(const Item* item, std::vector<Frame>& frames) {
    nodes_[item] = {nodes_.size(), nodes_.size()};
    open_.push_back(item);
    frames.push_back({item});
  }

  void visit(const Item* root) {
    static const std::vector<const Item*> none;
    std::vector<Frame> frames;
    enter(root, frames);
    while (!frames.empty()) {
      const Item* item = frames.back().item;
      const auto found = edges_.find(item);
      const auto& targets = found == edges_.end() ? none : found->second;
      if (frames.back().next < targets.size()) {
        const Item* target = targets[frames.back().next++];
        const auto known = nodes_.find(target);
        if (known == nodes_.end())
          enter(target, frames);
        else if (known->second.open)
          nodes_[item].low = std::min(nodes_[item].low, known->second.number);
        continue;
      }
      frames.pop_back();
      if (!frames.empty()) {
        std::size_t& low = nodes_[frames.back().item].low;
        low = std::min(low, nodes_[item].low);
      }
      if (nodes_[item].low == nodes_[item].number) close(item);
    }
  }

  void close(const Item* first) {
    std::vector<const Item*> component;
    do {
      component.push_back(open_.back());
      nodes_[open_.back()].open = false;
      open_.pop_back();
    } while (component.back() != first);
    components_.push_back(std::move(component));
  }

  const Edges& edges_;
  std::unordered_map<const Item*, Node> nodes_;
  std::vector<const Item*> open_;
  std::vector<std::vector<const Item*>> components_;
};

// A shortest way from `start` back to itself inside its component.
std::vector<const Item*> cycle_through(const Item* start, const std::vector<const Item*>& component,
                                       const Components::Edges& edges) {
  const std::unordered_set<const Item*> inside(component.begin(), component.end());
  std::unordered_map<const Item*, const Item*> from;
  std::vector<const Item*> queue{start};
  for (std::size_t i = 0; i < queue.size(); ++i) {
    const auto found = edges.find(queue[i]);
    if (found == edges.end()) continue;
    for (const Item* next : found->second) {
      if (next == start) {
        std::vector<const Item*> cycle{queue[i]};
        while (cycle.back() != start) cycle.push_back(from[cycle.back()]);
        std::reverse(cycle.begin(), cycle.end());
        return cycle;
      }
      if (inside.count(next) && from.emplace(next, queue[i]).second) queue.push_back(next);
    }
  }
  return {};
}

bool earlier(const Item* a, const Item* b) {
  return std::tie(a->name.location.file, a->name.location.begin) <
         std::tie(b->name.location.file, b->name.location.begin);
}

}  // namespace

void Dependences::depends_on(const Item* item) {
  if (!context_.item || std::holds_alternative<item::Test>(context_.item->node) || context_.in_override) return;
  std::vector<const Item*>& edges = dependences_[context_.item];
  if (edges.empty() || edges.back() != item) edges.push_back(item);
}

void Dependences::depends_on_protocols(const Item& machine) {
  for (const Item* protocol : protocols_of(machine)) depends_on(protocol);
}

void Dependences::report_cycles() {
  std::vector<const Item*> roots;
  for (const auto& [item, edges] : dependences_) roots.push_back(item);
  std::sort(roots.begin(), roots.end(), earlier);
  for (std::vector<const Item*>& component : Components(dependences_).find(roots)) {
    std::sort(component.begin(), component.end(), earlier);
    const auto stuck = [&](const Item* item) { return !may_recur(*item); };
    const auto known = [&](const Item* item) { return in_reported_cycle_.count(item) > 0; };
    const auto start = std::find_if(component.begin(), component.end(), stuck);
    if (start == component.end() || std::any_of(component.begin(), component.end(), known)) continue;
    const std::vector<const Item*> cycle = cycle_through(*start, component, dependences_);
    if (!cycle.empty()) report_cycle(cycle);
  }
}

void Dependences::report_cycle(const std::vector<const Item*>& cycle) {
  for (const Item* item : cycle) {
    if (in_reported_cycle_.count(item)) return;
  }
  in_reported_cycle_.insert(cycle.begin(), cycle.end());
  constexpr std::size_t most_shown = 10;
  const auto elsewhere = [&](const Item* item) { return item->owner != cycle.front()->owner; };
  const bool qualified = std::any_of(cycle.begin(), cycle.end(), elsewhere);
  const auto name = [&](const Item* item) {
    return "`" + (qualified && item->owner ? item->owner->name.text + "." : "") + item->name.text + "`";
  };
  std::string path;
  for (std::size_t i = 0; i < cycle.size() && i < most_shown; ++i) path += name(cycle[i]) + " needs ";
  if (cycle.size() > most_shown) path += "... needs ";
  path += name(cycle.front());
  Diagnostic& d = reports_.add(DiagnosticKind::cyclic_definition, cycle.front()->name.location,
                               name(cycle.front()) + " is defined by itself: " + path, "begins here");
  for (std::size_t i = 1; i < cycle.size() && i < most_shown; ++i) {
    d.labels.push_back({cycle[i]->name.location, "needed here"});
  }
  d.help.push_back("give one of them a value that does not use the others");
}

}  // namespace wave::frontend::check
