// See serve.h.
#include "editors/server/serve.h"

#include <atomic>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <thread>
#include <variant>

namespace wave::editors {
namespace {

// What the server's thread has to do next: messages in their order, and results from the background.
class Inbox {
 public:
  struct Received {
    Json message;
    std::size_t bytes = 0;
    bool is_cancelled = false;
  };
  struct Ended {};  // there will be no more messages
  using Entry = std::variant<Received, RequestError, Action, Ended>;

  void put(Entry entry) {
    const std::lock_guard lock(mutex_);
    entries_.push_back(std::move(entry));
    changed_.notify_all();
  }

  // Waits while what has been received and not yet handled is large.
  void receive(Json message, std::size_t bytes) {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return is_closed_ || bytes_ == 0 || bytes_ + bytes <= most_bytes; });
    if (is_closed_) return;
    if (message.is_object() && message.value("method", Json()) == "$/cancelRequest") cancel_waiting(message);
    changes_ += is_change(message);
    bytes_ += bytes;
    entries_.push_back(Received{std::move(message), bytes});
    changed_.notify_all();
  }

  // Nothing if there is none and `waits` is false, or if there is none until then.
  std::optional<Entry> next(bool waits, const std::optional<Server::Clock::time_point>& until) {
    std::unique_lock lock(mutex_);
    const auto has_some = [&] { return !entries_.empty(); };
    if (waits && until)
      changed_.wait_until(lock, *until, has_some);
    else if (waits)
      changed_.wait(lock, has_some);
    if (entries_.empty()) return std::nullopt;
    Entry entry = std::move(entries_.front());
    entries_.pop_front();
    if (const auto* received = std::get_if<Received>(&entry)) {
      bytes_ -= received->bytes;
      changes_ -= is_change(received->message);
    }
    changed_.notify_all();
    return entry;
  }

  // Whether a text has been changed by a message that nobody has taken out yet.
  bool has_change() const { return changes_ > 0; }

  void close() {
    const std::lock_guard lock(mutex_);
    is_closed_ = true;
    changed_.notify_all();
  }

 private:
  static constexpr std::size_t most_bytes = 2 * largest_message;

  static bool is_change(const Json& message) {
    return message.is_object() && message.value("method", Json()) == "textDocument/didChange";
  }

  // The request that is not wanted any more may not have been looked at yet.
  void cancel_waiting(const Json& message) {
    const Json params = message.value("params", Json());
    if (!params.is_object() || !params.contains("id")) return;
    for (Entry& entry : entries_) {
      auto* received = std::get_if<Received>(&entry);
      const bool is_it = received && received->message.is_object() && received->message.contains("method") &&
                         received->message.value("id", Json()) == params["id"];
      if (is_it) received->is_cancelled = true;
    }
  }

  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<Entry> entries_;
  std::size_t bytes_ = 0;
  std::atomic<int> changes_ = 0;
  bool is_closed_ = false;
};

// Nothing but what a person or a program would write by hand nests this deep.
constexpr int deepest_message = 100;

std::optional<Json> parse(const std::string& body) {
  bool too_deep = false;
  const auto limit = [&](int depth, Json::parse_event_t, Json&) {
    too_deep = too_deep || depth > deepest_message;
    return !too_deep;
  };
  Json message = Json::parse(body, limit, false);
  if (message.is_discarded() || too_deep) return std::nullopt;
  return message;
}

void receive_all(ReadBytes read, Inbox& inbox) {
  MessageReader reader(std::move(read));
  try {
    while (const auto message = reader.next()) {
      std::optional<Json> parsed = message->skipped > 0 ? std::nullopt : parse(message->body);
      const bool is_last = parsed && parsed->is_object() && parsed->value("method", Json()) == "exit";
      if (parsed)
        inbox.receive(std::move(*parsed), message->body.size());
      else if (message->skipped > 0)
        inbox.put(RequestError{ErrorCode::invalid_request,
                               "a message of " + std::to_string(message->skipped) + " bytes is too large"});
      else
        inbox.put(RequestError{ErrorCode::parse_error, "a message is not JSON, or nested too deeply"});
      if (is_last) break;
    }
  } catch (const std::bad_alloc&) {}  // a client that sends this much is not served
  inbox.put(Inbox::Ended{});
}

// Handles one entry. False at the end.
bool handle(Server& server, Inbox::Entry entry) {
  if (std::holds_alternative<Inbox::Ended>(entry)) return false;
  if (const auto* received = std::get_if<Inbox::Received>(&entry))
    server.handle(received->message, received->is_cancelled);
  if (const auto* error = std::get_if<RequestError>(&entry)) server.reject(*error);
  if (const auto* action = std::get_if<Action>(&entry)) (*action)();
  return true;
}

}  // namespace

int serve(ServerOptions options, ReadBytes read, const WriteBytes& write) {
  Inbox inbox;
  bool is_heard = true;
  const auto send = [&](const Json& message) {
    const std::string body = message.dump(-1, ' ', false, Json::error_handler_t::replace);
    is_heard = is_heard && write(framed(body));
  };
  std::jthread receiver([&] { receive_all(std::move(read), inbox); });
  options.has_change = [&] { return inbox.has_change(); };
  Server server(std::move(options), send, [&](Action action) { inbox.put(std::move(action)); });
  bool has_more_to_do = false;
  while (is_heard && !server.exit_code()) {
    // What nobody has asked for waits until there is no message.
    auto entry = inbox.next(!has_more_to_do, server.next_due());
    if (entry && !handle(server, std::move(*entry))) break;
    server.answer_late();
    has_more_to_do = entry ? true : server.idle();
  }
  inbox.close();
  return server.exit_code().value_or(server.is_running() ? 1 : 0);
}

}  // namespace wave::editors
