// A declaration's head as its author wrote it, without what it does: `fn o(s: data): time`.
#pragma once

#include "frontend/ast/ast.h"
#include "frontend/source/sources.h"

#include <string>

namespace wave::cli {

std::string signature(const frontend::Sources& sources, const frontend::Item& item);

}  // namespace wave::cli
