// Inputs, failures, limits, rows and values of one evaluation.
#include "backend/jit/runtime.h"

#include "backend/failed.h"
#include "backend/jit/group_evaluation.h"
#include "backend/jit/structure.h"
#include "backend/jit/thresholds.h"
#include "backend/limits.h"
#include "backend/processes/engine/programs.h"
#include "ir/arithmetic.h"

#include <fmt/format.h>

#include <bit>
#include <new>
#include <utility>

namespace wave::jit {

namespace {

using Function = std::int32_t (*)(Context*, Record*);

}  // namespace

ir::Scalar to_scalar(ir::ScalarType type, Word bits) {
  switch (type) {
    case ir::ScalarType::real: return ir::Scalar::of(ir::arithmetic::canonical(std::bit_cast<double>(bits)));
    case ir::ScalarType::integer: return ir::Scalar::of(static_cast<std::int64_t>(bits));
    case ir::ScalarType::boolean: return ir::Scalar::of(bits != 0);
  }
  return {};
}

Word to_bits(ir::Scalar scalar) {
  switch (scalar.type) {
    case ir::ScalarType::real: return std::bit_cast<Word>(scalar.real);
    case ir::ScalarType::integer: return static_cast<Word>(scalar.integer);
    case ir::ScalarType::boolean: return scalar.boolean ? 1 : 0;
  }
  return 0;
}

Run::Run(CompiledSystem& compiled, const backend::kernels::Excerpt& excerpt, backend::kernels::Host& host,
         const backend::Limits& limits, backend::kernels::MemoryAccount& memory)
    : compiled_(compiled),
      excerpt_(excerpt),
      instance_(excerpt.system),
      host_(host),
      limits_(limits),
      root_record_(compiled.layout.frames[ir::System::root_frame.index].size / 8),
      groups_(compiled.layout.groups.size()),
      planned_(compiled.layout.groups.size()),
      memory_(memory),
      reductions_(*this, compiled) {
  context_.run = this;
  context_.tables = excerpt.tables;
  context_.fuel = steps_between_clock_reads;
}

Run::~Run() = default;

// --- inputs and values ---

void Run::set(ir::DefinitionId input, ir::Scalar value) {
  reinterpret_cast<std::uint8_t*>(record())[compiled_.layout.state_offset[input.index]] = evaluated;
  root_record_[compiled_.layout.value_offset[input.index] / 8] = to_bits(value);
}

Status Run::ask(const std::function<void()>& question) {
  host_.activations = static_cast<std::size_t>(context_.depth);
  try {
    question();
    return done;
  } catch (backend::kernels::KernelFailure& met) {
    forget_failure();
    failure_ = std::move(met.failure);
    scope_closed_ = !met.is_open;
    site_is_original_ = true;
    original_cycle_ = met.cycle;
    return failed;
  } catch (backend::Failed& met) {
    const bool is_cycle = met.cycle.valid();
    const bool is_off_grid = met.failure.kind == ir::FailureKind::index_off_grid && !met.failure.site.valid();
    forget_failure();
    if (is_cycle || is_off_grid) {
      failure_ = std::move(met.failure);
      original_cycle_ = met.cycle;
      site_is_original_ = is_cycle;
      scope_closed_ = is_cycle;
    } else {
      thrown_ = std::current_exception();
      scope_closed_ = true;
    }
    return failed;
  } catch (...) {  // which compiled code, the caller, could not pass on
    forget_failure();
    thrown_ = std::current_exception();
    scope_closed_ = true;
    return failed;
  }
}

Status Run::input(ir::DefinitionId id) {
  return ask([&] { set(id, host_.input(id)); });
}

Status Run::definition(ir::DefinitionId id, ir::FrameId frame, Record* from) {
  Record* const owner = record_of(compiled_.system[id].frame, frame, from);
  if (reinterpret_cast<const std::uint8_t*>(owner)[compiled_.layout.state_offset[id.index]] == evaluated) return done;
  if (is_outside(compiled_.system[id], compiled_.system)) return input(id);
  const auto function = reinterpret_cast<Function>(function_of({Wanted::definition, id.index}));
  return function ? static_cast<Status>(function(&context_, owner)) : failed;
}

Status Run::value(ir::ValueId value, Word& out) {
  const ir::Node& node = compiled_.system[value].node;
  if (const auto* const constant = std::get_if<ir::Constant>(&node)) {
    out = to_bits(constant->value);
    return done;
  }
  if (const auto* const reference = std::get_if<ir::Reference>(&node)) {
    const ir::DefinitionId id = reference->definition;
    if (definition(id, ir::System::root_frame, record()) != done) return failed;
    out = root_record_[compiled_.layout.value_offset[id.index] / 8];
    return done;
  }
  const auto function = reinterpret_cast<ValueFunction>(function_of({Wanted::value, value.index}));
  return function ? static_cast<Status>(function(&context_, record(), &out)) : failed;
}

// A hot function is called again and again, so its code is looked up once.
std::optional<ir::Scalar> Run::result(std::size_t activations) {
  const Entry entry(*this, activations);
  const ir::ValueId body = compiled_.system[excerpt_.result].body;
  if (!result_) result_ = reinterpret_cast<ValueFunction>(function_of({Wanted::value, body.index}));
  Word word = 0;
  if (!is_done(result_ ? static_cast<Status>(result_(&context_, record(), &word)) : failed)) return std::nullopt;
  return to_scalar(compiled_.system[body].type, word);
}

// Null: refused.
void* Run::function_of(const Wanted& wanted) {
  std::string why;
  void* const function = compiled_.get(wanted, limits_, why);
  if (!function) refuse(why);
  return function;
}

Record* Run::record_of(ir::FrameId target, ir::FrameId frame, Record* from) const {
  for (ir::FrameId at = frame; at != target; at = compiled_.system[at].parent) {
    from = reinterpret_cast<Record*>(*from);
  }
  return from;
}

// --- failures ---

void Run::fail(ir::SiteId site, ir::FailureKind kind, std::uint32_t types, const std::array<Word, 3>& bits) {
  ir::Failure failure;
  failure.kind = kind;
  failure.site = site;
  if (kind == ir::FailureKind::cyclic_definition) {
    const ir::DefinitionId cycle{static_cast<std::uint32_t>(bits[0])};
    failure.detail = named(cycle).name;
    failure.location = named(cycle).location;
    set_failure(std::move(failure), true);
    cycle_ = cycle;
    return;
  }
  for (std::uint32_t i = 0; i < (types & 0xff); ++i) {
    failure.values.push_back(to_scalar(static_cast<ir::ScalarType>(types >> (8 + 2 * i) & 3), bits[i]));
  }
  set_failure(std::move(failure), false);
}

void Run::fail_weight(ir::EventId id, std::uint32_t constraint, double weight) {
  const ir::Event& event = instance_[id];
  ir::Failure failure;
  failure.kind = ir::FailureKind::weight_not_finite;
  failure.site = event.site;
  failure.values = {ir::Scalar::of(ir::arithmetic::canonical(weight))};
  failure.location = constraint < event.constraints.size() ? event.constraints[constraint].location : event.location;
  set_failure(std::move(failure), false);
}

// The passes add definitions.
const ir::Definition& Run::named(ir::DefinitionId id) const {
  return id.index < instance_.definitions.size() ? instance_[id] : compiled_.system[id];
}

void Run::note_index(ir::BinderId binder, std::int64_t value) {
  if (failure_ && !scope_closed_) {
    failure_->indices.insert(failure_->indices.begin(), {instance_[binder].name, value});
  }
}

// A failure leaves a definition: the indices further out are not of its scope; a cycle names what it goes through.
void Run::unwind(ir::DefinitionId id) {
  scope_closed_ = true;
  if (!failure_ || (!cycle_.valid() && !original_cycle_.valid())) return;
  failure_->detail = fmt::format("{} -> {}", named(id).name, failure_->detail);
  if (id == cycle_) cycle_ = {};
  const auto& originals = excerpt_.definitions;
  if (id.index < originals.size() && originals[id.index] == original_cycle_) original_cycle_ = {};
}

Status Run::limit(ir::Failure failure) {
  set_failure(std::move(failure), true);
  return failed;
}

Status Run::refuse(const std::string& why) {
  forget_failure();
  refusal_ = why;
  return failed;
}

void Run::set_failure(ir::Failure failure, bool scope_closed) {
  forget_failure();
  failure_ = std::move(failure);
  scope_closed_ = scope_closed;
}

void Run::forget_failure() {
  failure_.reset();
  thrown_ = nullptr;
  refusal_.clear();
  site_is_original_ = false;
  cycle_ = original_cycle_ = {};
}

bool Run::is_done(Status status) {
  if (status != done && refusal_.empty()) throw_failure();
  return status == done;
}

void Run::throw_failure() {
  if (thrown_) std::rethrow_exception(std::exchange(thrown_, nullptr));
  backend::kernels::KernelFailure result{failure_ ? std::move(*failure_) : ir::Failure{}, !scope_closed_,
                                         site_is_original_, original_cycle_};
  failure_.reset();
  throw result;
}

Status Run::tick() {
  context_.fuel = steps_between_clock_reads;
  return backend::is_over(limits_) ? limit(backend::deadline_passed(limits_)) : done;
}

// --- rows, and what is evaluated elsewhere ---

std::optional<backend::Rows> Run::rows() {
  const Entry entry(*this, 0);
  rows_ = {};
  rows_.columns = block().columns.size();
  const auto function = reinterpret_cast<Function>(function_of({Wanted::rows}));
  const Status status = function ? static_cast<Status>(function(&context_, record())) : failed;
  memory_.used -= rows_.cells.size() * sizeof(ir::Scalar);
  if (!is_done(status)) return std::nullopt;
  return std::exchange(rows_, {});
}

std::optional<bool> Run::program(const backend::processes::engine::ProcessProgram& program, std::size_t activations,
                                 const UseOfProgram& use) {
  const Entry entry(*this, activations);
  Wanted wanted{Wanted::program};
  wanted.processes = &program;
  const auto code = reinterpret_cast<backend::processes::engine::Code>(function_of(wanted));
  if (!code) return std::nullopt;
  const bool is_done = use({code, &context_, record()});
  if (!is_done && (thrown_ || (failure_ && failure_->is_limit()))) throw_failure();
  forget_failure();
  return is_done;
}

Status Run::row(const Word* values) {
  const ir::RowBlock& rows = block();
  const std::size_t more = rows.columns.size() * sizeof(ir::Scalar);
  if (memory_.used + more > limits_.memory_bytes) return limit(backend::rows_exceed_memory(limits_));
  try {
    for (std::size_t column = 0; column < rows.columns.size(); ++column) {
      rows_.cells.push_back(to_scalar(compiled_.system[rows.columns[column]].type, values[column]));
    }
  } catch (const std::bad_alloc&) {  // which compiled code, the caller, could not pass on
    return limit(backend::rows_exceed_memory(limits_));
  }
  memory_.used += more;
  return done;
}

Status Run::measure(const ir::Measure& what, std::span<const std::int64_t> indices, Word* out) {
  const Status status = ask([&] { *out = to_bits(host_.measure(what, {indices.begin(), indices.end()})); });
  const bool is_off_grid = status != done && failure_ && failure_->kind == ir::FailureKind::index_off_grid;
  if (is_off_grid && !failure_->site.valid()) failure_->site = what.site;
  return status;
}

Status Run::call_outside(ir::DefinitionId definition, ir::SiteId site, const Word* arguments, Word* out) {
  return ask([&] {
    std::vector<ir::Scalar> scalars;
    for (const ir::FrameParameter& parameter : compiled_.system.parameters) {
      if (parameter.frame == compiled_.system[definition].frame) {
        scalars.push_back(to_scalar(parameter.type, arguments[scalars.size()]));
      }
    }
    *out = to_bits(host_.call(definition, scalars, site));
  });
}

}  // namespace wave::jit
