// Names for what is wanted, and where functions that are called are found.
#include "backend/jit/compiler.h"

#include "backend/jit/host_functions.h"
#include "backend/jit/lanes/reduction_plan.h"
#include "backend/jit/programs/program.h"
#include "backend/jit/structure.h"

#include <fmt/format.h>

#include <algorithm>

namespace wave::jit {

std::string Wanted::symbol() const {
  switch (kind) {
    case rows: return "rows";
    case definition: return fmt::format("definition_{}", id);
    case value: return fmt::format("value_{}", id);
    case group: return fmt::format("kernel_{}", id);
    case batch: return columns.symbol();
    case program: return programs::symbol_of(*processes);
    case reduction: return lanes::reduction_symbol(ir::ValueId{id}, frame, shape.lanes);
    case strips:
      return fmt::format("strips_{}_{}_{}_{}_{}_{}_{}", id, shape.lanes, shape.vectors, shape.stores, shape.streams,
                         shape.cellwise, shape.quanta);
  }
  return {};
}

namespace {

void* host_function(const std::string& name) {
  static const std::unordered_map<std::string, void*> all(host_functions().begin(), host_functions().end());
  const auto found = all.find(name);
  return found == all.end() ? nullptr : found->second;
}

}  // namespace

Compiler::Compiler(const Layout& layout, CodeSource& source) : layout_(layout), source_(source) {}
Compiler::~Compiler() = default;

void* Compiler::find(const std::string& symbol) const {
  const auto known = compiled_.find(symbol);
  return known == compiled_.end() ? nullptr : known->second;
}

// What is wanted of which system, and what need not be compiled again.
std::string Compiler::structure(const Wanted& wanted) {
  if (system_.empty()) system_ = hexadecimal(digest(structure_of(layout_.system)));
  std::vector<std::string> compiled;
  for (const auto& [name, address] : compiled_) compiled.push_back(name);
  std::sort(compiled.begin(), compiled.end());
  return Writer().put(system_).put(wanted.symbol()).put(static_cast<std::uint64_t>(wanted.care)).put(compiled).bytes;
}

Vectors Compiler::vectors() { return source_.trouble().empty() ? source_.vectors() : Vectors{0, 0}; }

std::string Compiler::compile(const Wanted& wanted) {
  const Code code = source_.get(
      structure(wanted), [&](Translator& translator) { return translator.translate(layout_, wanted, compiled_); });
  if (!code.refusal.empty()) return code.refusal;
  auto loaded = load(code, [&](const std::string& name) {
    void* const own = find(name);
    return own ? own : host_function(name);
  });
  if (auto* const why_not = std::get_if<std::string>(&loaded)) return "the code cannot be loaded: " + *why_not;
  const Image& image = *images_.emplace_back(std::move(std::get<std::unique_ptr<Image>>(loaded)));
  for (const std::string& name : code.defined) compiled_[name] = image.find(name);
  return {};
}

}  // namespace wave::jit
