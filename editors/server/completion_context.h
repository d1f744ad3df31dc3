// What the text before the cursor tells of what may follow, without asking the front end.
#pragma once

#include "frontend/parse/tokens.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace wave::editors {

struct CompletionContext {
  enum class Kind {
    nothing,    // in a comment, a string, a number
    import,     // the path of an import
    imported,   // between the braces of an import: `path` is its path
    unit,       // after a number and a blank
    next_unit,  // after `/` or `*` in a unit
    name        // anything else
  } kind = Kind::name;
  std::uint32_t begin = 0, end = 0;  // the word at the cursor
  std::uint32_t number_begin = 0;    // of the number before a unit
  std::string path;
  bool begins_statement = false;
  bool begins_argument = false;  // right after `(` or `,`
  std::string around;            // the word that opened the braces around: "model", "process"; empty in a module
  // What the line lacks behind the cursor so that it can be understood: ` else 0`, brackets.
  std::string lacking;
};

CompletionContext completion_context(std::string_view text, std::uint32_t offset);

// The words that begin a declaration, a statement or a clause in these braces.
const std::vector<std::string_view>& words_of(const std::string& around);

}  // namespace wave::editors
