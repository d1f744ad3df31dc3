// Traces of ScalaTrace (North Carolina State University; as frs69wq/ScalaTrace-TI, commit 630d977, writes them): one
// text for all ranks, in which loops and ranks that do the same are folded.
//
//   RANKS: 1 -1 0 4 1                        ranks: 1 list, of 1 dimension, from 0, 4 with a stride of 1
//   EVENT5: 1113 481caa_48202a               the call, by its number, and where it stands
//   COMP 4b-0: 48ac05_48ae89 (2 ...){...}    a histogram of the microseconds since the call there
//   COMM 4b-0: 48ac05_48ae89 (2 ...){...}    and of those inside this one, after it
//   LOOP0: iter: ( 124 )[ 1 -1 0 4 1 ] mem: ( 2 )[ 1 -1 0 4 1 ]
//   12 20480                                 a parameter, by its number in hexadecimal digits: the count
//   1a ( 1 2 )[ 1 -1 0 1 0 ]                 another, of some of the ranks: the other end, relative to the rank
//
// A loop begins at the event where it is written, and has the next `mem` events of a rank. Values of a parameter are
// taken in turn, and then again from the first.
#pragma once

#include "analysis/recorded/rank_recording.h"
#include "analysis/recorded/recording.h"
#include "frontend/source/diagnostics.h"
#include "frontend/source/sources.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace wave::analysis::recorded {

// Nothing, with a diagnostic, if it cannot be read, or if its ranks together make steps of more than `most_bytes`.
// Times are the means of histograms. Receives have the size of their buffer. Of whom a receive from anybody got its
// message the trace does not know.
std::optional<Recording> read_scalatrace(const frontend::Sources& sources, std::uint32_t file, std::size_t most_bytes,
                                         frontend::Diagnostics& diagnostics);

}  // namespace wave::analysis::recorded
