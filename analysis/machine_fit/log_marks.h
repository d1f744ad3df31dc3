// What shows in a line of a log which benchmark printed it, and what was started, and how.
#pragma once

#include "analysis/machine_fit/timings.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace wave::analysis::machine_fit {

// The tool that prints this line above its tables: a title, or a heading of columns. The line begins with `#`, except
// for a table of IMB with a column of groups.
std::optional<Tool> tool_of(std::string_view line);

// Whether a line, in small letters, is the title of a test of OSU, or of one that is printed like these.
bool is_title_of_osu(std::string_view line);

// Where in a line such a text begins, perhaps behind a label.
std::optional<std::size_t> begin_of_marks(std::string_view line);

// A word with letters and no number, which no cell of a benchmark is: "modules". `nan` and `inf` are numbers.
bool is_plain_word(std::string_view text);

// A command that a shell has echoed before it ran it, `+ srun -n 16 --map-by node osu_allreduce`.
struct RunCommand {
  std::string program;  // "osu_allreduce", "all_reduce_perf"; empty: none that is known
  int processes = 0;    // 0: not said
  std::string mapping;  // "--map-by node --bind-to core"
  int window = 0;       // of `osu_bw -W 4`; 0: not said
};
std::optional<RunCommand> command_in(const std::vector<Word>& words);

// How many processes a line speaks of that is no command, `=== 16 processes ===`, `np=16`; 0: of none.
int processes_named_in(const std::vector<Word>& words);

// What a line says of where the two processes of a message are: "on one node"; empty: nothing.
std::string place_named_in(std::string_view line);

}  // namespace wave::analysis::machine_fit
