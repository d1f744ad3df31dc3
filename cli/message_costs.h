// What messages cost on a machine, by their size.
#pragma once

#include "cli/evaluation.h"

#include <optional>
#include <string>
#include <vector>

namespace wave::cli {

inline constexpr const char* default_sizes = "1 B..1 MiB by *2";

struct AskedCosts {
  std::string sizes;  // "8 B, 4 KiB", or a list; empty: the default ones
  std::vector<std::string> overrides;
  frontend::CostOf of;
};

// A table of size, send, receive, total and protocol. What is wrong is collected in the session; there may be nothing
// else.
std::optional<Results> message_costs(Session& session, const frontend::Item& machine, const AskedCosts& asked,
                                     const EngineSettings& engine);

}  // namespace wave::cli
