// What a fit of a machine has found, as tables.
#pragma once

#include "analysis/machine_fit/interfaces.h"
#include "analysis/machine_fit/machine_fit.h"
#include "analysis/machine_fit/replay.h"
#include "analysis/tables/row_table.h"

#include <string>
#include <vector>

namespace wave::analysis::machine_fit {

// Numbers are in the units that their rows name.
RowTable parameters_table(const std::vector<MachineParameter>& parameters);
RowTable parameters_table(const InterfaceFit& fit);
RowTable collectives_table(const MachineFit& fit);
// Of messages that several pairs exchange at once.
RowTable classes_table(const InterfaceFit& fit);

// What the machine gives where benchmarks were measured.
RowTable replay_table(const Replay& replay);

// The times that were set aside.
RowTable set_aside_table(const std::vector<WildTime>& wild, const frontend::Sources& sources);
RowTable notes_table(const std::vector<std::string>& notes, const std::vector<std::string>& remarks);

}  // namespace wave::analysis::machine_fit
