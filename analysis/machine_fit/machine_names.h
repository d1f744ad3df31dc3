// Names of files in a module, and the name of a machine that is made from that of a file.
#pragma once

#include <string>
#include <string_view>

namespace wave::analysis::machine_fit {

// A text that stays inside a comment of one line and inside a string. Control characters, characters that turn the
// direction of writing and bytes that are no UTF-8 become `?`.
std::string harmless(std::string_view text);
// The same as a string of the language, with its quotes.
std::string quoted(std::string_view text);

// "my-machine.wave" as the name of a machine, "MyMachine". "Fitted" if nothing is left.
std::string machine_name_of(std::string_view file);

// Whether a name is a capital followed by letters, digits and `_`, and no word that the module needs for something
// else, such as the unit `B`.
bool is_machine_name(std::string_view name);

}  // namespace wave::analysis::machine_fit
