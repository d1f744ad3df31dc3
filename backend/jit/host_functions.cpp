// The names that compiled code knows, and the arithmetic that has no instruction.
#include "backend/jit/host_functions.h"

#include "backend/jit/runtime.h"
#include "ir/arithmetic.h"
#include "ir/table.h"

#include <cstring>

namespace wave::jit {

namespace {

constexpr std::int32_t no_failure = -1;

extern "C" {

void wave_jit_fail(Context* context, std::uint32_t site, std::uint32_t kind, std::uint32_t types, Word a, Word b,
                   Word c) {
  context->run->fail(ir::SiteId{site}, static_cast<ir::FailureKind>(kind), types, {a, b, c});
}
void wave_jit_fail_weight(Context* context, std::uint32_t event, std::uint32_t constraint, double weight) {
  context->run->fail_weight(ir::EventId{event}, constraint, weight);
}
void wave_jit_off_space(Context* context, std::uint32_t event, std::uint32_t site, std::int64_t axis,
                        const std::int64_t* indices) {
  context->run->fail_off_space(ir::EventId{event}, ir::SiteId{site}, axis, indices);
}
void wave_jit_index(Context* context, std::uint32_t binder, std::int64_t value) {
  context->run->note_index(ir::BinderId{binder}, value);
}
std::int32_t wave_jit_tick(Context* context) { return context->run->tick(); }
void wave_jit_unwind(Context* context, std::uint32_t definition) { context->run->unwind(ir::DefinitionId{definition}); }
std::int32_t wave_jit_enter_space(Context* context, std::uint32_t group) { return context->run->enter_space(group); }
std::int32_t wave_jit_enter_group(Context* context, std::uint32_t group) { return context->run->enter_group(group); }
std::int32_t wave_jit_read_kept(Context* context, const Word* header, std::uint32_t event, const std::int64_t* indices,
                                Word* out) {
  return context->run->read_kept(header, event, indices, out);
}
std::int32_t wave_jit_row(Context* context, const Word* values) { return context->run->row(values); }

std::int32_t wave_jit_measure(Context* context, std::uint32_t process, std::uint32_t metric, std::uint32_t phase,
                              std::uint32_t over, std::uint32_t memory, std::uint32_t site, std::uint32_t count,
                              const std::int64_t* indices, Word* out) {
  return context->run->measure({ir::ProcessId{process},
                                static_cast<ir::Metric>(metric),
                                ir::PhaseId{phase},
                                {},
                                ir::SiteId{site},
                                static_cast<ir::Over>(over),
                                ir::MemoryId{memory}},
                               {indices, count}, out);
}
std::int32_t wave_jit_call_outside(Context* context, std::uint32_t definition, std::uint32_t site,
                                   const Word* arguments, Word* out) {
  return context->run->call_outside(ir::DefinitionId{definition}, ir::SiteId{site}, arguments, out);
}

std::int32_t wave_jit_reduce(Context* context, Record* record, std::uint32_t reduction, std::uint32_t frame,
                             Word* words) {
  return context->run->reduce(record, ir::ValueId{reduction}, ir::FrameId{frame}, words);
}

std::int32_t wave_jit_input(Context* context, std::uint32_t definition) {
  return context->run->input(ir::DefinitionId{definition});
}

// Each returns the kind of failure, or -1 and the result.
std::int32_t wave_jit_lookup(Context* context, std::uint32_t table, double first, double second, double* out) {
  const double keys[2] = {first, second};
  const auto result = ir::lookup((*context->tables)[table], keys);
  if (result.failed) return static_cast<std::int32_t>(result.kind);
  *out = result.value;
  return no_failure;
}
std::int32_t wave_jit_unary(std::uint32_t op, std::uint32_t type, Word operand, Word* out) {
  const auto result =
      ir::arithmetic::unary(static_cast<ir::UnaryOp>(op), to_scalar(static_cast<ir::ScalarType>(type), operand));
  if (result.failed) return static_cast<std::int32_t>(result.kind);
  *out = to_bits(result.value);
  return no_failure;
}
std::int32_t wave_jit_binary(std::uint32_t op, std::uint32_t type, Word left, Word right, Word* out) {
  const auto of = static_cast<ir::ScalarType>(type);
  const auto result = ir::arithmetic::binary(static_cast<ir::BinaryOp>(op), to_scalar(of, left), to_scalar(of, right));
  if (result.failed) return static_cast<std::int32_t>(result.kind);
  *out = to_bits(result.value);
  return no_failure;
}

// The same for several lanes; `bad` says where one fails, and its result is then 0.
void wave_jit_lanes_unary(std::uint32_t op, std::uint32_t type, std::uint32_t lanes, const Word* operands, Word* out,
                          std::uint8_t* bad) {
  for (std::uint32_t lane = 0; lane < lanes; ++lane) {
    out[lane] = 0;
    bad[lane] = wave_jit_unary(op, type, operands[lane], &out[lane]) != no_failure;
  }
}
void wave_jit_lanes_binary(std::uint32_t op, std::uint32_t type, std::uint32_t lanes, const Word* left,
                           const Word* right, Word* out, std::uint8_t* bad) {
  for (std::uint32_t lane = 0; lane < lanes; ++lane) {
    out[lane] = 0;
    bad[lane] = wave_jit_binary(op, type, left[lane], right[lane], &out[lane]) != no_failure;
  }
}
void wave_jit_lanes_lookup(Context* context, std::uint32_t table, std::uint32_t lanes, const double* first,
                           const double* second, double* out, std::uint8_t* bad) {
  for (std::uint32_t lane = 0; lane < lanes; ++lane) {
    out[lane] = 0;
    bad[lane] = wave_jit_lookup(context, table, first[lane], second[lane], &out[lane]) != no_failure;
  }
}

}  // extern "C"

template <class Function>
std::pair<const char*, void*> entry(const char* name, Function* function) {
  return {name, reinterpret_cast<void*>(function)};
}

}  // namespace

const std::vector<std::pair<const char*, void*>>& host_functions() {
  static const std::vector<std::pair<const char*, void*>> all{
      entry("wave_jit_fail", wave_jit_fail),
      entry("wave_jit_fail_weight", wave_jit_fail_weight),
      entry("wave_jit_off_space", wave_jit_off_space),
      entry("wave_jit_index", wave_jit_index),
      entry("wave_jit_tick", wave_jit_tick),
      entry("wave_jit_unwind", wave_jit_unwind),
      entry("wave_jit_enter_space", wave_jit_enter_space),
      entry("wave_jit_enter_group", wave_jit_enter_group),
      entry("wave_jit_read_kept", wave_jit_read_kept),
      entry("wave_jit_row", wave_jit_row),
      entry("wave_jit_lookup", wave_jit_lookup),
      entry("wave_jit_measure", wave_jit_measure),
      entry("wave_jit_call_outside", wave_jit_call_outside),
      entry("wave_jit_reduce", wave_jit_reduce),
      entry("wave_jit_input", wave_jit_input),
      entry("wave_jit_unary", wave_jit_unary),
      entry("wave_jit_binary", wave_jit_binary),
      entry("wave_jit_lanes_unary", wave_jit_lanes_unary),
      entry("wave_jit_lanes_binary", wave_jit_lanes_binary),
      entry("wave_jit_lanes_lookup", wave_jit_lanes_lookup),
      // What LLVM makes of llvm.memset.
      entry("memset", memset),
  };
  return all;
}

}  // namespace wave::jit
