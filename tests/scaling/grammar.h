// What the grammar lets grow: each list, each rule that may stand inside itself, and each kind of node, of which there
// may be many.
#pragma once

#include <string>
#include <vector>

namespace wave::test {

// As "arguments: (COMMA argument)*", "list in itself" and "statement | REPEAT expression block".
std::vector<std::string> what_grows(const std::string& grammar);

}  // namespace wave::test
