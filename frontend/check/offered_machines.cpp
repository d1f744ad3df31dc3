// See offered_machines.h.
#include "frontend/check/offered_machines.h"

#include "frontend/check/members.h"
#include "frontend/check/program.h"

#include <algorithm>
#include <tuple>

namespace wave::frontend {
namespace {

// One program that imports all modules with machines.
std::vector<OfferedMachine> load_machines() {
  std::string imports;
  std::size_t count = 0;
  for (const auto& [name, text] : standard_library()) {
    if (text.find("\nmachine ") != std::string::npos)
      imports += "import " + name + " as module" + std::to_string(count++) + "\n";
  }
  Diagnostics ignored;
  const auto program = load("<library>", {}, ignored, &imports);
  std::vector<OfferedMachine> all;
  for (const auto& module : program->modules) {
    for (const auto& item : module->items) {
      if (check::is_machine(*item)) all.push_back(offered_machine(*item));
    }
  }
  std::sort(all.begin(), all.end(),
            [](const auto& a, const auto& b) { return std::tie(a.module, a.name) < std::tie(b.module, b.name); });
  return all;
}

}  // namespace

std::string full_name(const Item& machine) {
  return (machine.module ? machine.module->key + "." : "") + machine.name.text;
}

OfferedMachine offered_machine(const Item& machine) {
  OfferedMachine one{machine.module ? machine.module->key : "", machine.name.text, machine.doc, {}, {}};
  for (const Item* base : check::with_bases(machine)) one.types.push_back(full_name(*base));
  if (const Item* interface = check::interface_of(machine)) one.types.push_back(full_name(*interface));
  for (const Item* param : check::members_of_kind<item::Param>(machine)) {
    if (!std::get<item::Param>(param->node).default_value) one.needed.push_back(param->name.text);
  }
  return one;
}

const std::vector<OfferedMachine>& library_machines() {
  static const std::vector<OfferedMachine> all = load_machines();
  return all;
}

}  // namespace wave::frontend
