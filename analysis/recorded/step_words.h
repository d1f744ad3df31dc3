// What a process does, in words for messages: "sends 8 B to rank 3".
#pragma once

#include "analysis/recorded/steps.h"

#include <optional>
#include <string>

namespace wave::analysis::recorded {

std::string words_of(const Step& step);
// "does nothing more", where there is no step.
std::string words_of(const std::optional<Step>& step);

}  // namespace wave::analysis::recorded
