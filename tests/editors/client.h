// An editor in memory: sends messages to a server, and waits for what comes back. Texts may have marks, as in
// `let ‹a›x = ‹b›y`, which are taken out and remembered as places.
#pragma once

#include "editors/server/server.h"

#include <algorithm>
#include <chrono>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

namespace wave::editors::testing {

struct Place {
  std::string uri;
  std::uint32_t line = 0, character = 0;
};

class Client {
 public:
  explicit Client(const Json& capabilities = Json::object(), const std::vector<std::string>& folders = {},
                  const Json& options = Json::object(), double seconds = 1);

  // Opens a document, or gives it another text. Its address is file:///NAME for an absolute path.
  void open(const std::string& name, const std::string& marked);
  void type(const std::string& name, const std::string& marked);
  void close(const std::string& name);

  Json request(const std::string& method, Json params);
  // The error of a request that has none fails the test.
  Json error(const std::string& method, Json params);
  void notify(const std::string& method, Json params);
  void handle(const Json& message) { server_->handle(message); }
  // Sends a request, and waits for nothing.
  int begin(const std::string& method, Json params);
  // Until nothing is left to do.
  void settle();
  void work_for(std::chrono::milliseconds time);
  bool step();  // does what there is to do; false if nothing is left

  // A request about a marked place.
  Json ask(const std::string& method, const std::string& mark, Json further = Json::object());
  Place place(const std::string& mark) const;
  Json position(const std::string& mark) const;
  const std::string& text(const std::string& name) const { return texts_.at(uri(name)); }
  static std::string uri(const std::string& name);

  // The diagnostics of a document that were sent last.
  Json diagnostics(const std::string& name);
  const std::vector<Json>& sent() const { return sent_; }
  // The text of a document with edits, of a response or of a WorkspaceEdit, done.
  std::string edited(const std::string& name, const Json& edits) const;
  // The text in a range.
  std::string at(const std::string& name, const Json& range) const;

  // As if a change had come that the server has not taken out yet.
  bool has_change = false;

  std::optional<int> exit_code() const { return server_->exit_code(); }

 private:
  std::string remember(const std::string& uri, const std::string& marked);
  Json answer(const std::string& method, Json params);

  std::vector<Json> sent_;
  std::map<std::string, std::string> texts_;  // without marks, by address
  std::map<std::string, Place> places_;
  std::map<std::string, Json> diagnostics_;
  int last_id_ = 0;
  int last_version_ = 0;
  std::mutex mutex_;
  std::vector<Action> posted_;
  std::unique_ptr<Server> server_;  // last: it uses the others
};

// The labels of completions, in the order in which an editor shows them.
std::vector<std::string> labels(const Json& completions);

inline bool has(const std::vector<std::string>& all, const std::string& one) {
  return std::find(all.begin(), all.end(), one) != all.end();
}

}  // namespace wave::editors::testing
