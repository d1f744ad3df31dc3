// Failures, limits, rows and definitions of one evaluation.
#include "backend/jit/runtime.h"

#include "backend/closed_form/symbolic/symbolic.h"
#include "backend/jit/group.h"
#include "backend/limits.h"
#include "ir/arithmetic.h"

#include <fmt/format.h>

#include <bit>
#include <new>

namespace wave::jit {

namespace {

using DefinitionFunction = std::int32_t (*)(Context*, Record*);
using ValueFunction = std::int32_t (*)(Context*, Record*, Word*);

// Steps between two looks at the clock; a step is about a nanosecond.
constexpr std::int64_t steps_between_clock_reads = 1'000'000;

std::uint8_t& state_byte(Record* record, std::uint32_t offset) {
  return reinterpret_cast<std::uint8_t*>(record)[offset];
}

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

void* CompiledSystem::get(const Wanted& wanted, std::string& error) {
  const std::lock_guard lock(mutex);
  const std::string symbol = wanted.symbol();
  if (void* const known = compiler.find(symbol)) return known;
  error = compiler.compile(wanted);
  return error.empty() ? compiler.find(symbol) : nullptr;
}

void* CompiledSystem::kernel(GroupIndex group) {
  const std::lock_guard lock(mutex);
  return compiler.find(fmt::format("kernel_{}", group));
}

Run::Run(CompiledSystem& compiled, const std::vector<backend::Binding>& bindings, const backend::Limits& limits,
         Uncompiled& uncompiled)
    : compiled_(compiled),
      limits_(limits),
      uncompiled_(uncompiled),
      root_record_(std::max<std::size_t>(1, compiled.layout.frames[ir::System::root_frame.index].size / 8)),
      reductions_(*this, compiled) {
  context_.run = this;
  context_.fuel = steps_between_clock_reads;
  const auto bind = [&](ir::DefinitionId definition, ir::Scalar value) {
    state_byte(root_record_.data(), compiled.layout.state_offset[definition.index]) = evaluated;
    root_record_[compiled.layout.value_offset[definition.index] / 8] = to_bits(value);
  };
  for (const ir::DefinitionId definition : compiled.layout.arguments) {
    bind(definition, std::get<ir::Constant>(compiled.system[compiled.system[definition].body].node).value);
  }
  for (const auto& [definition, value] : bindings) bind(definition, value);
}

Run::~Run() { release(root_record_.data(), ir::System::root_frame); }

void Run::begin_rows(ir::RootId root) {
  const std::vector<ir::RowBlock>& blocks = compiled_.system[root].blocks;
  rows_ = {};
  rows_.columns = blocks.empty() ? 0 : blocks.front().columns.size();
  failure_.reset();
  context_.depth = 0;
}

backend::Outcome Run::end_rows(Status status) {
  bytes_ -= rows_.cells.size() * sizeof(ir::Scalar);
  if (status != done) return take_failure();
  return std::move(rows_);
}

backend::Outcome Run::evaluate(ir::RootId root, void* function) {
  begin_rows(root);
  return end_rows(static_cast<Status>(reinterpret_cast<DefinitionFunction>(function)(&context_, root_record_.data())));
}

backend::Outcome Run::evaluate(ir::DefinitionId id, void* function) {
  failure_.reset();
  context_.depth = 0;
  const Layout& layout = compiled_.layout;
  if (state_byte(root_record_.data(), layout.state_offset[id.index]) != evaluated) {
    const std::int32_t status = function
                                    ? reinterpret_cast<DefinitionFunction>(function)(&context_, root_record_.data())
                                    : std::int32_t{evaluate_straight(id)};
    if (status != done) return take_failure();
  }
  const Word bits = root_record_[layout.value_offset[id.index] / 8];
  return backend::Rows{1, {to_scalar(compiled_.system[id].type, bits)}};
}

std::vector<backend::EventReport> Run::reports() const {
  std::vector<backend::EventReport> all = reports_;
  for (backend::EventReport& report : reports_on_replaced(root_record_.data(), ir::System::root_frame)) {
    all.push_back(std::move(report));
  }
  reductions_.report(all);
  return all;
}

std::vector<backend::EventReport> Run::reports_on_replaced(const Record* record, ir::FrameId frame) const {
  if (!compiled_.symbolic) return {};
  const auto definition = [&](ir::DefinitionId id) { return known(record, id, frame); };
  const auto parameter = [&](ir::ParameterId id) {
    const ir::FrameParameter& of_frame = compiled_.system[id];
    return to_scalar(of_frame.type,
                     known_record(of_frame.frame, frame, record)[compiled_.layout.parameter_offset[id.index] / 8]);
  };
  return report_replaced(*compiled_.symbolic, frame, {definition, parameter});
}

// Null where `target` is not around `frame`.
const Record* Run::known_record(ir::FrameId target, ir::FrameId frame, const Record* record) const {
  for (ir::FrameId at = frame; at != target; at = compiled_.system[at].parent) {
    if (at == ir::System::root_frame) return nullptr;
    record = reinterpret_cast<const Record*>(*record);
  }
  return record;
}

std::optional<ir::Scalar> Run::known(const Record* record, ir::DefinitionId id, ir::FrameId frame) const {
  const ir::Definition& definition = compiled_.system[id];
  const Record* const owner = known_record(definition.frame, frame, record);
  if (!owner || reinterpret_cast<const std::uint8_t*>(owner)[compiled_.layout.state_offset[id.index]] != evaluated)
    return std::nullopt;
  return to_scalar(definition.type, owner[compiled_.layout.value_offset[id.index] / 8]);
}

// --- failures ---

void Run::fail(ir::SiteId site, ir::FailureKind kind, std::uint32_t types, const std::array<Word, 3>& bits) {
  ir::Failure failure;
  failure.kind = kind;
  failure.site = site;
  for (std::uint32_t i = 0; i < (types & 0xff); ++i) {
    failure.values.push_back(to_scalar(static_cast<ir::ScalarType>(types >> (8 + 2 * i) & 3), bits[i]));
  }
  scope_closed_ = false;
  if (kind == ir::FailureKind::cyclic_definition) {
    cycle_ = ir::DefinitionId{static_cast<std::uint32_t>(bits[0])};
    failure.values.clear();
    failure.detail = compiled_.system[cycle_].name;
    failure.location = compiled_.system[cycle_].location;
    scope_closed_ = true;
  }
  failure_ = std::move(failure);
}

void Run::fail_weight(ir::EventId id, std::uint32_t constraint, double weight) {
  const ir::Event& event = compiled_.system[id];
  ir::Failure failure;
  failure.kind = ir::FailureKind::weight_not_finite;
  failure.site = event.site;
  failure.values = {ir::Scalar::of(ir::arithmetic::canonical(weight))};
  failure.location = constraint < event.constraints.size() ? event.constraints[constraint].location : event.location;
  scope_closed_ = false;
  failure_ = std::move(failure);
}

void Run::note_index(ir::BinderId binder, std::int64_t value) {
  if (failure_ && !scope_closed_) {
    failure_->indices.insert(failure_->indices.begin(), {compiled_.system[binder].name, value});
  }
}

// A failure leaves a definition: the indices further out are not of its scope; a cycle names what it goes through.
void Run::unwind(ir::DefinitionId id) {
  scope_closed_ = true;
  if (!failure_ || failure_->kind != ir::FailureKind::cyclic_definition || !cycle_.valid()) return;
  failure_->detail = fmt::format("{} -> {}", compiled_.system[id].name, failure_->detail);
  if (id == cycle_) cycle_ = {};
}

Status Run::limit(ir::Failure failure) {
  failure_ = std::move(failure);
  scope_closed_ = true;
  return failed;
}

// Only where LLVM itself fails on code that it was given: what a root reaches is compiled before it runs.
Status Run::internal_failure(const std::string& what) {
  ir::Failure failure;
  failure.kind = ir::FailureKind::no_value;
  failure.detail = what;
  return limit(std::move(failure));
}

ir::Failure Run::take_failure() {
  ir::Failure result = failure_ ? std::move(*failure_) : ir::Failure{};
  failure_.reset();
  return result;
}

Status Run::tick() {
  context_.fuel = steps_between_clock_reads;
  if (!limits_.deadline || std::chrono::steady_clock::now() < *limits_.deadline) return done;
  return limit(backend::deadline_passed(limits_));
}

// --- rows and scalars ---

Status Run::row(ir::RootId root, std::uint32_t block, const Word* values) {
  const ir::RowBlock& rows = compiled_.system[root].blocks[block];
  const std::size_t more = rows.columns.size() * sizeof(ir::Scalar);
  if (bytes_ + more > limits_.memory_bytes) return limit(backend::rows_exceed_memory(limits_));
  bytes_ += more;
  try {
    for (std::size_t column = 0; column < rows.columns.size(); ++column) {
      rows_.cells.push_back(to_scalar(compiled_.system[rows.columns[column]].type, values[column]));
    }
  } catch (const std::bad_alloc&) {  // which compiled code, the caller, could not pass on
    return limit(backend::rows_exceed_memory(limits_));
  }
  return done;
}

Status Run::measure(const ir::Measure& what, std::span<const std::int64_t> indices, Word* out) {
  backend::Outcome outcome = uncompiled_.measure(what, {indices.begin(), indices.end()});
  if (const auto* const rows = std::get_if<backend::Rows>(&outcome)) {
    *out = to_bits(rows->cells.front());
    return done;
  }
  ir::Failure& failure = std::get<ir::Failure>(outcome);
  const bool is_off_grid = failure.kind == ir::FailureKind::index_off_grid && !failure.site.valid();
  if (!is_off_grid) return limit(std::move(failure));  // of the process: a scope of its own
  failure.site = what.site;
  failure_ = std::move(failure);
  scope_closed_ = false;
  return failed;
}

Status Run::call_uncompiled(ir::DefinitionId definition, ir::SiteId site, const Word* arguments, Word* out) {
  std::vector<ir::Scalar> scalars;
  for (const ir::FrameParameter& parameter : compiled_.system.parameters) {
    if (parameter.frame == compiled_.system[definition].frame) {
      scalars.push_back(to_scalar(parameter.type, arguments[scalars.size()]));
    }
  }
  backend::Outcome outcome = uncompiled_.call(definition, scalars, site);
  if (auto* const failure = std::get_if<ir::Failure>(&outcome)) return limit(std::move(*failure));
  *out = to_bits(std::get<backend::Rows>(outcome).cells.front());
  return done;
}

Status Run::value(ir::ValueId value, ir::FrameId frame, Record* record, Word& out) {
  if (frame == ir::System::root_frame && compiled_.layout.straight.contains(value))
    return evaluate_straight(value, out);
  std::string error;
  void* const function = compiled_.get({Wanted::value, value.index, frame}, error);
  if (!function) return internal_failure(error);
  return static_cast<Status>(reinterpret_cast<ValueFunction>(function)(&context_, record, &out));
}

Record* Run::record_of(ir::FrameId target, ir::FrameId frame, Record* record) const {
  for (ir::FrameId at = frame; at != target; at = compiled_.system[at].parent) {
    record = reinterpret_cast<Record*>(*record);
  }
  return record;
}

std::variant<ir::Scalar, ir::Failure> Run::definition_value(ir::DefinitionId id, ir::FrameId frame, Record* record) {
  const ir::Definition& definition = compiled_.system[id];
  Record* const owner = record_of(definition.frame, frame, record);
  if (state_byte(owner, compiled_.layout.state_offset[id.index]) != evaluated) {
    if (compiled_.layout.straight.contains(id)) {
      if (evaluate_straight(id) != done) return take_failure();
      return to_scalar(definition.type, owner[compiled_.layout.value_offset[id.index] / 8]);
    }
    std::string error;
    void* const function = compiled_.get({Wanted::definition, id.index, {}}, error);
    if (!function) internal_failure(error);
    if (!function || reinterpret_cast<DefinitionFunction>(function)(&context_, owner) != done) return take_failure();
  }
  return to_scalar(definition.type, owner[compiled_.layout.value_offset[id.index] / 8]);
}

ir::Scalar Run::parameter_value(ir::ParameterId id, ir::FrameId frame, Record* record) const {
  const ir::FrameParameter& parameter = compiled_.system[id];
  return to_scalar(parameter.type,
                   record_of(parameter.frame, frame, record)[compiled_.layout.parameter_offset[id.index] / 8]);
}

}  // namespace wave::jit
