// See questions.h.
#include "api/c/questions.h"

#include "api/c/answers.h"
#include "api/c/studies.h"
#include "backend/limits.h"
#include "base/big_stack.h"
#include "base/environment.h"
#include "frontend/source/files.h"
#include "frontend/source/patience.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace wave::api {

// What a verb says to one run of a question.
class QuestionClient final : public cli::Client {
 public:
  explicit QuestionClient(RunControl& control, bool wants_text) : control_(control), wants_text_(wants_text) {}

  void report(const frontend::Sources& sources, const frontend::Diagnostics& diagnostics) override {
    if (diagnostics.all().empty()) return;
    const bool is_first_error = diagnostics.has_errors() && !has_errors_;
    if (is_first_error) status_ = status_of(diagnostics);
    has_errors_ = has_errors_ || diagnostics.has_errors();
    said_.emplace_back(WAVE_OK, sources, diagnostics);
  }
  void remark(std::string_view text) override {
    while (!text.empty() && text.back() == '\n') text.remove_suffix(1);
    answer_.says.emplace_back(text);
  }
  void answer(const cli::Document& document) override { answer_.take(document); }
  bool wants_text() const override { return wants_text_; }
  void print(std::string_view text) override { answer_.text += text; }
  void file(const std::string& name, const std::string& text) override { answer_.files.emplace_back(name, text); }
  void advance(double done, double all) override {
    constexpr double most_counted = 1e18;  // more says nothing about the end
    const auto count = [](double number) { return number < most_counted ? static_cast<std::uint64_t>(number) : 0; };
    control_.tell(count(done), count(all));
  }
  const std::atomic<bool>& is_stopped() const override { return control_.is_stopped(); }

  // Null: there is no answer.
  std::shared_ptr<Result> result() {
    if (answer_.is_empty()) return nullptr;
    auto made = std::make_shared<Result>(answer_.result());
    if (!said_.empty() && !has_errors_) made->warnings = said(WAVE_OK);
    return made;
  }
  // Everything that was reported.
  std::shared_ptr<Error> said(wave_status status) const { return std::make_shared<Error>(status, said_); }
  bool has_errors() const { return has_errors_; }
  wave_status status() const { return status_; }

 private:
  RunControl& control_;
  const bool wants_text_;
  Answer answer_;
  std::vector<Error> said_;
  bool has_errors_ = false;
  wave_status status_ = WAVE_OK;
};

namespace {

constexpr const char* model_argument = "FILE";

// Texts of the modules as they were read, so that a question asks about what was loaded.
void add_texts(const frontend::Program& program, cli::Client& client) {
  for (const auto& module : program.modules) {
    if (module->folder.empty() || module->file >= program.sources.size()) continue;
    client.modules[module->key] = std::make_shared<const std::string>(program.sources.text(module->file));
  }
}

}  // namespace

AskedQuestion::AskedQuestion(Settings settings, std::shared_ptr<LoadedProgram> program, std::unique_ptr<Model> model,
                             std::string verb)
    : settings_(std::move(settings)), program_(std::move(program)), verb_(std::move(verb)), model_(std::move(model)) {
  if (cli::find_question(verb_) == nullptr) {
    auto names = cli::verbs_that_answer();
    names.emplace_back(Study::verb);
    const std::string near = frontend::nearest(verb_, names);
    throw Misuse{verb_.empty() ? "`verb` is empty" : "`verb` is `" + verb_ + "`, which answers no question",
                 near.empty() ? "there are " + frontend::quoted_list(names) : frontend::did_you_mean({near})};
  }
  if (program_ && !has(model_argument))
    throw Misuse{"`" + verb_ + "` is asked of no model", "ask it of a context, and what it is asked of as an option"};
}

bool AskedQuestion::has(const std::string& option) const { return cli::has_option(*cli::find_question(verb_), option); }

void AskedQuestion::set_option(const std::string& option, const std::string& value) {
  const std::lock_guard lock(mutex);
  options_.push_back({option, value});
}

void AskedQuestion::set_columns(std::string option, const wave_column* columns, std::size_t count, std::size_t rows) {
  if (!model_) throw Misuse{"columns are compared with a model, and the question is of none"};
  const auto may_be_missing = [&](const std::string& column) {
    return std::any_of(options_.begin(), options_.end(), [&](const auto& one) {
      return cli::is_called("skip-missing", one.name) || (one.name == "ignore" && one.value == column);
    });
  };
  columns_.emplace_back(std::move(option), take_columns(columns, count, rows, may_be_missing));
}

void AskedQuestion::add_program(cli::Question& question, QuestionClient& client) {
  const auto given = model_ ? model_->given_texts() : std::vector<std::string>();
  const auto reading = program_->reading();
  const auto& program = program_->program();
  add_texts(program, client);
  const std::string& name = program_->name;
  if (!program.main().folder.empty()) client.texts[name] = std::string(program.sources.text(program.main().file));
  question.options.push_back({model_argument, name});
  if (model_ && has("model")) question.options.push_back({"model", model_->name});
  if (!has("D")) return;
  for (const std::string& one : given) question.options.push_back({"D", one});
}

// What the context or the model says, unless an option says it.
void AskedQuestion::add_settings(cli::Question& question) const {
  const auto is_given = [&](const std::string& name) {
    return std::any_of(options_.begin(), options_.end(),
                       [&](const auto& one) { return cli::is_called(name, one.name); });
  };
  const auto add = [&](const std::string& name, const std::string& value) {
    if (!is_given(name) && has(name)) question.options.push_back({name, value});
  };
  if (has("I")) {
    for (const std::string& folder : settings_.folders) question.options.push_back({"I", folder});
  }
  // A verb over many points has a limit for each of them.
  add(has("point-limit") ? "point-limit" : "time-limit",
      std::isfinite(settings_.seconds) ? fmt::format("{} s", settings_.seconds) : "none");
  add("memory-limit", fmt::format("{} B", settings_.memory_bytes));
  if (settings_.options.threads > 0) add("threads", fmt::format("{}", settings_.options.threads));
  if (settings_.engine == backend::EngineKind::interpreter) add("engine", "interpreter");
  if (settings_.engine == backend::EngineKind::jit) add("engine", "jit");
  if (!settings_.options.shortcuts) add("no-shortcuts", "true");
  if (settings_.options.cache_folder != cache_folder_of_environment()) add("no-cache", "true");
}

void AskedQuestion::add_columns(cli::Question& question, QuestionClient& client) {
  MeasuredWords words;
  for (const auto& [name, value] : options_) {
    if (name == "measured") words.measured = value;
    if (name == "show") words.show = value;
    if (name == "ignore") words.ignored.push_back(value);
  }
  for (const auto& [option, columns] : columns_) {
    const std::string name = fmt::format("the columns of `{}`", option);
    client.texts[name] = table_text(*model_, columns, words);
    question.options.push_back({option, name});
  }
}

void AskedQuestion::run(wave_progress progress, void* data, std::shared_ptr<Result>& result) {
  const bool wants_text =
      std::any_of(options_.begin(), options_.end(), [](const auto& one) { return one.name == "format"; });
  control_.begin(progress, data);
  QuestionClient client(control_, wants_text);
  cli::Question question{verb_, {}};
  std::optional<cli::Misuse> wrong;
  try {
    run_on_big_stack([&](std::size_t) {
      if (program_) add_program(question, client);
      add_settings(question);
      question.options.insert(question.options.end(), options_.begin(), options_.end());
      if (!columns_.empty()) add_columns(question, client);
      wrong = cli::ask(question, client);
    });
  } catch (const frontend::GivenUp&) {
    if (control_.is_stopped()) api::stop();
    throw;
  }
  if (wrong) throw Misuse{wrong->message, wrong->help};
  result = client.result();
  if (control_.is_stopped()) api::stop();
  if (client.has_errors()) throw Failed{client.said(client.status())};
}

}  // namespace wave::api

using namespace wave::api;

namespace {

// A copy of the model, which may be set to other values meanwhile.
std::unique_ptr<Model> copy_of(Model& model) {
  auto copy = std::make_unique<Model>(model.program, model.item, model.name);
  copy->settings = model.settings;
  copy->values = model.values;
  copy->types = model.types;
  return copy;
}

std::shared_ptr<Question> ask(Settings settings, std::shared_ptr<LoadedProgram> program, std::unique_ptr<Model> model,
                              const std::string& verb) {
  if (verb == Study::verb && program) return std::make_shared<Study>(std::move(program), std::move(model));
  if (verb == Study::verb) throw Misuse{"`of` is a context", "a sweep is asked of a model or a program"};
  return std::make_shared<AskedQuestion>(std::move(settings), std::move(program), std::move(model), verb);
}

std::shared_ptr<Question> ask(const void* of, const std::string& verb) {
  const auto found = get<Object>(of, "of");
  if (const auto context = std::dynamic_pointer_cast<Context>(found)) return ask(context->settings(), {}, {}, verb);
  if (const auto program = std::dynamic_pointer_cast<LoadedProgram>(found))
    return ask(program->settings, program, {}, verb);
  if (const auto model = std::dynamic_pointer_cast<Model>(found)) {
    const std::lock_guard lock(model->mutex);
    return ask(model->settings, model->program, copy_of(*model), verb);
  }
  refuse_handle(of, "of", "context, program or model", true);
}

}  // namespace

extern "C" {

wave_status wave_question_create(void* of, const char* verb, wave_question** question, wave_error** error) {
  return call(error, [&] {
    need(verb, "verb");
    need(question, "question");
    *question = open_handle<wave_question>(ask(of, verb));
  });
}

wave_status wave_question_set_columns(wave_question* question, const char* option, const wave_column* columns,
                                      size_t column_count, size_t rows, wave_error** error) {
  return call(error, [&] {
    const auto found = get<Question>(question, "question");
    need(option, "option");
    const std::lock_guard lock(found->mutex);
    found->set_columns(option, columns, column_count, rows);
  });
}

wave_status wave_question_run(wave_question* question, wave_progress progress, void* data, wave_result** result,
                              wave_error** error) {
  return call(error, [&] {
    const auto found = get<Question>(question, "question");
    need(result, "result");
    *result = nullptr;
    const std::lock_guard lock(found->mutex);
    std::shared_ptr<Result> answer;
    const auto give = [&] {
      if (answer) *result = open_handle<wave_result>(answer);
    };
    try {
      found->run(progress, data, answer);
    } catch (...) {
      give();
      throw;
    }
    give();
  });
}

}  // extern "C"
