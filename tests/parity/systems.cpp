// Shorthands for building systems.
#include "tests/parity/systems.h"

#include <stdexcept>

namespace wave::parity {

ir::ValueId Model::parameter(const std::string& name, ir::ValueId value) {
  return build.reference(build.define(ir::System::root_frame, name, value, {}, true));
}

ir::DefinitionId Model::definition(const std::string& name) const {
  for (std::uint32_t i = 0; i < system.definitions.size(); ++i) {
    if (system.definitions[i].name == name) return ir::DefinitionId{i};
  }
  throw std::runtime_error("no definition " + name);
}

ir::SpaceId Model::grid(const std::vector<std::string>& axes, const std::vector<ir::ValueId>& extents,
                        const std::vector<bool>& wrap, ir::FrameId frame) {
  ir::Space space{"P", frame, {}};
  for (std::size_t axis = 0; axis < axes.size(); ++axis) {
    space.axes.push_back({axes[axis],
                          build.binder(axes[axis]),
                          build.integer(1),
                          extents[axis],
                          axis < wrap.size() && wrap[axis],
                          {},
                          site(ir::FailureKind::extent_not_positive)});
  }
  return build.space(std::move(space));
}

ir::EventId Model::event(const std::string& name, ir::SpaceId space, ir::ScalarType type, ir::FrameId frame) {
  ir::Event event;
  event.name = name;
  event.type = type;
  event.frame = frame;
  event.space = space;
  event.site = site(ir::FailureKind::all_absent);
  return build.event(std::move(event));
}

void Model::constrain(ir::EventId target, ir::EventId source, std::vector<std::int32_t> offset,
                      std::vector<ir::ValueId> weights, ir::ValueId guard) {
  system[target].exact = true;
  system[target].constraints.push_back({source, std::move(offset), std::move(weights), guard, {}});
}

ir::ValueId Model::read(ir::EventId event, std::vector<ir::ValueId> indices) {
  return build.read(event, std::move(indices), site(ir::FailureKind::index_off_grid));
}

ir::Level Model::level(ir::BinderId binder, ir::ValueId first, ir::ValueId last) {
  return {binder, first, last, build.integer(1), false, {}, site(ir::FailureKind::no_progress)};
}

ir::RootId Model::root(const std::string& name, std::vector<ir::ValueId> columns, std::vector<ir::Level> levels) {
  return build.root({name, {{std::move(levels), std::move(columns)}}, {}});
}

ir::RootId Model::root_of_all(const std::string& name, ir::EventId event) {
  std::vector<ir::Level> levels;
  std::vector<ir::ValueId> indices;
  const ir::Space space = system[system[event].space];
  for (const ir::Axis& axis : space.axes) {
    const ir::BinderId binder = build.binder(axis.name);
    levels.push_back(level(binder, axis.first, axis.last));
    indices.push_back(build.index(binder));
  }
  return root(name, {read(event, indices)}, levels);
}

void add_start(Model& model, std::int64_t n, std::int64_t m) {
  ir::Builder& build = model.build;
  const ir::ValueId extent_n = model.parameter("n", build.integer(n));
  const ir::ValueId extent_m = model.parameter("m", build.integer(m));
  const ir::ValueId work = model.parameter("W", build.real(420e6));
  const ir::ValueId total = model.parameter("total", build.real(141.4e6));
  const ir::ValueId receive = model.parameter("receive", build.real(94.1e6));
  const ir::ValueId send = model.parameter("send", build.real(70.3e6));
  const ir::SpaceId grid = model.grid({"i", "j"}, {extent_n, extent_m});
  const ir::EventId start = model.event("start", grid);
  model.constrain(start, start, {-1, 0}, {work, total, receive});
  model.constrain(start, start, {0, -1}, {work, send, total});
  model.system[start].otherwise = {build.real(0)};
  model.root(
      "corner",
      {model.read(start, {extent_n, extent_m}), model.read(start, {build.integer(1), extent_m}),
       model.read(start, {build.subtract(extent_n, build.integer(1), model.site(ir::FailureKind::integer_overflow)),
                          extent_m})});
}

}  // namespace wave::parity
