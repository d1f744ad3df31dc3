// Systems made by hand, for the parity tests and the benchmarks.
#pragma once

#include "ir/builder.h"

#include <cstdint>
#include <string>
#include <vector>

namespace wave::parity {

// What every test of systems names.
using ir::BinaryOp;
using ir::FailureKind;
using ir::ReduceKind;
using ir::ScalarType;
using ir::UnaryOp;
using ir::ValueId;

// A system under construction, with shorthands.
struct Model {
  Model() : build(system) {}

  ir::System system;
  ir::Builder build;

  ir::ValueId parameter(const std::string& name, ir::ValueId value);  // bindable
  ir::DefinitionId definition(const std::string& name) const;
  ir::ValueId refer(const std::string& name) { return build.reference(definition(name)); }
  ir::SiteId site(ir::FailureKind kind) { return build.site(kind, {}); }
  // A space over 1..extent per axis; `wrap` per axis may be left out.
  ir::SpaceId grid(const std::vector<std::string>& axes, const std::vector<ir::ValueId>& extents,
                   const std::vector<bool>& wrap = {}, ir::FrameId frame = ir::System::root_frame);
  ir::ValueId index(ir::SpaceId space, std::size_t axis) { return build.index(system[space].axes[axis].binder); }
  ir::EventId event(const std::string& name, ir::SpaceId space, ir::ScalarType type = ir::ScalarType::real,
                    ir::FrameId frame = ir::System::root_frame);
  void constrain(ir::EventId target, ir::EventId source, std::vector<std::int32_t> offset,
                 std::vector<ir::ValueId> weights, ir::ValueId guard = {});
  ir::ValueId read(ir::EventId event, std::vector<ir::ValueId> indices);
  ir::Level level(ir::BinderId binder, ir::ValueId first, ir::ValueId last);
  ir::RootId root(const std::string& name, std::vector<ir::ValueId> columns, std::vector<ir::Level> levels = {});
  // A root that holds all cells of an event, row by row.
  ir::RootId root_of_all(const std::string& name, ir::EventId event);
};

// StartP of PPoPP'99, eq (6), with uniform costs and parameters `n` and `m`, read at a few points.
void add_start(Model& model, std::int64_t n, std::int64_t m);

}  // namespace wave::parity
