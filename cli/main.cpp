// The program `wave`: reads the command line, runs a verb, and turns an escaped exception into a diagnostic.
#include "cli/command_line.h"
#include "cli/ending.h"
#include "cli/inherited.h"
#include "cli/limits.h"

#include <fmt/format.h>

#include <csignal>
#include <cstdlib>
#include <exception>
#include <execinfo.h>
#include <new>

namespace wave::cli {
namespace {

// Whether a request for memory has failed in this thread.
thread_local bool was_refused = false;

[[noreturn]] void refuse() {
  was_refused = true;
  throw std::bad_alloc();
}

// Where a function that throws nothing has thrown, as iterators of folders in the C++ library do, nobody has caught the
// exception yet, and which one it is cannot be seen.
bool is_memory_out() {
  const std::exception_ptr thrown = std::current_exception();
  if (!thrown) return was_refused && std::uncaught_exceptions() > 0;
  try {
    std::rethrow_exception(thrown);
  } catch (const std::bad_alloc&) {
    return true;
  } catch (...) {
    return false;
  }
}

// No memory where nobody could pass that on: in another thread, in code that expects no exceptions, before a verb
// begins. Anything else is a mistake in this program.
[[noreturn]] void memory_may_be_out() {
  if (is_memory_out()) {
    const std::string_view words = memory_is_out_words();  // a new string would need memory
    end_at_once({words.empty() ? "error[E0611]: there is no memory to begin with\n" : words}, failure);
  }
  std::abort();
}

// Before everything else in the program that allocates.
[[maybe_unused, gnu::init_priority(101)]] const struct Guard {
  Guard() {
    std::set_terminate(memory_may_be_out);
    std::set_new_handler(refuse);
    // The C library looks for the code that takes frames apart when it first needs it, for an exception that passes
    // through `std::call_once` say, and aborts where there is no memory for that. Now it has it.
    void* frame = nullptr;
    backtrace(&frame, 1);
  }
} guard;

int run_request(const RequestedVerb& request) {
  Console console(request.common);
  start_watching(request.common);
  if (const auto words = make_room_on_stack()) {
    const int code =
        report_without_location(console, frontend::DiagnosticKind::out_of_memory, words->message, words->help);
    return console.finish(code);
  }
  int code = internal_error;
  try {
    code = request.execute(request.common, console);
  } catch (const std::bad_alloc&) {
    const OutOfMemory words = out_of_memory(request.common);
    code = report_without_location(console, frontend::DiagnosticKind::out_of_memory, words.message, words.help);
  } catch (const std::exception& error) {
    // Every error of a model is a diagnostic, so what arrives here is a mistake in this program.
    console.remark(
        fmt::format("internal error: {}\nThis is a bug in wave; please report it with the model.\n", error.what()));
    code = internal_error;
  }
  return console.finish(code);
}

}  // namespace
}  // namespace wave::cli

int main(int argc, char** argv) {
  using namespace wave::cli;
  guard_standard_streams();
  note_inherited();
  // A reader that leaves, and a file that grows too large for `ulimit -f`, show up as errors of write.
  std::signal(SIGPIPE, SIG_IGN);
  std::signal(SIGXFSZ, SIG_IGN);
  auto parsed = parse_command_line(argc, argv);
  if (const auto* request = std::get_if<RequestedVerb>(&parsed)) return run_request(*request);
  CommonOptions defaults;
  if (const auto* wrong = std::get_if<Misuse>(&parsed)) {
    defaults.diagnostics = wrong->diagnostics;
    Console console(defaults);
    return console.finish(report_misuse(console, wrong->message, wrong->help));
  }
  Console console(defaults);
  console.print(std::get<Information>(parsed).text);
  return console.finish(success);
}
