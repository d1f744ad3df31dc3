// What might stand at a place. The front end is asked about the document with another text.
#pragma once

#include "editors/server/features.h"
#include "frontend/check/offered_machines.h"

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace wave::editors {

struct Asking {
  Analysis& analysis;
  const Project& project;
  std::string uri;
  std::string text;  // of the document
  bool has_asked = false;
};

// A part of the text with something else in its place. In each variant, "\1" stands for the word that is asked about.
struct Gap {
  std::uint32_t begin = 0, end = 0;
  std::vector<std::string> variants;
};

// The answer to the first variant that has one.
std::optional<frontend::Probe> ask(Asking& asking, const Gap& gap);
// Asks what is expected where a word stands that means nothing.
std::optional<frontend::Probe> ask_about(Asking& asking, Location place);

// The word around an offset, as far as it is letters, digits and `_`.
std::pair<std::uint32_t, std::uint32_t> word_at(std::string_view text, std::uint32_t offset);

// A line that imports a name.
struct NewImport {
  std::uint32_t at = 0;  // where it is inserted
  std::string text;
};
// `from` is a module as an import names it: `std.comm`, or a path in quotes.
NewImport new_import(const Asking& asking, const Lines& lines, const std::string& from, const std::string& name);

// --- machine_completion.cpp: machines that the document does not name yet ---
struct MachineElsewhere {
  frontend::OfferedMachine machine;
  std::string from;                 // its module, for people
  std::string text;                 // "SP2()", or "ibm_sp2.SP2()" if its module is imported as a whole
  std::optional<NewImport> import;  // which it needs
};
// Of the library and of the project: as values, or as what a machine extends.
std::vector<MachineElsewhere> machines_elsewhere(const Asking& asking, const Lines& lines,
                                                 const frontend::Probe& probe);

// --- completion.cpp ---
Json completion(Asking& asking, std::uint32_t offset);
// --- signature_help.cpp ---
Json signature_help(Asking& asking, std::uint32_t offset);
// --- actions.cpp ---
Json code_actions(Asking& asking, std::uint32_t begin, std::uint32_t end);

}  // namespace wave::editors
