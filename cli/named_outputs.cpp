// See named_outputs.h.
#include "cli/named_outputs.h"

#include "cli/studies/study_results.h"
#include "cli/verbs.h"
#include "frontend/source/written_files.h"

#include <fmt/format.h>

#include <type_traits>

namespace wave::cli {
namespace {

struct NamedOutput {
  std::string path, name;
};

// Whatever a command is: its members say what it writes.
template <typename Any>
std::vector<NamedOutput> outputs_of(const Any& command) {
  std::vector<NamedOutput> outputs;
  const auto add = [&](const std::string& option, const std::string& path) {
    if (!path.empty()) outputs.push_back({path, fmt::format("`{} {}`", option, path)});
  };
  if constexpr (requires { command.output; }) add("-o", command.output);
  if constexpr (requires { command.drawing; }) {
    add("--svg", command.drawing.svg);
    add("--png", command.drawing.png);
  }
  if constexpr (std::is_same_v<Any, SweepCommand>) {
    if (!command.output.empty())
      outputs.push_back({journal_of(command.output), fmt::format("the journal of `-o {}`", command.output)});
  }
  return outputs;
}

}  // namespace

std::optional<int> claim_outputs(const Request& request, Console& console) {
  const auto outputs = std::visit([](const auto& command) { return outputs_of(command); }, request.command);
  for (const auto& [path, name] : outputs) {
    const std::string other = frontend::written_files().add(path, name);
    if (other.empty()) continue;
    return report_misuse(console, fmt::format("{} and {} are one file", other, name), "name a file for each");
  }
  return std::nullopt;
}

}  // namespace wave::cli
