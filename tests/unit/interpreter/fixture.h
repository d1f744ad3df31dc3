// Builds and evaluates systems in a few words.
#pragma once

#include "backend/engine.h"
#include "ir/builder.h"
#include "ir/verify.h"

#include <catch2/catch.hpp>

namespace wave::test {

struct Fixture {
  ir::System system;
  ir::Builder b{system};
  backend::Limits limits;
  std::vector<backend::Binding> bindings;

  static constexpr ir::FrameId root = ir::System::root_frame;

  ir::SiteId site(ir::FailureKind kind = ir::FailureKind::error_called) { return b.site(kind, {}, "site"); }

  backend::Outcome evaluate(ir::ValueId value) {
    const ir::DefinitionId id = b.define(root, "asked", value);
    for (const std::string& complaint : ir::verify(system)) FAIL_CHECK(complaint);
    const auto engine = backend::make_interpreter(system);
    return engine->start(bindings, limits)->evaluate(id);
  }
  ir::Scalar value(ir::ValueId value) {
    const backend::Outcome outcome = evaluate(value);
    if (const auto* failure = std::get_if<ir::Failure>(&outcome)) {
      FAIL("failure of kind " << static_cast<int>(failure->kind) << " " << failure->detail);
    }
    return std::get<backend::Rows>(outcome).cells.at(0);
  }
  ir::Failure failure(ir::ValueId value) {
    const backend::Outcome outcome = evaluate(value);
    REQUIRE(std::holds_alternative<ir::Failure>(outcome));
    return std::get<ir::Failure>(outcome);
  }

  ir::Level level(ir::BinderId binder, ir::ValueId first, ir::ValueId last, std::int64_t step = 1) {
    return {binder, first, last, b.integer(step), false, {}, site(ir::FailureKind::no_progress)};
  }

  // A space `i in 1..n, j in 1..m` and so on.
  ir::SpaceId space(const std::vector<std::pair<std::string, ir::ValueId>>& axes, const std::vector<bool>& wrap = {}) {
    ir::Space space{"P", root, {}};
    for (std::size_t i = 0; i < axes.size(); ++i) {
      space.axes.push_back({axes[i].first,
                            b.binder(axes[i].first),
                            b.integer(1),
                            axes[i].second,
                            i < wrap.size() && wrap[i],
                            {},
                            site(ir::FailureKind::extent_not_positive)});
    }
    return b.space(space);
  }
  ir::EventId event(const std::string& name, ir::SpaceId space, ir::ScalarType type = ir::ScalarType::real) {
    ir::Event event;
    event.name = name;
    event.type = type;
    event.frame = root;
    event.space = space;
    event.site = site(ir::FailureKind::all_absent);
    event.exact = type == ir::ScalarType::real;
    return b.event(event);
  }
  ir::ValueId axis(ir::SpaceId space, std::size_t axis) { return b.index(system[space].axes[axis].binder); }
  void constrain(ir::EventId target, ir::EventId source, std::vector<std::int32_t> offset,
                 std::vector<ir::ValueId> weights, ir::ValueId guard = {}) {
    system[target].constraints.push_back({source, std::move(offset), std::move(weights), guard, {}});
  }
  ir::ValueId at(ir::EventId event, std::vector<ir::ValueId> indices) {
    return b.read(event, std::move(indices), site(ir::FailureKind::index_off_grid));
  }
};

}  // namespace wave::test
