// Names for what is wanted, and where functions that are called are found.
#include "backend/jit/compiler.h"

#include "backend/jit/host_functions.h"
#include "backend/jit/lanes/reduction_plan.h"
#include "backend/jit/lanes/strip_layout.h"
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
    case strips: return lanes::strip_symbol(id, shape);
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

// What is wanted of which system, and what need not be compiled again.
std::string Compiler::structure(const Wanted& wanted) {
  if (system_.empty()) system_ = hexadecimal(digest(structure_of(layout_.system)));
  std::vector<std::string> compiled;
  for (const auto& [name, address] : code_.functions()) compiled.push_back(name);
  std::sort(compiled.begin(), compiled.end());
  return Writer().put(system_).put(wanted.symbol()).put(static_cast<std::uint64_t>(wanted.care)).put(compiled).bytes;
}

std::string Compiler::compile(const Wanted& wanted) {
  const auto translate = [&](Translator& translator) {
    return translator.translate(layout_, wanted, code_.functions());
  };
  return code_.add(structure(wanted), translate, host_function);
}

}  // namespace wave::jit
