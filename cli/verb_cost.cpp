// `wave cost`: send, receive and total of a message by size, and the protocol that it takes; what one holds against a
// ping-pong first.
#include "cli/evaluation.h"
#include "cli/verbs.h"

#include <fmt/format.h>

namespace wave::cli {
namespace {

using frontend::DiagnosticKind;
using frontend::Item;

constexpr const char* default_sizes = "1 B..1 MiB by *2";
constexpr const char* suffix = ".wave";

struct MachineName { std::string file, name; };

// "file.wave:SP2", "file.wave" or "-:SP2"; otherwise a name of the standard library.
MachineName split(const std::string& text) {
  if (text.rfind("-:", 0) == 0) return {"-", text.substr(2)};
  const auto at = text.rfind(std::string(suffix) + ":");
  if (at != std::string::npos) return {text.substr(0, at + 5), text.substr(at + 6)};
  const bool is_file = text.size() > 5 && text.substr(text.size() - 5) == suffix;
  return is_file ? MachineName{text, ""} : MachineName{"", text};
}

// Where a file is named alone, its machine.
const Item* only_machine(Session& session) {
  const Item* found = nullptr;
  for (const auto& item : session.program().main().items) {
    if (!std::holds_alternative<frontend::item::Machine>(item->node)) continue;
    if (found != nullptr) {
      auto& d = session.diagnostics().add(DiagnosticKind::which_model, item->name.place,
                                          fmt::format("{} declares several machines", session.name()), "one of them");
      d.help.push_back(fmt::format("name one: `wave cost {}:{}`", session.name(), item->name.text));
      return nullptr;
    }
    found = item.get();
  }
  if (found == nullptr) {
    session.diagnostics().add(DiagnosticKind::not_a_machine, {}, fmt::format("{} declares no machine", session.name()));
  }
  return found;
}

const Item* find_machine(Session& session, const std::string& name) {
  if (name.empty()) return only_machine(session);
  const Item* item = find_item(session.program(), name, session.diagnostics());
  if (item == nullptr || std::holds_alternative<frontend::item::Machine>(item->node)) return item;
  auto& d = session.diagnostics().add(DiagnosticKind::not_a_machine, item->name.place,
                                      fmt::format("`{}` is not a machine", name), "declared here");
  d.help.push_back("`wave cost` takes a machine, such as `std.machines.ibm_sp2.SP2`");
  return nullptr;
}

frontend::TypeRef list_of_sizes() {
  const auto data = std::make_shared<const frontend::Type>(frontend::Type{frontend::types::Real{{0, 1, 0}}});
  return std::make_shared<const frontend::Type>(frontend::Type{frontend::types::List{data}});
}

}  // namespace

int execute(const CostCommand& command, const CommonOptions& options, Console& console) {
  Session session(console, options);
  const MachineName machine_name = split(command.machine);
  // The standard library is found from any program, an empty one too.
  const bool loaded = machine_name.file.empty() ? session.load("<command line>", "") : session.load(machine_name.file);
  if (!loaded) return failure;
  const Item* machine = find_machine(session, machine_name.name);
  if (machine == nullptr) {
    session.settle();
    return failure;
  }
  const auto overrides = check_overrides(session, *machine, command.overrides);
  const auto sizes = check_expression(session.program(), nullptr, "sizes",
                                      command.sizes.empty() ? default_sizes : command.sizes, list_of_sizes(),
                                      session.diagnostics());
  if (!session.settle() || sizes == nullptr) return failure;
  const auto lowered = lower_costs(session.program(), *machine, *sizes, overrides, command.local, session.diagnostics());
  if (!session.settle()) return failure;
  const auto engine = open_engine(session, command.engine, lowered.system);
  if (engine == nullptr) {
    session.settle();
    return failure;
  }
  Results results = evaluate_outputs(session, lowered, *engine);
  results.model = machine->name.text;
  if (!session.settle()) return failure;
  console.print(render(results, command.format, cost_digits));
  return success;
}

}  // namespace wave::cli
