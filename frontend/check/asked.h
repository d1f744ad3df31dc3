// A study that is asked for on the command line, clause by clause, checked like one in the file.
#pragma once

#include "frontend/check/program.h"

namespace wave::frontend {

struct AskedClause {
  std::string option;  // "--vary": the name of its text in diagnostics
  std::string text;
  bool may_be_interval = false;  // of `vary`: a range of reals without steps stands for all between its ends
};

struct Asked {
  std::vector<AskedClause> vary;  // "n=1..1024 by *2"; "net.L" alone: values come from elsewhere
  std::vector<AskedClause> show;  // "total", "exact in ms", "speedup = total[n = 1] / total", "n * m <= 1024"
};

// Sets the conditions at the points of a checked study, of the file or asked for. They replace earlier ones. False,
// with diagnostics, after an error.
bool ask_conditions(Program& program, Item& study, const std::vector<AskedClause>& conditions,
                    Diagnostics& diagnostics);

// An item::Study of `model`. Null, with diagnostics, after an error. The program holds its texts.
std::unique_ptr<Item> ask(Program& program, const Item& model, const Asked& asked, Diagnostics& diagnostics);

}  // namespace wave::frontend
