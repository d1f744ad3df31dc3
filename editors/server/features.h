// What the server answers about a document. Each group has a file of its own.
#pragma once

#include "editors/server/analysis.h"
#include "editors/server/positions.h"
#include "editors/server/project.h"
#include "editors/server/values.h"

#include <atomic>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace wave::editors {

// A document that is asked about.
struct View {
  const Analysis& analysis;
  const Project& project;
  Lines lines;
  const Values* values;  // null where nothing is known of them

  View(const Analysis& analysis, const Project& project, const Values* values = nullptr)
      : analysis(analysis), project(project), lines(analysis.text(), project.encoding), values(values) {}
  View(const Analysis& analysis, Project&& project, const Values* values = nullptr) = delete;  // it has to outlive it
};

// --- diagnostics.cpp ---
// `page` gives the address of the page of a code; empty if there is none.
Json diagnostics_of(const View& view, const std::function<std::string(std::string_view code)>& page);

// --- describe.cpp: declarations for people, in Markdown ---
std::string describe(const Analysis& analysis, const Declaration& declaration);
std::string describe(const Analysis& analysis, const frontend::Item& item);
Json hover(const View& view, std::uint32_t offset);
// A machine that is named at an offset; nothing for anything else.
struct NamedMachine {
  std::string key, name;  // of its module
};
std::optional<NamedMachine> machine_at(const View& view, std::uint32_t offset);

// --- hints.cpp ---
Json inlay_hints(const View& view, std::uint32_t begin, std::uint32_t end);

// --- lenses.cpp: commands above declarations, and what they say ---
struct Commands {
  static constexpr const char *run = "wave.run", *break_down = "wave.breakdown", *test = "wave.test",
                              *uses = "wave.uses", *set_parameters = "wave.setParameters";
  static constexpr const char* plot = "wave.plot";  // by the client
};
Json code_lenses(const View& view, const std::string& uri);
// How often a declaration is used is looked for only where somebody looks at its lens.
Json resolved_lens(const Project& project, Json lens, const std::atomic<bool>& stop);
std::string run_text(const Values& values, const std::string& model);
std::string test_text(const Values& values, const std::string& test);  // of all if it is empty
std::string uses_text(const Project& project, const Json& item, const std::atomic<bool>& stop);

// --- navigation.cpp ---
Json definition(const View& view, std::uint32_t offset);       // what the name means
Json declaration(const View& view, std::uint32_t offset);      // what that replaces or is asked for by
Json type_definition(const View& view, std::uint32_t offset);  // where its type is declared
Json highlights(const View& view, std::uint32_t offset);

// --- symbols.cpp ---
int symbol_kind(const frontend::Item& item);  // SymbolKind of the protocol
bool is_symbol(const frontend::Item& item);   // whether lists show it
Json document_symbols(const View& view);
Json workspace_symbols(const Project& project, const std::string& query, const std::atomic<bool>& stop);

// --- structure.cpp ---
Json folding_ranges(const View& view);
Json selection_ranges(const View& view, const std::vector<std::uint32_t>& offsets);

// --- formatting.cpp ---
// As `wave fmt`, in a range of the protocol or, if that is null, everywhere. Null where the text has syntax errors.
Json formatting(const std::string& text, Encoding encoding, const Json& range);

// --- tokens.cpp ---
const std::vector<std::string>& token_types();
const std::vector<std::string>& token_modifiers();
Json semantic_tokens(const View& view, std::uint32_t begin, std::uint32_t end);

// --- references.cpp: over all files ---
// A declaration, apart from the program in which it was found.
struct Target {
  std::string key;  // of its module
  std::uint32_t begin = 0, end = 0;
  std::string name;  // where it was asked for: that of the declaration, or another one that an import gives it
};
// What stands at an offset and can be looked for; nothing if it is no name.
std::optional<Target> target_at(const View& view, std::uint32_t offset);
Json references(const Project& project, const Target& target, bool with_declarations, const std::atomic<bool>& stop);
// The range and the text that may be replaced; RequestError if it cannot be.
Json prepare_rename(const View& view, std::uint32_t offset);
Json rename(const Project& project, const Target& target, const std::string& name, const std::atomic<bool>& stop);

// --- calls.cpp ---
int call_symbol_kind(const frontend::Item& item);  // SymbolKind of the protocol
Json prepare_calls(const View& view, std::uint32_t offset);
// `item` is one that prepare_calls gave.
Json incoming_calls(const Project& project, const Json& item, const std::atomic<bool>& stop);
Json outgoing_calls(const Project& project, const Json& item);

}  // namespace wave::editors
