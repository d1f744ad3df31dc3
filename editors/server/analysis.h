// A document as the front end understands it, with what it imports: diagnostics, declarations, and what each name
// means.
#pragma once

#include "editors/server/declarations.h"
#include "frontend/check/probe.h"

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace wave::editors {

// A name where it stands. That of a declaration means itself.
struct Occurrence {
  Location place;
  Location declared;
  bool is_declaration() const { return place == declared; }
};

class Analysis {
 public:
  // Of a file with this text, or of a module of the standard library, whose text is null.
  Analysis(const std::string& name, const frontend::SearchPath& search, const std::string* text);

  // The document has another text; what it imports is what it was.
  void reload(const frontend::SearchPath& search, std::string text);
  // Answers a question about another text, which replaces that of the document until reload().
  void ask(const frontend::SearchPath& search, std::string text, frontend::Probe& probe);

  const frontend::Program& program() const { return *program_; }
  const frontend::Sources& sources() const { return program_->sources; }
  const frontend::Module& main() const { return program_->main(); }
  std::uint32_t file() const { return main().file; }
  std::string_view text() const { return sources().text(file()); }
  const frontend::Diagnostics& diagnostics() const { return diagnostics_; }
  // Errors in what it imports.
  const std::vector<frontend::Diagnostic>& imported_errors() const { return imported_errors_; }
  bool imports(const std::string& key) const;

  const frontend::Module* module_of(std::uint32_t file) const;  // null for a file that is none
  const std::vector<Declaration>& declarations(std::uint32_t file) const;
  const Declaration* declaration(Location place) const;  // whose name stands there; null if none does

  // All names of a file, in the order of their places.
  std::vector<Occurrence> occurrences(std::uint32_t file) const;
  // The name at an offset of the document, or just before it.
  std::optional<Occurrence> at(std::uint32_t offset) const;
  // What a declaration replaces, and so on: all with the same origin are renamed together.
  Location origin(Location declared) const;

 private:
  frontend::Diagnostics diagnostics_;
  std::unique_ptr<frontend::Program> program_;  // after what is found in loading it
  std::vector<frontend::Diagnostic> imported_errors_;
  mutable std::map<std::uint32_t, std::vector<Declaration>> declarations_;  // of files that were asked for
};

// Does what reads or checks texts. False if it was not done after so many seconds; what it made is of no use then.
bool finishes_within(double seconds, const std::function<void()>& reading);

// The question whether nobody wants any more what is being read, which says no at first: to finish what takes little
// costs less than to begin again with all that is imported.
std::function<bool()> after_a_moment(std::function<bool()> is_unwanted);

// The innermost expression of a module around an offset; null if there is none.
const frontend::Expr* expression_at(const frontend::Module& module, std::uint32_t offset);
// The expressions around an offset, the outermost first.
std::vector<const frontend::Expr*> expressions_at(const frontend::Module& module, std::uint32_t offset);
// The innermost declaration around an offset; null if there is none.
const frontend::Item* item_at(const frontend::Module& module, std::uint32_t offset);

}  // namespace wave::editors
