// Processes and the ends of their messages as text, for the printer.
#pragma once

#include "ir/expression_text.h"

#include <functional>
#include <string>

namespace wave::ir {

// Called with the indentation and the text of each line; the text may refer to what `text` has shared.
using PrintLine = std::function<void(int, const std::string&)>;

// `process transport on P[i in 1..n, j in 1..m]` and its statements; a block that several statements share is written
// out once and named after that.
void print_process(const System& system, const Process& process, ExpressionText& text, int indent,
                   const PrintLine& line);

// `ends net(size, local)` and its protocols.
void print_ends(const System& system, const MessageEnds& ends, ExpressionText& text, int indent, const PrintLine& line);

}  // namespace wave::ir
