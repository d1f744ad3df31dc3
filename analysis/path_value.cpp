// See path_value.h.
#include "analysis/path_value.h"

#include "ir/operations.h"

#include <algorithm>

namespace wave::analysis {

using backend::processes::Cause;
using backend::processes::PathTerm;

const char* word_of(Cause::Kind kind) {
  switch (kind) {
    case Cause::Kind::compute: return "compute";
    case Cause::Kind::overhead: return "overhead";
    case Cause::Kind::gap: return "gap";
    case Cause::Kind::wire: return "wire";
    case Cause::Kind::handshake: return "handshake";
    case Cause::Kind::collective: return "collective";
  }
  return "";
}

namespace {

// A step of a message, in the frame of its machine.
ir::ValueId step_weight(ir::Builder& b, const PathTerm& term) {
  const ir::MessageEnds& ends = b.system()[term.machine];
  const ir::Protocol& protocol = ends.protocols[term.protocol];
  const ir::Step& step = (term.at_sender ? protocol.sender : protocol.receiver)[term.step];
  const ir::ValueId time = term.kind == Cause::Kind::gap ? step.occupied : step.time;
  if (!time.valid()) return {};
  std::vector<ir::ValueId> arguments{b.real(term.size), b.boolean(term.local)};
  if (ends.local < ends.size) std::swap(arguments[0], arguments[1]);
  const ir::FrameId frame = ends.frame;
  const ir::SiteId site = b.site(ir::FailureKind::recursion_too_deep, step.place);
  return b.call(frame, b.define(frame, "step", time, step.place), std::move(arguments), site);
}

// The weight of a statement itself, at the process where it was seen; not valid where it looks at more than its place.
ir::ValueId own_weight(ir::Builder& b, const ir::FreeBinders& binders, ir::SpaceId space, const PathTerm& term) {
  ir::ValueId value;
  if (const auto* compute = std::get_if<ir::Compute>(&term.statement->node)) value = compute->time;
  if (const auto* collective = std::get_if<ir::Collective>(&term.statement->node)) value = collective->cost;
  if (!value.valid()) return value;
  std::vector<ir::Level> levels;
  const auto& axes = b.system()[space].axes;
  for (const ir::BinderId binder : binders.of(value)) {
    const auto axis = std::find_if(axes.begin(), axes.end(), [&](const ir::Axis& one) { return one.binder == binder; });
    if (axis == axes.end()) return {};
    const ir::ValueId place = b.integer(term.at[static_cast<std::size_t>(axis - axes.begin())]);
    levels.push_back({binder, place, place, b.integer(1), false, {}, b.site(ir::FailureKind::no_progress, term.place)});
  }
  if (levels.empty()) return value;
  const ir::SiteId site = b.site(ir::FailureKind::integer_overflow, term.place);
  return b.reduce(ir::ReduceKind::sum, std::move(levels), value, {}, site);
}

}  // namespace

ir::ValueId path_value(ir::Builder& b, const ir::FreeBinders& binders, ir::ProcessId process,
                       const backend::processes::CriticalPath& path, std::vector<Input>& varying) {
  const ir::SpaceId space = b.system()[process].space;
  const std::string name_of_process = b.system()[process].name;
  ir::ValueId sum = b.real(0);
  for (const PathTerm& term : path.terms) {
    ir::ValueId weight;
    if (term.weight) weight = term.machine.valid() ? step_weight(b, term) : own_weight(b, binders, space, term);
    if (weight.valid()) {
      sum = b.add(sum, b.multiply(weight, b.real(term.sum / *term.weight)));
      continue;
    }
    const std::string name = name_of_process + ": " + word_of(term.kind);
    const ir::DefinitionId own = b.define(ir::System::root_frame, name, b.real(term.sum), term.place, true);
    varying.push_back({Input::Kind::process, name, term.place, 1, own, {}, term.sum});
    sum = b.add(sum, b.reference(own));
  }
  return sum;
}

}  // namespace wave::analysis
