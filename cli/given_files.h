// Values of parameters in JSON files: `-D @config.json`. Other programs write such files, with many keys that a model
// has no parameter for, so these are passed over.
#pragma once

#include "cli/console.h"
#include "cli/options.h"
#include "frontend/ast/ast.h"

#include <string>
#include <vector>

namespace wave::cli {

class Session;

// Puts what the files of all `-D` say in their places. Returns success, or the exit code of what is wrong, which has
// been said.
int read_given_files(const CommonOptions& options, Console& console);

// Says which keys of such files are no parameters of this model.
void say_what_is_passed_over(Session& session, const frontend::Item& model);

}  // namespace wave::cli
