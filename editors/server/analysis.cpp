// See analysis.h.
#include "editors/server/analysis.h"

#include "frontend/ast/walk.h"
#include "frontend/source/patience.h"

#include <algorithm>
#include <chrono>

namespace wave::editors {
namespace {

using namespace frontend;

bool holds(Location around, std::uint32_t offset) { return around.begin <= offset && offset <= around.end; }

}  // namespace

Analysis::Analysis(const std::string& name, const SearchPath& search, const std::string* text)
    : program_(load(name, search, diagnostics_, text)) {
  for (const Diagnostic& d : diagnostics_.sorted()) {
    const bool elsewhere =
        !d.labels.empty() && d.labels.front().location.known() && d.labels.front().location.file != file();
    if (elsewhere && d.severity == Severity::error) imported_errors_.push_back(d);
  }
}

void Analysis::reload(const SearchPath& search, std::string text) {
  diagnostics_ = {};
  declarations_.erase(file());
  frontend::reload(*program_, search, std::move(text), diagnostics_);
}

void Analysis::ask(const SearchPath& search, std::string text, Probe& probe) {
  diagnostics_ = {};
  declarations_.erase(file());
  frontend::reload(*program_, search, std::move(text), diagnostics_, &probe);
}

bool Analysis::imports(const std::string& key) const {
  const auto& modules = program_->modules;
  return std::any_of(modules.begin() + 1, modules.end(), [&](const auto& module) { return module->key == key; });
}

const Module* Analysis::module_of(std::uint32_t file) const {
  for (const auto& module : program_->modules) {
    if (module->file == file) return module.get();
  }
  return nullptr;
}

const std::vector<Declaration>& Analysis::declarations(std::uint32_t file) const {
  const auto [found, is_new] = declarations_.try_emplace(file);
  const Module* module = is_new ? module_of(file) : nullptr;
  if (module) found->second = declarations_of(*module);
  return found->second;
}

const Declaration* Analysis::declaration(Location place) const {
  if (!place.known()) return nullptr;
  const auto& all = declarations(place.file);
  auto found = std::lower_bound(all.begin(), all.end(), place.begin,
                                [](const Declaration& one, std::uint32_t begin) { return one.place.begin < begin; });
  // What a study varies may be a parameter with its own declaration elsewhere, or a name of its own.
  return found != all.end() && found->place.begin == place.begin ? &*found : nullptr;
}

std::vector<Occurrence> Analysis::occurrences(std::uint32_t file) const {
  std::vector<Occurrence> all;
  const auto& uses = program_->uses.of(file);
  for (const auto& [begin, use] : uses) all.push_back({use.place, use.declared});
  for (const Declaration& one : declarations(file)) {
    if (!uses.count(one.place.begin)) all.push_back({one.place, one.place});
  }
  std::sort(all.begin(), all.end(), [](const auto& a, const auto& b) { return a.place.begin < b.place.begin; });
  return all;
}

std::optional<Occurrence> Analysis::at(std::uint32_t offset) const {
  std::optional<Occurrence> found;
  for (const Occurrence& one : occurrences(file())) {
    if (one.place.begin > offset) break;
    if (holds(one.place, offset)) found = one;  // of two that touch, the one that begins here
  }
  return found;
}

Location Analysis::origin(Location declared) const {
  constexpr int deepest = 200;  // machines extend each other at most half as deep
  for (int i = 0; i < deepest && declared.known(); ++i) {
    const auto& uses = program_->uses.of(declared.file);
    const auto use = uses.find(declared.begin);
    if (use == uses.end() || use->second.declared == declared) break;
    declared = use->second.declared;
  }
  return declared;
}

bool finishes_within(double seconds, const std::function<void()>& reading) {
  using Clock = std::chrono::steady_clock;
  const Clock::time_point start = Clock::now();
  bool is_late = false;
  try {
    const Patience patience(
        [&] { return is_late = std::chrono::duration<double>(Clock::now() - start).count() > seconds; });
    reading();
  } catch (const GivenUp&) {
    if (!is_late) throw;  // somebody else has given up
    return false;
  }
  return true;
}

std::function<bool()> after_a_moment(std::function<bool()> is_unwanted) {
  static constexpr std::chrono::milliseconds moment{50};
  return [is_unwanted = std::move(is_unwanted), start = std::chrono::steady_clock::now()] {
    return std::chrono::steady_clock::now() - start > moment && is_unwanted();
  };
}

std::vector<const Expr*> expressions_at(const Module& module, std::uint32_t offset) {
  std::vector<const Expr*> found;
  const std::function<void(const Expr&)> descend = [&](const Expr& e) {
    // Series that a study shows by itself stand nowhere.
    if (e.location.file != module.file || !holds(e.location, offset)) return;
    found.push_back(&e);
    for_each_child(e, descend);
  };
  for_each_item(module, [&](const Item& item) {
    if (holds(item.location, offset)) for_each_expression(item, descend);
  });
  return found;
}

const Expr* expression_at(const Module& module, std::uint32_t offset) {
  const Expr* smallest = nullptr;
  for (const Expr* e : expressions_at(module, offset)) {
    if (!smallest || e->location.end - e->location.begin <= smallest->location.end - smallest->location.begin)
      smallest = e;
  }
  return smallest;
}

const Item* item_at(const Module& module, std::uint32_t offset) {
  const Item* found = nullptr;
  for_each_item(module, [&](const Item& item) {
    if (holds(item.location, offset)) found = &item;  // members come after their owner
  });
  return found;
}

}  // namespace wave::editors
