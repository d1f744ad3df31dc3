// A verb that a client asks: its options by name, the model and the data that the client has in memory, and the answer
// as the document that the program would write.
#pragma once

#include "cli/client.h"
#include "cli/command_line.h"

#include <optional>
#include <string>
#include <vector>

namespace wave::cli {

struct Question {
  std::string verb;
  std::vector<GivenOption> options;
};

// Whether this is a name of the option: that of "time-limit" may be given as "time_limit".
bool is_called(const std::string& option, std::string given);

// The verbs that answer with tables or a text, and do not serve an editor, start a program or change files.
std::vector<std::string> verbs_that_answer();
// Null: there is none of that name that answers.
const Verb* find_question(const std::string& verb);

// What is wrong with the question itself. Otherwise the client has its answer, and reports of what is wrong. Throws
// frontend::GivenUp where a model was being read when the time was over or the client stopped it, and std::bad_alloc.
// Needs a large stack (base/big_stack.h).
std::optional<Misuse> ask(const Question& question, Client& client);

}  // namespace wave::cli
