// The only way to print: results go to standard output, diagnostics to standard error.
#pragma once

#include "cli/options.h"
#include "frontend/source/diagnostics.h"

#include <string>
#include <string_view>
#include <vector>

namespace wave::cli {

// Colours of the terminal, or none.
enum class Style { error, warning, accent, secondary, strong, good };

class Palette {
 public:
  explicit Palette(bool coloured) : coloured_(coloured) {}
  std::string operator()(Style style, std::string_view text) const;

 private:
  bool coloured_;
};

// What the program exits with.
enum ExitCode { success = 0, failure = 1, misuse = 2, internal_error = 3 };

class Console {
 public:
  explicit Console(const CommonOptions& options);

  // Added to the result, which is written in one piece by finish().
  void print(std::string_view text) { result_ += text; }
  // Writes a part of a result that is too long to keep. False if the reader is gone.
  bool stream(std::string_view text);
  const Palette& result_palette() const { return result_palette_; }

  // Shown at once. Returns whether there were no errors among them.
  bool report(const frontend::Sources& sources, const frontend::Diagnostics& diagnostics);
  bool has_errors() const { return errors_ > 0; }
  // Remarks for people, on standard error; none where diagnostics are JSON.
  void remark(std::string_view text);
  // Whether a person looks at standard error: it is a terminal, and diagnostics are text.
  bool is_watched() const { return is_watched_; }
  // Shows a line that the next status, remark or diagnostic replaces, if a person looks. Empty: removes it.
  void status(std::string_view line);

  // A person looks at standard error although it is a pipe, which leads to a terminal.
  void assume_watched();
  // From now on, keeps what would be shown, as plain text. Another process will show it.
  void capture();
  const std::string& captured() const { return captured_; }

  // Writes the result and the count of diagnostics. It is an error of its own if that fails.
  int finish(int code);

 private:
  // How many diagnostics are shown as text. All are counted, but more would not help.
  static constexpr std::size_t most_shown = 500;

  void show(const frontend::Sources& sources, const frontend::Diagnostic& diagnostic);

  void write_error(std::string_view text);

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

// Reports an error that has no place in a source; `help` may be empty. Returns `failure`.
int report_without_place(Console& console, frontend::DiagnosticKind kind, const std::string& message,
                         const std::string& help);

// For wrong use that is found after the command line was read.
int report_misuse(Console& console, const std::string& message, const std::string& help);

// To the file, or to standard output where none is named. What the verb returns.
int write_result(const std::string& file, const std::string& text, Console& console);

// Whether this stream is a terminal.
bool is_terminal(int stream);

// Standard streams that are closed are opened on /dev/null, for reading, so that no file takes their place and what
// is written to them is an error.
void guard_standard_streams();

}  // namespace wave::cli
