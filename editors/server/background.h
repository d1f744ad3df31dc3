// One thread for what takes long, so that the server goes on answering. Jobs run one after the other, and share nothing
// with the server: what they need they are given, and their result comes back as a function that the server's thread
// runs.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <stop_token>
#include <thread>

namespace wave::editors {

using Action = std::function<void()>;

class Background {
 public:
  enum class Purpose { request, diagnostics, values };
  struct Job {
    Purpose purpose;
    // Looks at the flag now and then; the front end does so by itself.
    std::function<Action(const std::atomic<bool>& stop)> work;
    Action cancelled;  // instead of the result; may be empty
  };

  // `post` hands an action to the server's thread.
  explicit Background(std::function<void(Action)> post);
  ~Background();
  Background(const Background&) = delete;
  Background& operator=(const Background&) = delete;

  std::uint64_t start(Job job);
  void cancel(std::uint64_t ticket);
  void cancel_all(Purpose purpose);
  bool is_idle() const;

 private:
  struct Entry {
    std::uint64_t ticket;
    Job job;
    std::shared_ptr<std::atomic<bool>> stop;
  };
  void run(const std::stop_token& end);
  template <class Chosen>
  void cancel_if(const Chosen& is_chosen);

  std::function<void(Action)> post_;
  mutable std::mutex mutex_;
  std::condition_variable_any changed_;
  std::deque<Entry> waiting_;
  std::shared_ptr<std::atomic<bool>> running_;
  std::uint64_t running_ticket_ = 0;
  Purpose running_purpose_ = Purpose::request;
  std::uint64_t last_ticket_ = 0;
  std::jthread thread_;  // last: it uses the others
};

}  // namespace wave::editors
