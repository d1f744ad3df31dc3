// Fields of lists that are kept: how they are asked for again in another evaluation.
//
// Times and sizes may come out otherwise. They are put into the fields that have them, and what is made of these is
// made again. Of all others it is asked whether they are the same. A step holds the fields that it is about, so that no
// other takes their address.
#include "backend/processes/bulk/plan_fields.h"
#include "backend/processes/thresholds.h"
#include "ir/visit.h"

#include <algorithm>
#include <cstring>

namespace wave::backend::processes {

namespace {

std::int64_t address(const void* of) { return static_cast<std::int64_t>(reinterpret_cast<std::intptr_t>(of)); }

// Bit by bit: -0 and 0 are two.
bool same_values(const Field& a, const Field& b) {
  return a.axes == b.axes && a.values.size() == b.values.size() &&
         std::memcmp(a.values.data(), b.values.data(), a.values.size() * sizeof(double)) == 0;
}

bool same_scalar(const ir::Scalar& a, const ir::Scalar& b) {
  if (a.type != b.type) return false;
  return a.type == ir::ScalarType::boolean ? a.boolean == b.boolean : a.integer == b.integer;
}

KeptStepPtr make_step(std::function<bool(const Retaking&)> take, std::size_t bytes) {
  const auto step = std::make_shared<KeptStep>();
  step->take = std::move(take);
  step->bytes = bytes;
  return step;
}

std::size_t bytes_of(const FieldPtr& field) { return sizeof(Field) + field->values.size() * sizeof(double); }

}  // namespace

bool Fields::put(const FieldPtr& field, const FieldPtr& values) {
  if (!values || values->axes != field->axes) return false;
  if (!same_values(*field, *values)) std::const_pointer_cast<Field>(field)->values = values->values;
  return true;
}

Fields::Bindings Fields::bindings_of(std::span<const ir::ValueId> values) const {
  Bindings bindings;
  for (const ir::ValueId value : values) {
    for (const ir::BinderId binder : host_.binders.of(value)) {
      if (const auto found = bound_.find(binder); found != bound_.end()) bindings.emplace_back(*found);
    }
  }
  return bindings;
}

void Fields::bind(const Bindings& bindings) {
  for (const auto& [binder, value] : bindings) bind(binder, value);
}

// Whatever the parameters are: it looks at nothing but indices and loop variables.
bool Fields::is_constant(ir::ValueId value, std::size_t depth) {
  if (depth > most_depth_in_bulk) return false;
  if (const auto known = is_constant_.find(value); known != is_constant_.end()) return known->second;
  const ir::Node& node = system()[value].node;
  bool result = !(std::holds_alternative<ir::Parameter>(node) || std::holds_alternative<ir::Reference>(node) ||
                  std::holds_alternative<ir::Call>(node) || std::holds_alternative<ir::Read>(node) ||
                  std::holds_alternative<ir::Neighbour>(node) || std::holds_alternative<ir::Measure>(node));
  ir::for_each_operand(node, [&](ir::ValueId operand) { result = result && is_constant(operand, depth + 1); });
  return is_constant_[value] = result;
}

bool Fields::varies(const std::vector<Argument>& arguments) const {
  return std::any_of(arguments.begin(), arguments.end(),
                     [&](const Argument& argument) { return step_of_.contains(argument.get()); });
}

// If another value of the loop variables has led to the same field, that one takes the values, and this one is compared
// with it.
void Fields::note_value(ir::ValueId value, AxisSet axes, const Domain& domain, const FieldPtr& field) {
  if (!field || is_constant(value)) return;
  const Bindings bindings = bindings_of({&value, 1});
  Key key{0, value.index, address(domain.mask.get()), address(field.get())};
  for (const auto& [binder, bound] : bindings) key.insert(key.end(), {binder.index, bound});
  KeptStepPtr& step = asked_[key];
  const auto made_by = step_of_.find(field.get());
  if (made_by != step_of_.end()) steps_->add(made_by->second);
  if (!step) {
    const bool takes_values = system()[value].type == ir::ScalarType::real && made_by == step_of_.end();
    const auto take = [=](const Retaking& again) {
      again.fields.bind(bindings);
      const std::optional<FieldPtr> now = again.fields.compute(value, axes, domain);
      if (!now || !*now) return false;
      return takes_values ? put(field, *now) : same_values(*field, **now);
    };
    step = make_step(take, bytes_of(field));
    if (takes_values) step_of_[field.get()] = step;
  }
  steps_->add(step);
}

void Fields::note_uniform(ir::ValueId value, const ir::Scalar& result) {
  if (is_constant(value)) return;
  const Bindings bindings = bindings_of({&value, 1});
  Key key{1, value.index};
  for (const auto& [binder, bound] : bindings) key.insert(key.end(), {binder.index, bound});
  KeptStepPtr& step = asked_[key];
  if (!step) {
    const auto take = [=](const Retaking& again) {
      again.fields.bind(bindings);
      return same_scalar(again.fields.host_.scalars.value(value), result);
    };
    step = make_step(take, 0);
  }
  steps_->add(step);
}

void Fields::note_named(std::span<const ir::ValueId> coordinates, bool by_rank, const FieldPtr& mask,
                        const PeerMapPtr& peers) {
  if (!peers || std::all_of(coordinates.begin(), coordinates.end(),
                            [&](ir::ValueId coordinate) { return is_constant(coordinate); }))
    return;
  const Bindings bindings = bindings_of(coordinates);
  Key key{2, by_rank, address(mask.get()), address(peers.get())};
  for (const ir::ValueId coordinate : coordinates) key.push_back(coordinate.index);
  for (const auto& [binder, bound] : bindings) key.insert(key.end(), {binder.index, bound});
  KeptStepPtr& step = asked_[key];
  if (!step) {
    const std::vector<ir::ValueId> of(coordinates.begin(), coordinates.end());
    const auto take = [=](const Retaking& again) {
      again.fields.bind(bindings);
      const std::optional<PeerMapPtr> now = again.fields.find_named(of, by_rank, mask);
      return now && *now && **now == *peers;
    };
    step = make_step(take, peers->bytes());
  }
  steps_->add(step);
}

// Also where the value is the same: another quantum rounds otherwise.
void Fields::note_rounded(const FieldPtr& field, const FieldPtr& rounded) {
  KeptStepPtr& step = step_of_[rounded.get()];
  if (!step) {
    const auto take = [=](const Retaking& again) { return put(rounded, again.fields.rounded(field, again.quantum)); };
    step = make_step(take, bytes_of(rounded));
  }
  steps_->add(step);
}

void Fields::note_same(const FieldPtr& a, const FieldPtr& b, const Domain& domain) {
  if (!varies({a, b})) return;
  const auto take = [=](const Retaking& again) { return again.fields.same(a, b, domain); };
  steps_->add(make_step(take, 0));
}

void Fields::note_made(const FieldPtr& field, std::function<FieldPtr(Fields&)> make) {
  KeptStepPtr& step = step_of_[field.get()];
  if (!step) {
    const auto take = [field, make = std::move(make)](const Retaking& again) { return put(field, make(again.fields)); };
    step = make_step(take, bytes_of(field));
  }
  steps_->add(step);
}

void Fields::note_made(const std::vector<FieldPtr>& fields, const KeptStepPtr& step) {
  for (const FieldPtr& field : fields) {
    if (field) step_of_[field.get()] = step;
  }
}

}  // namespace wave::backend::processes
