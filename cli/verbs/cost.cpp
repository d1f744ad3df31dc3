// `wave cost`: send, receive and total of a message by size, and the protocol that it takes; what one holds against a
// ping-pong first.
#include "base/text.h"
#include "cli/message_costs.h"
#include "cli/option_words.h"
#include "cli/options.h"
#include "cli/text.h"
#include "cli/verb.h"
#include "frontend/check/members.h"

#include <fmt/format.h>

#include <algorithm>

namespace wave::cli {
namespace {

using frontend::DiagnosticKind;
using frontend::Item;

struct CostCommand {
  std::string machine;  // "std.machines.ibm_sp2.SP2" or "file.wave:SP2"
  std::string sizes;
  std::vector<std::string> overrides;
  Format format;
  EngineSettings engine;
  frontend::CostOf of;
};

constexpr std::uint64_t most_pairs = 1'000'000;

void declare(CLI::App& verb, CostCommand& command, CommonOptions& common) {
  add_text(verb, "MACHINE", command.machine, "",
           "std.machines.ibm_sp2.SP2, or file.wave:NAME; NAME may be left out where there is one")
      .required();
  add_text(verb, "SIZES", command.sizes, "", "Sizes: \"8 B, 4 KiB\", or a list (default \"1 B..1 MiB by *2\")");
  add_text(verb, "--within", command.of.within, "LEVEL", "Between two processes that share this level, such as node");
  add_whole(verb, "--sharing", command.of.sharing, {1, most_pairs},
            "How many pairs of processes, of two nodes, exchange a message at once (default 1)");
  add_overrides(verb, command.overrides, common);
  add_format(verb, command.format);
  add_engine(verb, command.engine);
  add_search(verb, common);
}

constexpr const char* suffix = ".wave";

struct MachineName {
  std::string file, name;
};

// "file.wave:SP2", "file.wave" or "-:SP2"; otherwise a name of the standard library.
MachineName split(const std::string& text) {
  if (text.rfind("-:", 0) == 0) return {"-", text.substr(2)};
  const auto at = text.rfind(std::string(suffix) + ":");
  if (at != std::string::npos) return {text.substr(0, at + 5), text.substr(at + 6)};
  const bool is_file = has_ending(text, suffix);
  return is_file ? MachineName{text, ""} : MachineName{"", text};
}

// Where a file or a module (`prefix`, with what joins it to a name) is named alone, its machine.
const Item* only_machine(Session& session, const frontend::Module& module, const std::string& prefix) {
  const Item* found = nullptr;
  for (const auto& item : module.items) {
    if (!std::holds_alternative<frontend::item::Machine>(item->node)) continue;
    if (found != nullptr) {
      auto& d = session.diagnostics().add(DiagnosticKind::which_model, item->name.location,
                                          fmt::format("{} declares several machines", module.name), "one of them");
      d.help.push_back(fmt::format("name one: `wave cost {}{}`", prefix, item->name.text));
      return nullptr;
    }
    found = item.get();
  }
  if (found == nullptr) {
    session.diagnostics().add(DiagnosticKind::not_a_machine, {}, fmt::format("{} declares no machine", module.name));
  }
  return found;
}

bool is_library_module(const std::string& name) {
  const auto& modules = frontend::standard_library();
  return std::any_of(modules.begin(), modules.end(), [&](const auto& module) { return module.first == name; });
}

// Null, with its errors in the session or reported, where there is none.
const Item* load_machine(Session& session, const MachineName& wanted) {
  const auto& [file, name] = wanted;
  if (is_library_module(name)) {
    const auto* module = session.load_library(name);
    return module != nullptr ? only_machine(session, *module, name + ".") : nullptr;
  }
  // The standard library is found from any program, an empty one too.
  if (!(file.empty() ? session.load("<command line>", "") : session.load(file))) return nullptr;
  if (name.empty()) return only_machine(session, session.program().main(), file + ":");
  const Item* item = find_item(session.program(), name, session.diagnostics());
  if (item == nullptr || std::holds_alternative<frontend::item::Machine>(item->node)) return item;
  auto& d = session.diagnostics().add(DiagnosticKind::not_a_machine, item->name.location,
                                      fmt::format("`{}` is not a machine", name), "declared here");
  d.help.push_back("`wave cost` takes a machine, such as `std.machines.ibm_sp2.SP2`");
  return nullptr;
}

bool knows_level(Session& session, const Item& machine, const std::string& level) {
  const std::vector<std::string> levels = frontend::check::levels_of(machine);
  if (level == "none" || std::find(levels.begin(), levels.end(), level) != levels.end()) return true;
  auto& d =
      session.diagnostics().add(DiagnosticKind::level_unknown, machine.name.location,
                                fmt::format("`{}` knows no level `{}`", machine.name.text, level), "declared here");
  d.help.push_back(levels.empty() ? "a machine says `levels node` to tell messages within a node from others"
                                  : fmt::format("its levels are {}", join_texts(levels, ", ")));
  return false;
}

int execute(const CostCommand& command, const CommonOptions& options, Console& console) {
  Session session(console, options);
  const Item* machine = load_machine(session, split(command.machine));
  if (machine == nullptr) {
    session.settle();
    return failure;
  }
  if (!knows_level(session, *machine, command.of.within)) {
    session.settle();
    return failure;
  }
  const auto results = message_costs(session, *machine, {command.sizes, command.overrides, command.of}, command.engine);
  if (!session.settle() || !results) return failure;
  write_document(document_of(*results, cost_digits), command.format, "", console);
  return success;
}

}  // namespace

Verb cost_verb() {
  return make_verb<CostCommand>(
      "cost", "Show what a message costs on a machine, by size",
      {{"Show what messages cost on a machine", "wave cost std.machines.ibm_sp2.SP2"},
       {"Two sizes, within a node", "wave cost std.machines.cray_xt4 \"8 B, 4 KiB\" --within node"},
       {"Sixteen pairs of processes that share the interface of a node",
        "wave cost examples/max_rate/blue_waters.wave --sharing 16"}},
      declare, execute);
}

}  // namespace wave::cli
