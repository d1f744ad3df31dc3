// The steps that verbs share: loading a program, choosing a model, and overriding parameters. Each reports its errors.
#pragma once

#include "cli/console.h"
#include "cli/options.h"
#include "frontend/lower/lower.h"

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace wave::cli {

class Session {
 public:
  Session(Console& console, const CommonOptions& options) : console_(console), options_(options) {}

  // Loads and checks a file ("-": standard input). If it has errors, they are reported and the result is false.
  bool load(const std::string& file);
  // Loads a text under a name.
  bool load(const std::string& name, const std::string& text);
  // Loads a file that results name: a plain one. It may be anybody's, so unless `is_recorded` knows what was loaded,
  // and otherwise reports that itself, no diagnostic shows anything of it.
  bool load_named(const std::string& file, const std::function<bool(const frontend::Program&)>& is_recorded);
  // Loads a module of the standard library, "std.comm". If it has errors, they are reported and the result is null.
  const frontend::Module* load_library(const std::string& module);

  // Checks another text in place of the file, as a program of its own. Null if it has errors; none is reported.
  std::unique_ptr<frontend::Program> load_aside(const std::string& text) const;

  // Reports the diagnostics collected so far, and forgets them. False if there were errors.
  bool settle();
  // Forgets them, since they may show what must not be shown.
  void withhold() { diagnostics_ = {}; }

  Console& console() { return console_; }
  const CommonOptions& options() const { return options_; }
  frontend::Program& program() { return *program_; }
  frontend::Diagnostics& diagnostics() { return diagnostics_; }
  const frontend::Sources& sources() const;
  // The file, as the user named it.
  const std::string& name() const { return name_; }

 private:
  bool load_text(const std::string* text);

  Console& console_;
  const CommonOptions& options_;
  std::string name_;
  std::unique_ptr<frontend::Program> program_;
  frontend::Diagnostics diagnostics_;
};

// The folders of `-I`, then those of WAVE_PATH.
frontend::SearchPath search_path(const CommonOptions& options);

// The models that the file declares.
std::vector<const frontend::Item*> models_of(const frontend::Module& module);

// The model of that name. If `name` is empty, the only model or `main`. If there is none, null and an error is
// reported.
const frontend::Item* choose_model(Session& session, const std::string& name);

// `-D name=expr`: parsed and checked against the parameters of `owner` (a model or a machine). Every error is
// collected in the session.
std::vector<frontend::Override> check_overrides(Session& session, const frontend::Item& owner,
                                                const std::vector<std::string>& given);

// This is more than the parser takes, so that the parser reports a text that is too large.
inline constexpr std::size_t most_bytes_of_text = std::size_t{64} << 20;

// The name of standard input as a source.
inline constexpr const char* standard_input_name = "<stdin>";
// The limit for a table of values: offsets in a text have 32 bits.
inline constexpr std::size_t most_bytes_of_table = std::size_t{4000} << 20;

// The text that a client has in memory under this name; null if there is none, or no client.
const std::string* text_of_client(const Client* client, const std::string& file);

// The whole of a file or of standard input ("-"), or a little more than `most` bytes of it; for a client, a text that
// it has under this name, or a plain file. If it cannot be read, nothing and a diagnostic.
std::optional<std::string> read_text(const Client* client, const std::string& file, frontend::Diagnostics& diagnostics,
                                     std::size_t most = most_bytes_of_text);

// The processes of a model, for verbs that ask about processes rather than outputs.
struct ModelProcesses {
  std::string model;
  frontend::Lowered lowered;
  std::vector<frontend::ProcessInfo> chosen;
};

// If the file, the model or the process is missing or has errors, these are reported and the result is empty.
std::optional<ModelProcesses> load_processes(Session& session, const ProcessChoice& choice);
// The same of a model of the program that is loaded.
std::optional<ModelProcesses> processes_of(Session& session, const frontend::Item& model, const ProcessChoice& choice);
// Of several processes, keeps those that outputs come to. False, with the reason on the console: that is not one.
bool keep_one_process(Session& session, ModelProcesses& model);

}  // namespace wave::cli
