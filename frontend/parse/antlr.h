// ANTLR's runtime, with the lexer and the parser that it makes from the grammars. The runtime undefines the EOF of
// <cstdio>, because it has members of that name. Other headers (Boost's) need it, so it is put back here.
#pragma once

#include <cstdio>

#pragma push_macro("EOF")
#include "WaveLexer.h"
#include "WaveParser.h"

namespace wave::frontend {

// The type of ANTLR's last token: antlr4::Token::EOF, which cannot be written where EOF is a macro.
inline constexpr std::size_t end_of_tokens = antlr4::Token::EOF;

}  // namespace wave::frontend
#pragma pop_macro("EOF")
