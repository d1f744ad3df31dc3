// Plays messages of an editor. An input that begins with `{` or with a header is what the editor sends, whole or
// damaged; anything else is a model that is typed, whose last bytes say what is asked about it and where.
#include "editors/server/serve.h"
#include "tests/editors/requests.h"
#include "tests/fuzz/promise.h"

#include <iterator>
#include <mutex>
#include <thread>
#include <vector>

using namespace wave::editors;
using wave::fuzz::promise;

namespace {

ServerOptions brief() {
  ServerOptions options;
  options.evaluation = {0.05, std::size_t{256} << 20};
  return options;
}

// All that the server answers to these bytes.
void play(const std::string& bytes) {
  std::size_t at = 0;
  const auto read = [&](char* buffer, std::size_t size) {
    const std::size_t count = bytes.copy(buffer, size, at);
    at += count;
    return count;
  };
  serve(brief(), read, [](std::string_view) { return true; });
}

std::string framed_lines(const std::string& text) {
  std::string bytes = framed(R"({"jsonrpc":"2.0","id":0,"method":"initialize","params":{"capabilities":{}}})");
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    bytes += framed(text.substr(at, end - at));
    at = end + 1;
  }
  return bytes;
}

// A model, and questions about it.
class Session {
 public:
  explicit Session(const std::string& text)
      : text_(text),
        lines_(text_, Encoding::utf16),
        server_(
            brief(), [this](const Json& message) { take(message); },
            [this](Action action) { post(std::move(action)); }) {
    request("initialize", {{"capabilities", Json::object()}});
    notify("textDocument/didOpen", {{"textDocument", {{"uri", uri_}, {"version", 1}, {"text", text_}}}});
  }

  void ask(unsigned char method, unsigned char place) {
    const auto offset = static_cast<std::uint32_t>(text_.size() * place / 256);
    const Json range = lines_.range(offset, static_cast<std::uint32_t>(text_.size()));
    constexpr const char* commands[] = {"wave.run", "wave.breakdown", "wave.test", "wave.uses", "wave.setParameters"};
    if (method >= commands_from) {
      const std::string word = text_.substr(offset, text_.find_first_of(" ={(\n", offset) - offset);
      const bool takes_values = method % std::size(commands) == 4;
      const Json what = takes_values ? Json::array({word + "=2"}) : Json(word);
      request("workspace/executeCommand",
              {{"command", commands[method % std::size(commands)]}, {"arguments", {uri_, what, Json::object()}}});
      return;
    }
    request(std::string("textDocument/") + testing::document_requests[method % std::size(testing::document_requests)],
            testing::everything_about(uri_, range));
  }

 private:
  static constexpr unsigned char commands_from = 100;  // texts end in ASCII, mostly

  void request(const std::string& method, Json params) {
    answers_ = 0;
    server_.handle({{"jsonrpc", "2.0"}, {"id", ++id_}, {"method", method}, {"params", std::move(params)}});
    settle();
    promise(answers_ == 1, "a request is answered once");
  }
  void notify(const std::string& method, Json params) {
    server_.handle({{"jsonrpc", "2.0"}, {"method", method}, {"params", std::move(params)}});
    settle();
  }

  void take(const Json& message) {
    if (message.contains("id") && message["id"] == id_) ++answers_;
    if (message.contains("result")) check_ranges(message["result"]);
  }

  // What an answer says about this document lies inside of it.
  void check_ranges(const Json& answer) {
    if (answer.is_object() && answer.value("uri", Json(uri_)) != uri_) return;
    if (answer.is_object() && answer.contains("range") && answer["range"].is_object()) {
      const Json& end = answer["range"]["end"];
      promise(end["line"].get<std::size_t>() < lines_.count(), "names lead into texts");
    }
    if (!answer.is_structured()) return;
    for (const Json& part : answer) check_ranges(part);
  }

  void post(Action action) {
    const std::lock_guard lock(mutex_);
    posted_.push_back(std::move(action));
  }

  void settle() {
    for (;;) {
      std::vector<Action> actions;
      const bool was_idle = server_.is_background_idle();
      {
        const std::lock_guard lock(mutex_);
        actions.swap(posted_);
      }
      for (const Action& action : actions) action();
      const bool did_something = server_.idle();
      if (actions.empty() && !did_something && was_idle) return;
      std::this_thread::yield();
    }
  }

  const std::string uri_ = "untitled:fuzz";
  std::string text_;
  Lines lines_;
  int id_ = 0;
  int answers_ = 0;
  std::mutex mutex_;
  std::vector<Action> posted_;
  Server server_;  // last: it uses the others
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  constexpr std::size_t most_questions = 6;
  const std::string input = wave::fuzz::text_of(data, size);
  if (input.starts_with("{")) {
    play(framed_lines(input));
  } else if (input.starts_with("Content-Length")) {
    play(input);
  } else if (!wave::frontend::find_no_text(input)) {
    Session session(input);
    for (std::size_t i = 0; i < most_questions && 2 * i + 1 < size; ++i)
      session.ask(data[size - 2 * i - 1], data[size - 2 * i - 2]);
  }
  return 0;
}
