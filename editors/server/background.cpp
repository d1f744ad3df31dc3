// See background.h.
#include "editors/server/background.h"

#include "base/big_stack.h"
#include "editors/server/analysis.h"
#include "frontend/source/patience.h"

#include <stdexcept>
#include <utility>

namespace wave::editors {
namespace {

// Reading a model needs up to 4 MiB, more than a thread may have.
constexpr std::size_t stack_of_jobs = std::size_t{16} << 20;

}  // namespace

Background::Background(std::function<void(Action)> post)
    : post_(std::move(post)), thread_([this](const std::stop_token& end) { run(end); }) {}

Background::~Background() {
  thread_.request_stop();
  const std::lock_guard lock(mutex_);
  if (running_) *running_ = true;
}

std::uint64_t Background::start(Job job) {
  const std::lock_guard lock(mutex_);
  waiting_.push_back({++last_ticket_, std::move(job), std::make_shared<std::atomic<bool>>(false)});
  changed_.notify_all();
  return last_ticket_;
}

template <class Chosen>
void Background::cancel_if(const Chosen& is_chosen) {
  const std::lock_guard lock(mutex_);
  for (auto entry = waiting_.begin(); entry != waiting_.end();) {
    if (!is_chosen(entry->ticket, entry->job.purpose)) {
      ++entry;
      continue;
    }
    if (entry->job.cancelled) post_(std::move(entry->job.cancelled));
    entry = waiting_.erase(entry);
  }
  if (running_ && is_chosen(running_ticket_, running_purpose_)) *running_ = true;
}

void Background::cancel(std::uint64_t ticket) {
  cancel_if([&](std::uint64_t one, Purpose) { return one == ticket; });
}

void Background::cancel_all(Purpose purpose) {
  cancel_if([&](std::uint64_t, Purpose one) { return one == purpose; });
}

bool Background::is_idle() const {
  const std::lock_guard lock(mutex_);
  return waiting_.empty() && !running_;
}

void Background::run(const std::stop_token& end) {
  for (;;) {
    Entry entry{};
    {
      std::unique_lock lock(mutex_);
      changed_.wait(lock, end, [this] { return !waiting_.empty(); });
      if (end.stop_requested()) return;
      entry = std::move(waiting_.front());
      waiting_.pop_front();
      running_ = entry.stop;
      running_ticket_ = entry.ticket;
      running_purpose_ = entry.job.purpose;
    }
    Action result;
    const auto work = [&](std::size_t) {
      const std::atomic<bool>& stop = *entry.stop;
      const frontend::Patience patience(after_a_moment([&] { return stop.load(); }));
      try {
        result = entry.job.work(stop);
      } catch (const frontend::GivenUp&) {  // nobody wants the result
      } catch (const std::logic_error&) {   // a bug, as ir::require_valid finds them; the server goes on without
        result = std::move(entry.job.cancelled);
      }
    };
    run_on_big_stack(work, stack_of_jobs);
    if (*entry.stop) result = std::move(entry.job.cancelled);
    if (result) post_(std::move(result));
    entry = {};
    const std::lock_guard lock(mutex_);
    running_.reset();
  }
}

}  // namespace wave::editors
