// The processes of a model, for the verbs that ask about them rather than about outputs.
#pragma once

#include "cli/options/model.h"
#include "cli/session.h"

#include <optional>
#include <vector>

namespace wave::cli {

struct ModelProcesses {
  std::string model;
  frontend::Lowered lowered;
  std::vector<frontend::ProcessInfo> chosen;
};

// Nothing, with its errors reported, where the file, the model or the process is not there or has errors.
std::optional<ModelProcesses> load_processes(Session& session, const ProcessChoice& choice);

}  // namespace wave::cli
