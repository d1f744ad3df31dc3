// The only way to print: results go to standard output, diagnostics to standard error. What a terminal would obey is
// taken out of every text on its way, whoever it comes from: names of files, arguments, models and data.
#pragma once

#include "base/terminal_text.h"
#include "cli/options.h"
#include "frontend/source/diagnostics.h"

#include <string>
#include <string_view>
#include <vector>

namespace wave::cli {

// The exit codes of the program.
enum ExitCode { success = 0, failure = 1, misuse = 2, internal_error = 3 };

// What a text on standard output is, which says how it is made harmless to a terminal (text.h).
enum class Printed {
  page,      // for people: nothing in it commands a terminal, wherever it goes
  coloured,  // the same with colours from the palette, which stay if there are to be any
  data,      // for programs: as it is in a plain file, as a page elsewhere, since a pipe often ends at a terminal
  source,    // of a model, or messages of a protocol: as it is, except on a terminal
};

class Console {
 public:
  explicit Console(const CommonOptions& options);
  // Who asks through the library, and is shown everything; null: a command line.
  Client* client() const { return client_; }
  // The verb that runs, for what it writes.
  const std::string& verb() const { return verb_; }

  // Adds to the result, which finish() writes in one piece.
  void print(std::string_view text, Printed as = Printed::page);
  // Writes a part of a result that is too long to keep, or that the reader waits for. False if the reader is gone.
  bool stream(std::string_view text, Printed as = Printed::data);
  const Palette& result_palette() const { return result_palette_; }

  // Shows diagnostics at once. Returns whether there were no errors among them.
  bool report(const frontend::Sources& sources, const frontend::Diagnostics& diagnostics);
  bool has_errors() const { return errors_ > 0; }
  // Shows a remark for people on standard error, but not if diagnostics are JSON.
  void remark(std::string_view text);
  // Whether a person looks at standard error: it is a terminal, and diagnostics are text.
  bool is_watched() const { return is_watched_; }
  // Shows a line that the next status, remark or diagnostic replaces, if a person looks. Empty: removes it.
  void status(std::string_view line);

  // From now on, keeps what would be shown, as plain text.
  void capture();
  const std::string& captured() const { return captured_; }

  // Writes the result and the number of diagnostics. A failure to do so is an error of its own.
  int finish(int code);

 private:
  // How many diagnostics are shown as text. All are counted, but more would not help.
  static constexpr std::size_t most_shown = 500;

  void show(const frontend::Sources& sources, const frontend::Diagnostic& diagnostic);

  std::string harmless(std::string_view text, Printed as) const;
  void write_error(std::string_view text);

  Client* client_;
  const std::string verb_;
  DiagnosticFormat format_;
  bool is_watched_;
  bool has_status_ = false;
  bool captures_ = false;
  std::string captured_;
  Palette result_palette_;
  Palette error_palette_;
  std::string result_;
  int stream_error_ = 0;
  std::size_t errors_ = 0;
  std::size_t warnings_ = 0;
};

// Reports an error that has no location; `help` may be empty. Returns `failure`.
int report_without_location(Console& console, frontend::DiagnosticKind kind, const std::string& message,
                            const std::string& help);

// Reports wrong use that is found after the command line was read.
int report_misuse(Console& console, const std::string& message, const std::string& help);

// Writes to the file, or to standard output if none is named. Returns the exit code of the verb.
int write_result(const std::string& file, const std::string& text, Console& console);

// Whether this stream is a terminal.
bool is_terminal(int stream);

// Opens closed standard streams on /dev/null for reading, so that no file takes their place, and writing to them is an
// error.
void guard_standard_streams();

}  // namespace wave::cli
