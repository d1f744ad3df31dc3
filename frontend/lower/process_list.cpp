// The processes of a model, for those who ask about more than its outputs.
#include "frontend/lower/lowering.h"

namespace wave::frontend::lowering {

void Lowering::list_processes(Instance& model, std::vector<ProcessInfo>& into) {
  for (const auto& item : std::get<item::Model>(model.declaration->node).members) {
    if (!std::holds_alternative<item::Process>(item->node)) continue;
    try {
      LoweredProcess& lowered = process(model, *item);
      if (lowered.state == LoweredProcess::State::fresh) lower_process(lowered);
      if (lowered.state != LoweredProcess::State::done) continue;
      ProcessInfo info{item->name.text, item->doc, item->name.place, {}, lowered.id, {}};
      ir::ValueId holds = requirements(model);
      if (lowered.requirements.valid()) holds = b.logical_and(holds, lowered.requirements);
      ir::Root root;
      root.name = info.name;
      root.blocks.push_back({{}, {holds}});
      info.requirements = b.root(std::move(root));
      for (const ir::Axis& axis : b.system()[b.system()[lowered.id].space].axes) info.axes.push_back(axis.name);
      into.push_back(std::move(info));
    } catch (const NotYet&) {
    } catch (const Abandoned&) {             // reported
    }
  }
}

}  // namespace wave::frontend::lowering
