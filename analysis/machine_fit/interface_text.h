// Writes a machine whose processes share interfaces as a module of the language.
#pragma once

#include "analysis/machine_fit/interfaces.h"
#include "analysis/machine_fit/machine_text.h"

#include <string>

namespace wave::analysis::machine_fit {

// The text passes `wave check`, whatever the names of the files are.
std::string interface_text(const InterfaceFit& fit, const Provenance& provenance);

}  // namespace wave::analysis::machine_fit
