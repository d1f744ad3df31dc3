// Compares outcomes bit by bit.
#include "tests/parity/compare.h"

#include "ir/arithmetic.h"
#include "ir/builder.h"

#include <fmt/format.h>

#include <bit>
#include <stdexcept>

namespace wave::parity {

namespace {

std::string text(ir::Scalar x) {
  switch (x.type) {
    case ir::ScalarType::real: return fmt::format("{} ({:#018x})", x.real, std::bit_cast<std::uint64_t>(x.real));
    case ir::ScalarType::integer: return fmt::format("{}", x.integer);
    case ir::ScalarType::boolean: return fmt::format("{}", x.boolean);
  }
  return {};
}

// Rows of engines have canonical NaNs, so their bits are compared as they are.
bool same(ir::Scalar a, ir::Scalar b) {
  if (a.type != b.type) return false;
  switch (a.type) {
    case ir::ScalarType::real: return std::bit_cast<std::uint64_t>(a.real) == std::bit_cast<std::uint64_t>(b.real);
    case ir::ScalarType::integer: return a.integer == b.integer;
    case ir::ScalarType::boolean: return a.boolean == b.boolean;
  }
  return false;
}

bool is_limited(const backend::Outcome& outcome) {
  const auto* const failure = std::get_if<ir::Failure>(&outcome);
  return failure && failure->is_limit();
}

std::string text(const ir::System& system, const ir::Failure& failure) {
  constexpr const char* kinds[] = {
#define WAVE_FAILURE(name) #name,
#include "ir/failures.def"
#undef WAVE_FAILURE
  };
  std::string result = fmt::format("{} at site {}", kinds[static_cast<int>(failure.kind)],
                                   failure.site.valid() ? fmt::format("{}", failure.site.index) : "none");
  if (failure.site.valid() && !system[failure.site].text.empty()) result += " `" + system[failure.site].text + "`";
  for (const ir::Scalar value : failure.values) result += ", value " + text(value);
  for (const auto& [name, index] : failure.indices) result += fmt::format(", {} = {}", name, index);
  if (!failure.detail.empty()) result += ": " + failure.detail;
  return result;
}

std::string difference(const ir::System& system, const ir::Failure& a, const ir::Failure& b) {
  if (a.is_limit() || b.is_limit()) return {};
  bool equal = a.kind == b.kind && a.site == b.site && a.values.size() == b.values.size() && a.indices == b.indices &&
               a.detail == b.detail && a.location == b.location;
  for (std::size_t i = 0; equal && i < a.values.size(); ++i)
    equal = ir::arithmetic::same_bits(a.values[i], b.values[i]);
  return equal ? "" : fmt::format("interpreter: {}; jit: {}", text(system, a), text(system, b));
}

}  // namespace

std::string difference(const ir::System& system, const backend::Outcome& interpreted,
                       const backend::Outcome& compiled) {
  const auto* const failed = std::get_if<ir::Failure>(&interpreted);
  const auto* const also_failed = std::get_if<ir::Failure>(&compiled);
  if (failed && also_failed) return difference(system, *failed, *also_failed);
  if (failed) return failed->is_limit() ? "" : "only the interpreter fails: " + text(system, *failed);
  if (also_failed) return also_failed->is_limit() ? "" : "only the JIT fails: " + text(system, *also_failed);
  const auto& a = std::get<backend::Rows>(interpreted);
  const auto& b = std::get<backend::Rows>(compiled);
  if (a.columns != b.columns || a.cells.size() != b.cells.size()) {
    return fmt::format("{} rows of {} against {} of {}", a.count(), a.columns, b.count(), b.columns);
  }
  for (std::size_t i = 0; i < a.cells.size(); ++i) {
    if (same(a.cells[i], b.cells[i])) continue;
    return fmt::format("row {} column {}: interpreter {}, jit {}", i / a.columns, i % a.columns, text(a.cells[i]),
                       text(b.cells[i]));
  }
  return {};
}

std::unique_ptr<backend::Engine> engine(backend::EngineKind kind, const ir::System& system,
                                        const backend::EngineOptions& options) {
  auto made = backend::make_engine(kind, system, options);
  if (auto* const error = std::get_if<std::string>(&made)) throw std::runtime_error(*error);
  return std::move(std::get<std::unique_ptr<backend::Engine>>(made));
}

Comparison compare(const ir::System& system, backend::Engine& interpreter, backend::Engine& jit,
                   const std::vector<backend::Binding>& bindings, const backend::Limits& limits) {
  const auto interpreted = interpreter.start(bindings, limits);
  const auto compiled = jit.start(bindings, limits);
  Comparison result;
  for (std::uint32_t root = 0; root < system.roots.size(); ++root) {
    const backend::Outcome a = interpreted->evaluate(ir::RootId{root});
    const backend::Outcome b = compiled->evaluate(ir::RootId{root});
    ++result.roots;
    const bool limited = is_limited(a) || is_limited(b);
    result.failures += std::holds_alternative<ir::Failure>(a) && !limited;
    result.limited += limited;
    const std::string difference = parity::difference(system, a, b);
    if (difference.empty()) continue;
    result.difference = fmt::format("root {} `{}`: {}", root, system.roots[root].name, difference);
    break;
  }
  return result;
}

Comparison compare(const ir::System& system, const std::vector<backend::Binding>& bindings) {
  Comparison result;
  for (const ir::System& one : {system, in_functions(system)}) {
    const auto interpreter = engine(backend::EngineKind::interpreter, one);
    const auto jit = engine(backend::EngineKind::jit, one);
    result = compare(one, *interpreter, *jit, bindings);
    if (!result.difference.empty()) break;
  }
  return result;
}

ir::System in_functions(const ir::System& system) {
  ir::System result = system;
  ir::Builder build(result);
  const ir::SiteId too_deep = build.site(ir::FailureKind::recursion_too_deep, {});
  for (std::size_t root = 0; root < system.roots.size(); ++root) {
    for (std::size_t block = 0; block < system.roots[root].blocks.size(); ++block) {
      if (!system.roots[root].blocks[block].levels.empty()) continue;
      for (ir::ValueId& column : result.roots[root].blocks[block].columns) {
        const ir::FrameId frame = build.frame("column", ir::System::root_frame);
        column = build.call(frame, build.define(frame, "value", column), {}, too_deep);
      }
    }
  }
  return result;
}

}  // namespace wave::parity
