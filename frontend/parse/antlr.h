// ANTLR's runtime with the lexer and the parser that it makes of the grammars. It undefines the EOF of <cstdio> to
// have members of that name; here EOF is put back, as other headers (Boost's) need it, in whatever order they come.
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
