// See console.h.
#include "cli/console.h"

#include "cli/client.h"
#include "cli/diagnostics.h"
#include "cli/files.h"
#include "cli/limits.h"
#include "cli/text.h"

#include <fmt/format.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace wave::cli {
namespace {

bool is_dumb() {
  const char* terminal = std::getenv("TERM");
  return terminal != nullptr && std::strcmp(terminal, "dumb") == 0;
}

bool is_able_terminal(int stream) { return is_terminal(stream) && !is_dumb(); }

bool wants_colour(ColourChoice choice, int stream) {
  switch (choice) {
    case ColourChoice::always: return true;
    case ColourChoice::never: return false;
    case ColourChoice::automatic: break;
  }
  const char* refused = std::getenv("NO_COLOR");  // https://no-color.org
  return is_able_terminal(stream) && (refused == nullptr || *refused == '\0');
}

}  // namespace

// Open MPI's mpirun gives the programs that it starts a terminal as standard output, wherever the output really goes.
bool is_terminal(int stream) { return isatty(stream) == 1 && std::getenv("OMPI_COMM_WORLD_RANK") == nullptr; }

Console::Console(const CommonOptions& options)
    : client_(options.client),
      verb_(options.verb),
      format_(options.diagnostics),
      is_watched_(!client_ && options.diagnostics == DiagnosticFormat::text && is_able_terminal(STDERR_FILENO)),
      result_palette_(wants_colour(options.colour, STDOUT_FILENO)),
      error_palette_(wants_colour(options.colour, STDERR_FILENO)) {}

void Console::capture() {
  status("");
  captures_ = true;
  format_ = DiagnosticFormat::text;
  is_watched_ = false;
  error_palette_ = Palette(false);
}

void Console::write_error(std::string_view text) {
  if (captures_)
    captured_ += text;
  else
    write_all(STDERR_FILENO, text);
}

void Console::show(const frontend::Sources& sources, const frontend::Diagnostic& diagnostic) {
  status("");
  const bool as_json = format_ == DiagnosticFormat::json;
  if (as_json) {
    write_error(render_json(sources, diagnostic));
  } else if (errors_ + warnings_ < most_shown) {
    const std::string text = render_text(sources, diagnostic, error_palette_) + "\n";
    write_error(error_palette_.is_coloured() ? sanitize_coloured(text) : sanitize(text));
  }
  ++(diagnostic.severity == frontend::Severity::error ? errors_ : warnings_);
}

bool Console::report(const frontend::Sources& sources, const frontend::Diagnostics& diagnostics) {
  if (client_) {
    client_->report(sources, diagnostics);
    return !diagnostics.has_errors();
  }
  for (const auto& diagnostic : diagnostics.sorted()) show(sources, diagnostic);
  return !diagnostics.has_errors();
}

void Console::status(std::string_view line) {
  if (!is_watched_ || (line.empty() && !has_status_)) return;
  constexpr std::string_view to_start = "\r\x1b[K";
  write_all(STDERR_FILENO, std::string(to_start).append(sanitize(line)));
  has_status_ = !line.empty();
}

void Console::remark(std::string_view text) {
  if (client_) return client_->remark(text);
  status("");
  if (format_ == DiagnosticFormat::text) write_error(sanitize(text));
}

std::string Console::harmless(std::string_view text, Printed as) const {
  struct stat info{};
  switch (as) {
    case Printed::page: break;
    case Printed::coloured: return result_palette_.is_coloured() ? sanitize_coloured(text) : sanitize(text);
    case Printed::data:
      if (fstat(STDOUT_FILENO, &info) == 0 && S_ISREG(info.st_mode)) return std::string(text);
      break;
    case Printed::source:
      if (isatty(STDOUT_FILENO) != 1) return std::string(text);
      break;
  }
  return sanitize(text);
}

void Console::print(std::string_view text, Printed as) {
  if (client_)
    client_->print(text);
  else
    result_ += harmless(text, as);
}

bool Console::stream(std::string_view text, Printed as) {
  if (client_) {
    client_->print(text);
    return !client_->is_stopped();
  }
  status("");
  if (stream_error_ == 0) stream_error_ = write_all(STDOUT_FILENO, harmless(text, as));
  return stream_error_ == 0;
}

int Console::finish(int code) {
  watch_given_limit();  // without one, a reader may take his time
  const int error = stream_error_ != 0 ? stream_error_ : write_all(STDOUT_FILENO, result_);
  if (error != 0 && code == success) code = failure;
  // A reader that has seen enough (`wave run … | head -1`) is not an error.
  if (error != 0 && error != EPIPE) {
    frontend::Diagnostics diagnostics;
    diagnostics.add(frontend::DiagnosticKind::cannot_write, {},
                    fmt::format("cannot write the result to standard output: {}", std::strerror(error)));
    report({}, diagnostics);
  }
  stop_watching();
  const std::size_t count = errors_ + warnings_;
  if (count > 0) {
    const bool all = count <= most_shown;
    remark(count_line(errors_, warnings_) + (all ? "\n" : fmt::format(" (the first {} are shown)\n", most_shown)));
  }
  return code;
}

void guard_standard_streams() {
  for (int stream = STDIN_FILENO; stream <= STDERR_FILENO; ++stream) {
    if (fcntl(stream, F_GETFD) != -1) continue;
    const int opened = open("/dev/null", O_RDONLY);
    if (opened != stream && opened != -1) close(opened);
  }
}

int report_without_location(Console& console, frontend::DiagnosticKind kind, const std::string& message,
                            const std::string& help) {
  frontend::Diagnostics diagnostics;
  auto& d = diagnostics.add(kind, {}, message);
  if (!help.empty()) d.help.push_back(help);
  console.report({}, diagnostics);
  return failure;
}

int write_result(const std::string& file, const std::string& text, Console& console) {
  if (file.empty()) {
    console.print(text, Printed::data);
    return success;
  }
  if (console.client()) {
    console.client()->file(file, text);
    return success;
  }
  const std::string problem = replace_file(file, text);
  if (problem.empty()) return success;
  return report_without_location(console, frontend::DiagnosticKind::cannot_write,
                                 fmt::format("`{}` cannot be written", file), problem);
}

int report_misuse(Console& console, const std::string& message, const std::string& help) {
  report_without_location(console, frontend::DiagnosticKind::misuse, message, help);
  return misuse;
}

}  // namespace wave::cli
