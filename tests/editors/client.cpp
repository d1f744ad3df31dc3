// See client.h.
#include "tests/editors/client.h"

#include <catch2/catch.hpp>

#include <algorithm>
#include <chrono>
#include <thread>

namespace wave::editors::testing {
namespace {

constexpr std::string_view opening = "‹", closing = "›";

}  // namespace

Client::Client(const Json& capabilities, const std::vector<std::string>& folders, const Json& initial, double seconds) {
  static const std::vector<std::pair<std::string, std::string>> pages{{"E0201", "# E0201: unknown name\n"}};
  ServerOptions options;
  options.version = "test";
  options.pages = &pages;
  options.evaluation.seconds = seconds;
  options.question_seconds = 60;  // however slow the machine is
  options.has_change = [this] { return has_change; };
  const auto send = [this](const Json& message) {
    sent_.push_back(message);
    if (message.value("method", "") == "textDocument/publishDiagnostics")
      diagnostics_[message["params"]["uri"]] = message["params"]["diagnostics"];
  };
  const auto post = [this](Action action) {
    const std::lock_guard lock(mutex_);
    posted_.push_back(std::move(action));
  };
  server_ = std::make_unique<Server>(std::move(options), send, post);
  Json given = Json::array();
  for (const std::string& folder : folders) given.push_back({{"uri", uri(folder)}, {"name", folder}});
  request("initialize",
          {{"capabilities", capabilities}, {"workspaceFolders", given}, {"initializationOptions", initial}});
  notify("initialized", Json::object());
}

std::string Client::uri(const std::string& name) { return name.starts_with("/") ? "file://" + name : name; }

std::string Client::remember(const std::string& uri, const std::string& marked) {
  std::string text;
  std::uint32_t line = 0, character = 0;
  for (std::size_t i = 0; i < marked.size();) {
    if (marked.compare(i, opening.size(), opening) == 0) {
      const std::size_t end = marked.find(closing, i);
      places_[marked.substr(i + opening.size(), end - i - opening.size())] = {uri, line, character};
      i = end + closing.size();
      continue;
    }
    const char c = marked[i++];
    text += c;
    // A unit of UTF-16 for each character of the tests, and two for those beyond.
    const auto byte = static_cast<unsigned char>(c);
    if ((byte & 0xC0) != 0x80) character += byte >= 0xF0 ? 2 : 1;
    if (c == '\n') ++line, character = 0;
  }
  return texts_[uri] = text;
}

void Client::open(const std::string& name, const std::string& marked) {
  const std::string text = remember(uri(name), marked);
  notify(
      "textDocument/didOpen",
      {{"textDocument", {{"uri", uri(name)}, {"languageId", "wave"}, {"version", ++last_version_}, {"text", text}}}});
}

void Client::type(const std::string& name, const std::string& marked) {
  const std::string text = remember(uri(name), marked);
  notify("textDocument/didChange", {{"textDocument", {{"uri", uri(name)}, {"version", ++last_version_}}},
                                    {"contentChanges", Json::array({{{"text", text}}})}});
}

void Client::close(const std::string& name) {
  notify("textDocument/didClose", {{"textDocument", {{"uri", uri(name)}}}});
}

void Client::notify(const std::string& method, Json params) {
  server_->handle({{"jsonrpc", "2.0"}, {"method", method}, {"params", std::move(params)}});
}

int Client::begin(const std::string& method, Json params) {
  const int id = ++last_id_;
  server_->handle({{"jsonrpc", "2.0"}, {"id", id}, {"method", method}, {"params", std::move(params)}});
  return id;
}

bool Client::step() {
  std::vector<Action> actions;
  const bool was_idle = server_->is_background_idle();
  {
    const std::lock_guard lock(mutex_);
    actions.swap(posted_);
  }
  for (const Action& action : actions) action();
  server_->answer_late();
  const bool did_something = server_->idle();
  if (actions.empty() && !did_something && was_idle) return false;
  if (actions.empty() && !did_something) std::this_thread::sleep_for(std::chrono::microseconds(200));
  return true;
}

void Client::settle() {
  while (step()) {}
}

void Client::work_for(std::chrono::milliseconds time) {
  const auto end = std::chrono::steady_clock::now() + time;
  while (std::chrono::steady_clock::now() < end) step();
}

Json Client::answer(const std::string& method, Json params) {
  const int id = begin(method, std::move(params));
  settle();
  const auto is_answer = [&](const Json& message) { return message.contains("id") && message["id"] == id; };
  REQUIRE(std::count_if(sent_.begin(), sent_.end(), is_answer) == 1);
  return *std::find_if(sent_.begin(), sent_.end(), is_answer);
}

Json Client::request(const std::string& method, Json params) {
  Json message = answer(method, std::move(params));
  INFO(message.dump());
  REQUIRE(message.contains("result"));
  return message["result"];
}

Json Client::error(const std::string& method, Json params) {
  Json message = answer(method, std::move(params));
  INFO(message.dump());
  REQUIRE(message.contains("error"));
  return message["error"];
}

Place Client::place(const std::string& mark) const {
  INFO("the mark " << mark);
  REQUIRE(places_.count(mark) == 1);
  return places_.at(mark);
}

Json Client::position(const std::string& mark) const {
  const Place at = place(mark);
  return {{"line", at.line}, {"character", at.character}};
}

Json Client::ask(const std::string& method, const std::string& mark, Json further) {
  further["textDocument"] = {{"uri", place(mark).uri}};
  further["position"] = position(mark);
  return request("textDocument/" + method, std::move(further));
}

Json Client::diagnostics(const std::string& name) {
  settle();
  return diagnostics_.count(uri(name)) ? diagnostics_.at(uri(name)) : Json();
}

std::string Client::edited(const std::string& name, const Json& edits) const {
  Json all = edits.is_object() && edits.contains("changes") ? edits["changes"].value(uri(name), Json::array()) : edits;
  std::string text = texts_.at(uri(name));
  const auto begins_later = [](const Json& a, const Json& b) {
    const auto key = [](const Json& e) {
      return std::pair(e["range"]["start"]["line"].get<int>(), e["range"]["start"]["character"].get<int>());
    };
    return key(a) > key(b);
  };
  std::stable_sort(all.begin(), all.end(), begins_later);
  for (const Json& edit : all) {
    const Lines lines(text, Encoding::utf16);
    const std::uint32_t begin = lines.offset(read_position(edit["range"]["start"]));
    const std::uint32_t end = lines.offset(read_position(edit["range"]["end"]));
    text.replace(begin, end - begin, edit["newText"].get<std::string>());
  }
  return text;
}

std::string Client::at(const std::string& name, const Json& range) const {
  const std::string& text = texts_.at(uri(name));
  const Lines lines(text, Encoding::utf16);
  const std::uint32_t begin = lines.offset(read_position(range["start"]));
  return text.substr(begin, lines.offset(read_position(range["end"])) - begin);
}

std::vector<std::string> labels(const Json& completions) {
  std::vector<std::pair<std::string, std::string>> sorted;
  for (const Json& item : completions["items"]) sorted.emplace_back(item["sortText"], item["label"]);
  std::sort(sorted.begin(), sorted.end());
  std::vector<std::string> all;
  for (auto& [key, label] : sorted) all.push_back(std::move(label));
  return all;
}

}  // namespace wave::editors::testing
