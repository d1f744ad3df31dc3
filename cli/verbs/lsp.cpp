// `wave lsp`: the language server, for editors.
#include "base/plugin.h"
#include "cli/embedded.h"
#include "cli/limits.h"
#include "cli/options.h"
#include "cli/session.h"
#include "cli/verb.h"
#include "editors/server/serve.h"

#include <cerrno>
#include <filesystem>
#include <unistd.h>

namespace wave::cli {
namespace {

struct LspCommand {};

void declare(CLI::App& verb, LspCommand&, CommonOptions& common) {
  add_search(verb, common);
  add_limits(verb, common, TimeLimit::brief);
}

std::size_t read_input(char* buffer, std::size_t size) {
  for (;;) {
    const ssize_t got = read(STDIN_FILENO, buffer, size);
    if (got >= 0) return static_cast<std::size_t>(got);
    if (errno != EINTR) return 0;
  }
}

// A folder that is installed with the program; empty if it is not.
std::string installed(const std::string& path) {
  namespace fs = std::filesystem;
  std::error_code error;
  const fs::path folder = fs::weakly_canonical(program_folder() + "/../share/" + path, error);
  return !error && fs::is_directory(folder, error) ? folder.string() : "";
}

int execute(const LspCommand&, const CommonOptions& options, Console& console) {
  stop_watching();  // it runs until the editor ends it
  editors::ServerOptions server;
  server.version = version;
  server.search = search_path(options).folders;
  server.pages = &diagnostic_pages();
  server.pages_folder = installed("doc/wave/diagnostics");
  server.evaluation.seconds = options.time_limit_seconds;
  server.evaluation.memory_bytes = options.memory_limit / 2;  // the rest is for reading, and for what is kept
  if (!installed("wave/std").empty()) server.library_folder = installed("wave");
  const auto write = [&](std::string_view bytes) { return console.stream(bytes, Printed::source); };
  return editors::serve(std::move(server), read_input, write);
}

}  // namespace

Verb lsp_verb() {
  return make_verb<LspCommand>("lsp", "Serve editors: diagnostics, completion and the like as you type",
                               {{"End at once, as an editor that has nothing to ask", "wave lsp < /dev/null"},
                                {"Find imports in a folder as well", "wave lsp -I examples < /dev/null"}},
                               declare, execute);
}

}  // namespace wave::cli
