// See message_costs.h.
#include "cli/message_costs.h"

#include "frontend/check/type_tools.h"

namespace wave::cli {
namespace {

// A list, or sizes as one says them: "8 B", "1 KiB, 4 KiB".
frontend::ExprPtr check_sizes(Session& session, const std::string& text) {
  const auto check = [&](const std::string& list, frontend::Diagnostics& diagnostics) {
    return check_expression(session.program(), nullptr, "sizes", list,
                            frontend::check::list_of(frontend::check::data_type()), diagnostics);
  };
  frontend::Diagnostics of_list, of_elements;
  if (auto list = check(text, of_list)) return list;
  if (auto elements = check("[" + text + "]", of_elements)) return elements;
  return check(text, session.diagnostics());
}

}  // namespace

std::optional<Results> message_costs(Session& session, const frontend::Item& machine, const AskedCosts& asked,
                                     const EngineSettings& settings) {
  const auto overrides = check_overrides(session, machine, asked.overrides);
  const auto sizes = check_sizes(session, asked.sizes.empty() ? default_sizes : asked.sizes);
  if (session.diagnostics().has_errors() || sizes == nullptr) return std::nullopt;
  const auto lowered = lower_costs(session.program(), machine, *sizes, overrides, asked.of, session.diagnostics());
  if (session.diagnostics().has_errors()) return std::nullopt;
  const auto engine = open_engine(session, settings, lowered.system);
  if (engine == nullptr) return std::nullopt;
  Results results = evaluate_outputs(session, settings, lowered, *engine);
  results.model = machine.name.text;
  return results;
}

}  // namespace wave::cli
