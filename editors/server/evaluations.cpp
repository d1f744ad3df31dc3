// Values of documents: when they are evaluated, who waits for them, and commands about them.
#include "base/clock.h"
#include "editors/server/server.h"

#include <algorithm>
#include <chrono>
#include <functional>
#include <new>

namespace wave::editors {
namespace {

const Json& argument(const Json& params, std::size_t number) {
  const Json* arguments = params.is_object() && params.contains("arguments") ? &params["arguments"] : nullptr;
  if (!arguments || !arguments->is_array() || arguments->size() <= number)
    throw RequestError{ErrorCode::invalid_params, "the command needs an argument more"};
  return (*arguments)[number];
}

std::string text_argument(const Json& params, std::size_t number) {
  const Json& text = argument(params, number);
  if (!text.is_string()) throw RequestError{ErrorCode::invalid_params, "an argument of the command is a text"};
  return text.get<std::string>();
}

std::string command_of(const Json& params) {
  const Json command = params.is_object() ? params.value("command", Json()) : Json();
  return command.is_string() ? command.get<std::string>() : "";
}

}  // namespace

bool Server::is_evaluated(const Document& document) const {
  return !may_evaluate_ || document.is_of_library || document.evaluated == document.generation;
}

EvaluatedText Server::evaluated_text(const Document& document) {
  return {document.name, project().search, document.text, document.given, document.imports};
}

// The document that was changed last comes first. One is evaluated at a time, so that a key stroke ends little.
bool Server::start_evaluation() {
  if (is_evaluating_) return false;
  Document* chosen = nullptr;
  for (auto& [uri, document] : documents_.all()) {
    const bool is_due = document.is_published && !is_evaluated(document);
    if (is_due && (!chosen || chosen->generation < document.generation)) chosen = &document;
  }
  if (!chosen) return false;
  const bool is_read = chosen->analysis && !chosen->is_typed && !chosen->is_stale;
  if (!chosen->unread.empty() || (is_read && chosen->analysis->diagnostics().has_errors())) {
    evaluated(chosen->uri, chosen->generation, nullptr);
    return true;
  }
  is_evaluating_ = true;
  Background::Job job{Background::Purpose::values, {}, [this] { is_evaluating_ = false; }};
  job.work = [this, evaluator = evaluator_, uri = chosen->uri, generation = chosen->generation,
              text = evaluated_text(*chosen)](const std::atomic<bool>& stop) -> Action {
    std::shared_ptr<const Values> values;
    try {
      if (auto found = evaluator->evaluate(text, stop)) values = std::make_shared<Values>(std::move(*found));
    } catch (const std::bad_alloc&) {
      values = std::make_shared<Values>();  // nothing is known then
    }
    return [this, uri, generation, values] { evaluated(uri, generation, values); };
  };
  evaluations_.start(std::move(job));
  return true;
}

// `values` is null if the text has errors.
void Server::evaluated(const std::string& uri, std::uint64_t generation, std::shared_ptr<const Values> values) {
  is_evaluating_ = false;
  Document* document = documents_.find(uri);
  if (!document || document->generation != generation) return;
  if (values) {
    document->good_values = values;
    document->good_text = document->text;
  } else {
    values = std::make_shared<Values>(document->good_values
                                          ? values_before(*document->good_values, *document->good_text, *document->text)
                                          : values_before({}, "", ""));
  }
  document->values = std::move(values);
  document->evaluated = generation;
  // Who has waited gets them at once; anybody else is told to ask again.
  if (!answer_waiting(uri)) refresh();
}

bool Server::answer_waiting(const std::string& uri) {
  return answer_if([&](const Waiting& one) { return one.uri == uri; });
}

bool Server::answer_if(const std::function<bool(const Waiting&)>& is_ready) {
  std::vector<Waiting> ready;
  std::erase_if(waiting_, [&](Waiting& one) {
    if (!is_ready(one)) return false;
    ready.push_back(std::move(one));
    return true;
  });
  for (const Waiting& one : ready)
    handle({{"jsonrpc", "2.0"}, {"id", one.id}, {"method", one.method}, {"params", one.params}});
  return !ready.empty();
}

void Server::wait(Waiting one) {
  constexpr std::size_t most_waiting = 1000;
  if (waiting_.size() >= most_waiting) throw RequestError{ErrorCode::request_failed, "too many requests wait"};
  waiting_.push_back(std::move(one));
}

std::optional<Server::Clock::time_point> Server::next_due() const {
  std::optional<Clock::time_point> next;
  for (const Waiting& one : waiting_) {
    if (one.until && (!next || *one.until < *next)) next = one.until;
  }
  return next;
}

void Server::answer_late() {
  const Clock::time_point now = Clock::now();
  is_late_ = true;
  answer_if([&](const Waiting& one) { return one.until && *one.until <= now; });
  is_late_ = false;
}

bool Server::wait_for_values(const Json& id, const std::string& method, const Json& params) {
  std::string uri;
  if (method == "textDocument/inlayHint" || method == "textDocument/codeLens") uri = read_uri(params);
  if (method == "workspace/executeCommand") {
    const std::string command = command_of(params);
    if (command == Commands::run || command == Commands::test) uri = text_argument(params, 0);
  }
  const Document* document = uri.empty() ? nullptr : documents_.find(uri);
  if (!document || is_evaluated(*document) || is_late_) return false;
  // Whoever evaluates ends by itself, and has a moment for what it ends with.
  constexpr double moment = 0.5;
  const double seconds = options_.evaluation.seconds + moment;
  std::optional<Clock::time_point> until;
  if (seconds < longest_seconds)
    until = Clock::now() + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(seconds));
  wait({id, method, params, uri, until});
  return true;
}

void Server::refuse_waiting(const std::string* uri, const RequestError& error) {
  std::erase_if(waiting_, [&](const Waiting& one) {
    if (uri && one.uri != *uri) return false;
    send_(error_message(one.id, error));
    return true;
  });
}

void Server::refresh() {
  const auto ask = [&](const char* method) {
    send_({{"jsonrpc", "2.0"}, {"id", "refresh " + std::to_string(++refreshes_)}, {"method", method}});
  };
  if (refreshes_hints_) ask("workspace/inlayHint/refresh");
  if (refreshes_lenses_) ask("workspace/codeLens/refresh");
}

// --- commands ---

// Not every client shows what a command returns.
void Server::show(const std::string& text) {
  constexpr int information = 3;
  send_(notification("window/showMessage", {{"type", information}, {"message", text}}));
}

// The first argument is its address.
Document& Server::document_of_command(const Json& params) {
  if (!may_evaluate_) throw RequestError{ErrorCode::request_failed, "nothing is evaluated in this workspace"};
  return asked_for({{"textDocument", {{"uri", text_argument(params, 0)}}}});
}

void Server::set_parameters(Document& document, const Json& given) {
  constexpr std::size_t most = 100;
  const bool are_texts = given.is_array() && given.size() <= most &&
                         std::all_of(given.begin(), given.end(), [](const Json& one) { return one.is_string(); });
  if (!are_texts) throw RequestError{ErrorCode::invalid_params, "values are texts as in `n=64`, at most 100"};
  document.given = given.get<std::vector<std::string>>();
  document.generation = ++generation_;  // what is known, or being evaluated, is of other values
  evaluations_.cancel_all(Background::Purpose::values);
}

Json Server::execute(const Json& params) {
  const std::string command = command_of(params);
  if (command == Commands::set_parameters) {
    set_parameters(document_of_command(params), argument(params, 1));
    return nullptr;
  }
  if (command != Commands::run && command != Commands::test)
    throw RequestError{ErrorCode::invalid_params, "there is no command `" + command + "`"};
  const Document& document = document_of_command(params);
  if (!is_evaluated(document)) throw RequestError{ErrorCode::request_failed, "this was not evaluated in time"};
  static const Values nothing;
  const Values& values = document.values ? *document.values : nothing;
  const std::string what = text_argument(params, 1);
  const std::string text = command == Commands::run ? run_text(values, what) : test_text(values, what);
  show(text);
  return text;
}

std::optional<Server::Search> Server::search_of_command(const Json& params) {
  const std::string command = command_of(params);
  if (command == Commands::uses) {
    return [all = project(), item = argument(params, 2)](const std::atomic<bool>& stop) -> Json {
      return uses_text(all, item, stop);
    };
  }
  if (command != Commands::break_down) return std::nullopt;
  return [text = evaluated_text(document_of_command(params)), model = text_argument(params, 1),
          limits = options_.evaluation](const std::atomic<bool>& stop) -> Json {
    return Evaluator(limits).break_down(text, model, stop);
  };
}

}  // namespace wave::editors
