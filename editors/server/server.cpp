// The life of the server, and its documents.
#include "editors/server/server.h"

#include "editors/server/capabilities.h"
#include "frontend/project/manifest.h"
#include "frontend/source/files.h"

#include <algorithm>
#include <new>

namespace wave::editors {
namespace {

const Json& member(const Json& json, const char* name) {
  static const Json nothing;
  return json.is_object() && json.contains(name) ? json[name] : nothing;
}

std::string text_in(const Json& json, const char* name) {
  const Json& value = member(json, name);
  return value.is_string() ? value.get<std::string>() : std::string();
}

bool is_id(const Json& id) { return id.is_string() || id.is_number_integer(); }

}  // namespace

Server::Server(ServerOptions options, std::function<void(const Json&)> send, std::function<void(Action)> post)
    : options_(std::move(options)),
      send_(std::move(send)),
      evaluator_(std::make_shared<Evaluator>(options_.evaluation)),
      background_(post),
      evaluations_(post) {}

void Server::handle(const Json& message, bool is_cancelled) {
  const Json& method = member(message, "method");
  const Json& id = member(message, "id");
  if (!method.is_string()) {
    const bool is_response = message.is_object() && (message.contains("result") || message.contains("error"));
    if (!is_response) reject({ErrorCode::invalid_request, "this is no request of JSON-RPC"});
    return;
  }
  const bool is_request = message.contains("id");
  try {
    if (is_request && !is_id(id)) throw RequestError{ErrorCode::invalid_request, "an id is a number or a text"};
    if (is_cancelled) throw RequestError{ErrorCode::request_cancelled, "the client has cancelled it"};
    if (is_request)
      request(id, method.get<std::string>(), member(message, "params"));
    else
      notified(method.get<std::string>(), member(message, "params"));
  } catch (const RequestError& error) {
    if (is_request) send_(error_message(is_id(id) ? id : Json(), error));
  } catch (const Json::exception& error) {
    if (is_request) send_(error_message(id, {ErrorCode::invalid_params, error.what()}));
  } catch (const std::bad_alloc&) {
    for (auto& [uri, document] : documents_.all()) outdate(document), document.analysis.reset();
    if (is_request) send_(error_message(id, {ErrorCode::request_failed, "this needs more memory than there may be"}));
  }
}

void Server::request(const Json& id, const std::string& method, const Json& params) {
  try {
    begin(id, method, params);
  } catch (const BeingRead& document) {
    wait({id, method, params, document.uri, std::nullopt});
  }
}

void Server::begin(const Json& id, const std::string& method, const Json& params) {
  if (method == "initialize") {
    if (state_ != State::fresh) throw RequestError{ErrorCode::invalid_request, "the server is initialized already"};
    send_(result_message(id, initialize(params)));
    return;
  }
  if (state_ == State::fresh) throw RequestError{ErrorCode::not_initialized, "`initialize` comes first"};
  if (state_ == State::shut_down) throw RequestError{ErrorCode::invalid_request, "the server is shut down"};
  if (method == "shutdown") {
    state_ = State::shut_down;
    refuse_waiting(nullptr, {ErrorCode::request_cancelled, "the server is shut down"});
    send_(result_message(id, nullptr));
  } else if (method == "workspace/textDocumentContent") {
    send_(result_message(id, document_content(params)));
  } else if (wait_for_values(id, method, params)) {
    // It is answered once they are there.
  } else if (std::optional<Search> rest; auto layout = lay_out(method, params, rest)) {
    send_(result_message(id, std::move(*layout)));
  } else if (rest) {
    start_search(id, std::move(*rest), false);
  } else if (auto work = search(method, params)) {
    start_search(id, std::move(*work), method == "workspace/executeCommand");
  } else if (auto result = answer(method, params)) {
    send_(result_message(id, std::move(*result)));
  } else if (auto asked = answer_with_questions(method, params)) {
    send_(result_message(id, std::move(*asked)));
  } else if (method == "workspace/executeCommand") {
    send_(result_message(id, execute(params)));
  } else {
    throw RequestError{ErrorCode::method_not_found, "there is no request `" + method + "`"};
  }
}

void Server::notified(const std::string& method, const Json& params) {
  if (method == "exit") exit_code_ = state_ == State::shut_down ? 0 : 1;
  if (state_ != State::running) return;
  if (method == "textDocument/didOpen") open(params);
  if (method == "textDocument/didChange") change(params);
  if (method == "textDocument/didClose") close(params);
  if (method == "textDocument/didSave") saved(params);
  if (method == "workspace/didChangeWatchedFiles") watched_files_changed(params);
  if (method == "workspace/didChangeWorkspaceFolders") folders_changed(params);
  if (method == "$/cancelRequest") cancel(member(params, "id"));
}

Json Server::initialize(const Json& params) {
  const Json& client = member(params, "capabilities");
  const Json& encodings = member(member(client, "general"), "positionEncodings");
  const bool reads_bytes =
      encodings.is_array() && std::find(encodings.begin(), encodings.end(), "utf-8") != encodings.end();
  encoding_ = reads_bytes ? Encoding::utf8 : Encoding::utf16;
  reads_program_documents_ = member(member(client, "workspace"), "textDocumentContent").is_object() ||
                             member(member(params, "initializationOptions"), "programDocuments") == true;
  const auto refreshes = [&](const char* what) {
    return member(member(member(client, "workspace"), what), "refreshSupport") == true;
  };
  refreshes_hints_ = refreshes("inlayHint");
  refreshes_lenses_ = refreshes("codeLens");
  may_evaluate_ = member(member(params, "initializationOptions"), "evaluate") != false;
  plots_studies_ = member(member(params, "initializationOptions"), "plots") == true;
  const Json& folders = member(params, "workspaceFolders");
  for (const Json& folder : folders.is_array() ? folders : Json::array()) add_folder(text_in(folder, "uri"));
  if (folders_.empty()) add_folder(text_in(params, "rootUri"));
  state_ = State::running;
  return {{"capabilities", capabilities(encoding_)}, {"serverInfo", {{"name", "wave"}, {"version", options_.version}}}};
}

void Server::add_folder(const std::string& uri) {
  constexpr std::size_t most_folders = 100;
  const std::string path = path_of_uri(uri);
  if (!path.empty() && folders_.size() < most_folders) folders_.push_back(frontend::canonical(path));
}

void Server::folders_changed(const Json& params) {
  const Json& event = member(params, "event");
  for (const Json& folder : member(event, "removed").is_array() ? event["removed"] : Json::array())
    std::erase(folders_, frontend::canonical(path_of_uri(text_in(folder, "uri"))));
  for (const Json& folder : member(event, "added").is_array() ? event["added"] : Json::array())
    add_folder(text_in(folder, "uri"));
  ++generation_;
  for (auto& [uri, document] : documents_.all()) outdate(document);
}

// --- documents ---

void Server::open(const Json& params) {
  Document& document = documents_.open(params);
  document.generation = document.imports = ++generation_;
  outdate_importers(document.path);
}

void Server::change(const Json& params) {
  Document& document = documents_.change(params, encoding_);
  document.is_typed = true;
  document.is_published = false;
  document.unread.clear();
  document.generation = ++generation_;
  background_.cancel_all(Background::Purpose::request);
  background_.cancel_all(Background::Purpose::diagnostics);
  evaluations_.cancel_all(Background::Purpose::values);
  refuse_waiting(&document.uri, {ErrorCode::content_modified, "the text has changed"});
  outdate_importers(document.path);
}

void Server::close(const Json& params) {
  const std::string uri = read_uri(params);
  const Document* document = documents_.find(uri);
  if (!document) return;
  const std::string path = document->path;
  documents_.close(uri);
  ++generation_;
  refuse_waiting(&uri, {ErrorCode::content_modified, "the document is closed"});
  send_(notification("textDocument/publishDiagnostics", {{"uri", uri}, {"diagnostics", Json::array()}}));
  outdate_importers(path);
}

void Server::saved(const Json& params) {
  if (const Document* document = documents_.find(read_uri(params))) index_->doubt(document->path);
}

// What other files hold, such as the tables of a model, the index does not look at.
void Server::watched_files_changed(const Json& params) {
  ++generation_;
  const Json& changes = member(params, "changes");
  for (const Json& change : changes.is_array() ? changes : Json::array()) {
    const std::string path = path_of_uri(text_in(change, "uri"));
    const std::string name = path.substr(path.rfind('/') + 1);
    const bool is_project = name == frontend::manifest_name || name == frontend::lock_name;
    if (name.ends_with(".wave"))
      index_->doubt(frontend::canonical(path));
    else
      index_->doubt_all();
    if (is_project) {  // it decides where all modules are
      for (auto& [uri, document] : documents_.all()) outdate(document);
    } else if (!path.empty()) {
      outdate_importers(frontend::canonical(path));
    }
  }
}

void Server::outdate(Document& document) {
  document.is_stale = true;
  document.is_published = false;
  document.unread.clear();
  document.generation = document.imports = ++generation_;
}

// Those that import a file, and those that may have looked for it.
void Server::outdate_importers(const std::string& path) {
  if (path.empty()) return;
  for (auto& [uri, document] : documents_.all()) {
    if (document.path == path || !document.analysis) continue;
    const auto& found = document.analysis->diagnostics().all();
    const bool lacks_modules = std::any_of(found.begin(), found.end(), [](const auto& d) {
      return d.kind == frontend::DiagnosticKind::unknown_module || d.kind == frontend::DiagnosticKind::cannot_read;
    });
    if (lacks_modules || document.analysis->imports(path)) outdate(document);
  }
}

Document& Server::asked_for(const Json& params) {
  Document* document = documents_.find(read_uri(params));
  if (!document) throw RequestError{ErrorCode::invalid_params, "this document is not open"};
  return *document;
}

Project Server::project() {
  Project all;
  all.search.folders = options_.search;
  all.search.allowed = folders_;
  all.folders = folders_;
  all.encoding = encoding_;
  all.plots_studies = plots_studies_;
  all.index = index_;
  all.reading_seconds = options_.evaluation.reading_seconds();
  if (!reads_program_documents_) all.library_folder = options_.library_folder;
  for (const auto& [uri, document] : documents_.all()) {
    if (document.path.empty() || document.is_of_library) continue;
    all.search.texts[document.path] = document.text;
    all.uris[document.path] = uri;
  }
  return all;
}

std::string Server::page_of(std::string_view code) const {
  const std::string file = std::string(code) + ".md";
  if (reads_program_documents_ && options_.pages) return std::string(program_scheme) + "diagnostics/" + file;
  return options_.pages_folder.empty() ? "" : uri_of_path(options_.pages_folder + "/" + file);
}

// What the program has in itself: the modules of its library, and the pages of diagnostics.
Json Server::document_content(const Json& params) const {
  const std::string uri = text_in(params, "uri");
  const auto text_of = [&](const auto& texts, const std::string& name) -> std::optional<std::string> {
    const auto same = [&](const auto& one) { return one.first == name; };
    const auto found = std::find_if(texts.begin(), texts.end(), same);
    return found == texts.end() ? std::nullopt : std::optional(found->second);
  };
  std::optional<std::string> text;
  if (const std::string module = library_module(uri); !module.empty())
    text = text_of(frontend::standard_library(), module);
  const std::string pages = std::string(program_scheme) + "diagnostics/";
  if (options_.pages && uri.starts_with(pages) && uri.ends_with(".md"))
    text = text_of(*options_.pages, uri.substr(pages.size(), uri.size() - pages.size() - 3));
  if (!text) throw RequestError{ErrorCode::invalid_params, "the program has no document of this address"};
  return {{"text", *text}};
}

// --- searches ---

void Server::start_search(const Json& id, Search search, bool shows_result) {
  const std::string key = id.dump();
  const auto finish = [this, key, shows_result](const Json& message) {
    searches_.erase(key);
    if (shows_result && message.contains("result")) show(message["result"].get<std::string>());
    send_(message);
  };
  Background::Job job{Background::Purpose::request, {}, {}};
  job.work = [id, finish, search = std::move(search)](const std::atomic<bool>& stop) -> Action {
    try {
      return [finish, message = result_message(id, search(stop))] { finish(message); };
    } catch (const RequestError& error) {
      return [finish, message = error_message(id, error)] { finish(message); };
    } catch (const Json::exception& problem) {
      const RequestError error{ErrorCode::invalid_params, problem.what()};
      return [finish, message = error_message(id, error)] { finish(message); };
    } catch (const std::bad_alloc&) {
      const RequestError error{ErrorCode::request_failed, "this needs more memory than there may be"};
      return [finish, message = error_message(id, error)] { finish(message); };
    }
  };
  job.cancelled = [id, finish] {
    finish(error_message(id, {ErrorCode::request_cancelled, "it was cancelled, or a text has changed"}));
  };
  searches_[key] = background_.start(std::move(job));
}

bool Server::start_indexing() {
  if (is_indexing_ || indexed_ == generation_) return false;
  is_indexing_ = true;
  Background::Job job{Background::Purpose::diagnostics, {}, [this] { is_indexing_ = false; }};
  job.work = [this, all = project(), generation = generation_](const std::atomic<bool>& stop) -> Action {
    try {
      all.index->files(all, stop);
    } catch (const std::bad_alloc&) {}  // whoever asks is told
    return [this, generation] {
      is_indexing_ = false;
      indexed_ = generation;
    };
  };
  background_.start(std::move(job));
  return true;
}

void Server::cancel(const Json& id) {
  const auto found = is_id(id) ? searches_.find(id.dump()) : searches_.end();
  if (found != searches_.end()) background_.cancel(found->second);
  const auto waits = std::find_if(waiting_.begin(), waiting_.end(), [&](const Waiting& one) { return one.id == id; });
  if (waits == waiting_.end()) return;
  waiting_.erase(waits);
  send_(error_message(id, {ErrorCode::request_cancelled, "the client has cancelled it"}));
}

}  // namespace wave::editors
