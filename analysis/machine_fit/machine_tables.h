// What a fit of a machine has found, as tables.
#pragma once

#include "analysis/machine_fit/interfaces.h"
#include "analysis/machine_fit/machine_fit.h"
#include "analysis/machine_fit/replay.h"
#include "analysis/tables/row_table.h"

#include <string>
#include <vector>

namespace wave::analysis::machine_fit {

// What a coefficient of a collective operation is multiplied with: "log2(p) s".
std::string term_text(const Term& term);

// Numbers are in the units that their rows name.
RowTable parameters_table(const std::vector<MachineParameter>& parameters);
RowTable parameters_table(const InterfaceFit& fit);
// Of the latency and of the gap: of, from, to, protocol, and the line through the times of these sizes, in us and us/B.
RowTable segments_table(const MachineFit& fit);
// Between which sizes one segment ends and the next begins, and between which with the probability asked for.
RowTable thresholds_table(const MachineFit& fit);
// Sums of parameters that are known though they are not, in us.
RowTable known_table(const MachineFit& fit);
RowTable collectives_table(const MachineFit& fit);
// The coefficients of their formulas, in us and us/B.
RowTable terms_table(const MachineFit& fit);
// Of messages that several pairs exchange at once.
RowTable classes_table(const InterfaceFit& fit);

// What the machine gives where benchmarks were measured.
RowTable replay_table(const Replay& replay);

// The times that were set aside.
RowTable set_aside_table(const std::vector<WildTime>& wild, const frontend::Sources& sources);
// The machine itself: tool, text.
RowTable machine_table(const std::string& tool, const std::string& text);
RowTable notes_table(const std::vector<std::string>& notes, const std::vector<std::string>& remarks);

}  // namespace wave::analysis::machine_fit
