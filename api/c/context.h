// What the environment of a process would otherwise decide, and the limits of a call.
#pragma once

#include "api/c/errors.h"
#include "backend/engine_choice.h"
#include "frontend/check/program.h"

#include <atomic>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

namespace wave::api {

struct Settings {
  // Options of a context; false: there is none of that name. Values that it does not take are refused.
  bool set(const std::string& option, const std::string& value);
  // Those of them that models have, too.
  bool set_limit(const std::string& option, const std::string& value);

  std::vector<std::string> folders;
  double seconds = 60;
  std::size_t memory_bytes = std::size_t{8} << 30;
  backend::EngineKind engine = backend::EngineKind::automatic;
  backend::EngineOptions options = {.shortcuts = true, .threads = 0};
};

class Context final : public Object {
 public:
  static constexpr const char* kind = "context";
  Settings settings() const {
    const std::lock_guard lock(mutex_);
    return settings_;
  }
  void set_option(const std::string& option, const std::string& value) override;

 private:
  mutable std::mutex mutex_;
  Settings settings_;
};

// From now on. `stop` may be null.
backend::Limits limits_of(const Settings& settings, const std::atomic<bool>* stop);

// Reads, checks or lowers on a stack that is large enough, whatever thread calls. Throws frontend::GivenUp at the end
// of the time.
void read_within(const backend::Limits& limits, const std::function<void()>& read);

// The engine that was asked for; ends the call where there is none.
std::unique_ptr<backend::Engine> engine_of(const Settings& settings, const ir::System& system);

// Refuses an option that is none of these.
[[noreturn]] void refuse_option(const std::string& option, const std::vector<std::string>& names);

}  // namespace wave::api
