// Which tokens could have followed, exactly.
#pragma once

#include "frontend/parse/antlr.h"
#include "frontend/parse/tokens.h"

namespace wave::frontend {

// The types of the tokens that may follow tokens[first] ... tokens[at - 1] within `rule`, by simulating the
// grammar's automaton with its stacks: the parser itself only knows what its current decision asked for.
antlr4::misc::IntervalSet expected_after(const antlr4::atn::ATN& atn, std::size_t rule,
                                         const std::vector<Token>& tokens, std::size_t first, std::size_t at);

}  // namespace wave::frontend
