// See session.h.
#include "cli/session.h"

#include "analysis/chosen_processes.h"
#include "base/environment.h"
#include "base/text.h"
#include "cli/client.h"
#include "cli/given_files.h"
#include "cli/limits.h"
#include "cli/text.h"
#include "frontend/check/modules.h"
#include "frontend/lower/given.h"
#include "frontend/source/files.h"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <sys/stat.h>
#include <unistd.h>

namespace wave::cli {
namespace {

using frontend::DiagnosticKind;
using frontend::Item;

bool has_tests(const frontend::Module& module) {
  return std::any_of(module.items.begin(), module.items.end(),
                     [](const auto& item) { return std::holds_alternative<frontend::item::Test>(item->node); });
}

// Returns 0 or the error. Stops if there is too much.
int read_all(int stream, std::string& text, std::size_t most) {
  char buffer[1 << 16];
  while (text.size() <= most) {
    const ssize_t count = read(stream, buffer, sizeof buffer);
    if (count == 0) return 0;
    if (count < 0 && errno != EINTR) return errno;
    if (count > 0) text.append(buffer, static_cast<std::size_t>(count));
  }
  return 0;
}

// Whether reading a file may wait for others, or never end: a pipe, a device.
bool may_wait(const std::string& file) {
  std::error_code error;
  const auto status = std::filesystem::status(file, error);
  return !error && std::filesystem::exists(status) && !std::filesystem::is_regular_file(status) &&
         !std::filesystem::is_directory(status);
}

}  // namespace

frontend::SearchPath search_path(const CommonOptions& options) {
  frontend::SearchPath path{options.search, {}, {}};
  if (options.client) {
    path.texts = options.client->modules;
    return path;
  }
  for (std::string& folder : search_folders_of_environment()) path.folders.push_back(std::move(folder));
  return path;
}

const std::string* text_of_client(const Client* client, const std::string& file) {
  if (!client) return nullptr;
  const auto found = client->texts.find(file);
  return found == client->texts.end() ? nullptr : &found->second;
}

std::optional<std::string> read_text(const Client* client, const std::string& file, frontend::Diagnostics& diagnostics,
                                     std::size_t most) {
  if (const std::string* const known = text_of_client(client, file)) return *known;
  if (client != nullptr) {
    auto plain = frontend::read_plain_file(file, most);
    if (plain.ok) return std::move(plain.text);
    diagnostics.add(DiagnosticKind::cannot_read, {}, fmt::format("cannot read `{}`: {}", file, plain.text));
    return std::nullopt;
  }
  const bool standard_input = file == "-";
  const int stream = standard_input ? STDIN_FILENO : open(file.c_str(), O_RDONLY | O_CLOEXEC);
  std::string text;
  int error = stream < 0 ? errno : 0;
  struct stat info{};
  if (error == 0 && fstat(stream, &info) == 0 && S_ISDIR(info.st_mode)) error = EISDIR;
  const std::string refusal = error == 0 ? frontend::written_files().refuse(stream) : "";
  if (error == 0 && refusal.empty()) error = read_all(stream, text, most);
  if (stream >= 0 && !standard_input) close(stream);
  if (error == 0 && refusal.empty()) return text;
  const std::string name = standard_input ? "standard input" : "`" + file + "`";
  diagnostics.add(DiagnosticKind::cannot_read, {},
                  fmt::format("cannot read {}: {}", name, refusal.empty() ? std::strerror(error) : refusal));
  return std::nullopt;
}

const frontend::Sources& Session::sources() const {
  static const frontend::Sources none;
  return program_ ? program_->sources : none;
}

bool Session::settle() {
  const bool clear = console_.report(sources(), diagnostics_);
  diagnostics_ = {};
  return clear;
}

bool Session::load(const std::string& file) {
  const std::string* const known = text_of_client(options_.client, file);
  name_ = file == "-" ? standard_input_name : file;
  if (known || (file != "-" && !(options_.client && may_wait(file)))) return load_text(known);
  const auto text = read_text(options_.client, file, diagnostics_);
  return text ? load_text(&*text) : settle();
}

bool Session::load(const std::string& name, const std::string& text) {
  name_ = name;
  return load_text(&text);
}

bool Session::load_named(const std::string& file, const std::function<bool(const frontend::Program&)>& is_recorded) {
  if (file == "-") return load(file);  // what the user gives to this run
  name_ = file;
  const auto text = frontend::read_plain_file(file, most_bytes_of_text);
  if (!text.ok) {
    diagnostics_.add(DiagnosticKind::cannot_read, {}, fmt::format("cannot read `{}`: {}", file, text.text));
    return settle();
  }
  program_ = frontend::load(name_, search_path(options_), diagnostics_, &text.text);
  if (is_recorded(*program_)) return settle();
  withhold();
  return false;
}

const frontend::Module* Session::load_library(const std::string& module) {
  if (!load("<command line>", fmt::format("import {} as module\n", module))) return nullptr;
  for (const auto& loaded : program_->modules) {
    if (loaded->name == module) return loaded.get();
  }
  return nullptr;
}

bool Session::load_text(const std::string* text) {
  program_ = frontend::load(name_, search_path(options_), diagnostics_, text);
  return settle() && program_ != nullptr && !program_->modules.empty();
}

std::unique_ptr<frontend::Program> Session::load_aside(const std::string& text) const {
  frontend::Diagnostics ignored;
  auto program = frontend::load(name_, search_path(options_), ignored, &text);
  return ignored.has_errors() ? nullptr : std::move(program);
}

std::vector<const Item*> models_of(const frontend::Module& module) {
  std::vector<const Item*> models;
  for (const auto& item : module.items) {
    if (std::holds_alternative<frontend::item::Model>(item->node)) models.push_back(item.get());
  }
  return models;
}

static const Item* chosen(Session& session, const Item& model) {
  say_what_is_passed_over(session, model);
  return &model;
}

const Item* choose_model(Session& session, const std::string& name) {
  const auto& module = session.program().main();
  const auto models = models_of(module);
  std::vector<std::string> names;
  for (const auto* model : models) names.push_back(model->name.text);
  const std::string wanted = name.empty() ? "main" : name;
  for (const auto* model : models) {
    if (model->name.text == wanted || (name.empty() && models.size() == 1)) return chosen(session, *model);
  }
  const Item* imported = name.empty() ? nullptr : find_imported(module, name);
  if (imported != nullptr && std::holds_alternative<frontend::item::Model>(imported->node))
    return chosen(session, *imported);
  const auto others = imported_models(module);

  auto& diagnostics = session.diagnostics();
  if (models.empty() && (name.empty() || others.empty())) {
    auto& d = diagnostics.add(DiagnosticKind::nothing_to_run, {},
                              fmt::format("nothing to run: {} declares no model", session.name()));
    if (!others.empty())
      d.help.push_back(fmt::format("`--model` takes those that it imports, too: {}", frontend::quoted_list(others)));
    if (has_tests(module)) d.help.push_back(fmt::format("`wave test {}` runs its tests", session.name()));
  } else if (name.empty()) {
    auto& d = diagnostics.add(DiagnosticKind::which_model, models[0]->name.location,
                              fmt::format("{} declares {} models", session.name(), models.size()), "one of them");
    for (std::size_t i = 1; i < models.size(); ++i) d.labels.push_back({models[i]->name.location, "another"});
    d.help.push_back(
        fmt::format("choose with `--model`: {}; or name one of them `main`", frontend::quoted_list(names)));
  } else {
    auto& d =
        diagnostics.add(DiagnosticKind::unknown_model, {}, fmt::format("{} has no model `{}`", session.name(), name));
    auto all = names;
    all.insert(all.end(), others.begin(), others.end());
    suggest_nearest(d, name, all);
    if (!names.empty()) d.notes.push_back("its models are " + frontend::quoted_list(names));
    if (!others.empty()) d.notes.push_back("it imports " + frontend::quoted_list(others));
  }
  return nullptr;
}

std::vector<frontend::Override> check_overrides(Session& session, const Item& owner,
                                                const std::vector<std::string>& given) {
  return check_given(session.program(), owner, given, session.diagnostics());
}

std::optional<ModelProcesses> load_processes(Session& session, const ProcessChoice& choice) {
  if (!session.load(choice.file)) return std::nullopt;
  const auto* model = choose_model(session, choice.model);
  if (model != nullptr) return processes_of(session, *model, choice);
  session.settle();
  return std::nullopt;
}

std::optional<ModelProcesses> processes_of(Session& session, const Item& model, const ProcessChoice& choice) {
  const auto overrides = check_overrides(session, model, choice.overrides);
  if (!session.settle()) return std::nullopt;
  ModelProcesses result;
  result.model = model.name.text;
  result.lowered = lower_model(session.program(), model, overrides, session.diagnostics(), {false, true});
  auto& diagnostics = session.diagnostics();
  result.chosen = analysis::choose_processes(choice.process, model, result.lowered.processes, diagnostics);
  analysis::check_requirements(result.lowered, result.chosen, engine_limits(session.options()), diagnostics);
  const bool is_clear = session.settle();
  if (!is_clear || result.chosen.empty()) return std::nullopt;
  return result;
}

bool keep_one_process(Session& session, ModelProcesses& model) {
  model.chosen =
      analysis::evaluated_processes(model.lowered, std::move(model.chosen), engine_limits(session.options()));
  if (model.chosen.size() == 1) return true;
  std::vector<std::string> names;
  for (const auto& one : model.chosen) names.push_back(one.name);
  report_misuse(session.console(), "the model has several processes",
                fmt::format("choose one with `--process`: {}", join_texts(names, ", ")));
  return false;
}

}  // namespace wave::cli
