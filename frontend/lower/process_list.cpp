// Lists the processes of a model, for questions that go beyond its outputs: its own processes, and those of inner
// models that its outputs read.
#include "frontend/lower/lowering.h"

#include <set>

namespace wave::frontend::lowering {

namespace {

class ProcessList {
 public:
  ProcessList(Lowering& lowering, Instance& root, std::vector<ProcessInfo>& into)
      : lowering_(lowering), root_(root), into_(into) {}

  void add(Instance& model, const std::string& prefix) {
    const bool is_new = seen_.insert(&model).second;
    if (!is_new || !model.declaration || !std::holds_alternative<item::Model>(model.declaration->node)) return;
    const auto& members = std::get<item::Model>(model.declaration->node).members;
    for (const auto& item : members) {
      if (std::holds_alternative<item::Process>(item->node)) add_process(model, *item, prefix);
    }
    for (const auto& item : members) {
      const auto found = model.members.find(item->name.text);
      if (found == model.members.end() || found->second.progress != Progress::done) continue;
      if (const auto* inner = as<value::Object>(found->second.value))
        add(*inner->instance, prefix + item->name.text + ".");
    }
  }

 private:
  void add_process(Instance& model, const Item& item, const std::string& prefix) {
    try {
      LoweredProcess& lowered = lowering_.process(model, item);
      if (lowered.progress == Progress::fresh && &model == &root_) lowering_.lower_process(lowered);
      if (lowered.progress != Progress::done) return;
      ProcessInfo info{prefix + item.name.text, item.doc, item.name.place, {}, lowered.id, {}};
      ir::Builder& b = lowering_.b;
      ir::ValueId holds = lowering_.requirements(root_);
      if (&model != &root_) holds = b.logical_and(holds, lowering_.requirements(model));
      if (lowered.requirements.valid()) holds = b.logical_and(holds, lowered.requirements);
      ir::Root root;
      root.name = info.name;
      root.blocks.push_back({{}, {holds}});
      info.requirements = b.root(std::move(root));
      for (const ir::Axis& axis : b.system()[b.system()[lowered.id].space].axes) info.axes.push_back(axis.name);
      into_.push_back(std::move(info));
    } catch (const Abandoned&) {  // reported
    }
  }

  Lowering& lowering_;
  Instance& root_;
  std::vector<ProcessInfo>& into_;
  std::set<const Instance*> seen_;
};

}  // namespace

void Lowering::list_processes(Instance& model, std::vector<ProcessInfo>& into) {
  ProcessList(*this, model, into).add(model, "");
}

}  // namespace wave::frontend::lowering
