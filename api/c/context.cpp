// See context.h.
#include "api/c/context.h"

#include "backend/limits.h"
#include "base/big_stack.h"
#include "base/environment.h"
#include "base/measures.h"
#include "base/numbers.h"
#include "cli/ask.h"
#include "frontend/source/patience.h"

namespace wave::api {

backend::Limits limits_of(const Settings& settings, const std::atomic<bool>* stop) {
  backend::Limits limits;
  limits.memory_bytes = settings.memory_bytes;
  limits.stop = stop;
  backend::set_time_limit(limits, settings.seconds);
  return limits;
}

void read_within(const backend::Limits& limits, const std::function<void()>& read) {
  run_on_big_stack([&](std::size_t) {
    const frontend::Patience patience([&] { return backend::is_over(limits); });
    read();
  });
}

std::unique_ptr<backend::Engine> engine_of(const Settings& settings, const ir::System& system) {
  auto made = backend::make_engine(settings.engine, system, settings.options);
  if (auto* engine = std::get_if<std::unique_ptr<backend::Engine>>(&made)) return std::move(*engine);
  fail(WAVE_FAILED, frontend::DiagnosticKind::engine_unavailable,
       "the JIT cannot be used: " + std::get<std::string>(made), "the engine `interpreter` gives the same results");
}

bool Settings::set_limit(const std::string& option, const std::string& value) {
  if (cli::is_called("time-limit", option)) {
    const auto given = parse_seconds(value);
    if (!given) throw Misuse{"`" + value + "` is no time limit", "\"20 s\", \"500 ms\" and \"none\" are some"};
    seconds = *given;
  } else if (cli::is_called("memory-limit", option)) {
    const auto given = parse_bytes(value);
    if (!given) throw Misuse{"`" + value + "` is no memory limit", "\"2 GiB\" and \"500 MB\" are some"};
    memory_bytes = *given;
  } else {
    return false;
  }
  return true;
}

namespace {

bool truth_of(const std::string& option, const std::string& value) {
  if (value != "true" && value != "false") throw Misuse{"`" + option + "` is `" + value + "`: true or false may be"};
  return value == "true";
}

int threads_of(const std::string& value) {
  constexpr int most = 4096;
  const auto threads = parse_number<int>(value);
  if (!threads || *threads < 0 || *threads > most) throw Misuse{"`threads` is `" + value + "`: 0 to 4096 may be"};
  return *threads;
}

backend::EngineKind engine_of(const std::string& value) {
  if (value == "automatic") return backend::EngineKind::automatic;
  if (value == "interpreter") return backend::EngineKind::interpreter;
  if (value == "jit") return backend::EngineKind::jit;
  throw Misuse{"`engine` is `" + value + "`: automatic, interpreter or jit may be"};
}

}  // namespace

bool Settings::set(const std::string& option, const std::string& value) {
  if (set_limit(option, value)) return true;
  if (option == "environment") {
    if (!truth_of(option, value)) return true;
    for (std::string& folder : search_folders_of_environment()) folders.push_back(std::move(folder));
    options.cache_folder = cache_folder_of_environment();
  } else if (option == "I") {
    if (value.empty()) throw Misuse{"the folder of `I` is empty"};
    folders.push_back(value);
  } else if (option == "threads") {
    options.threads = threads_of(value);
  } else if (option == "engine") {
    engine = engine_of(value);
  } else if (option == "shortcuts") {
    options.shortcuts = truth_of(option, value);
  } else if (option == "cache") {
    options.cache_folder = value;
  } else {
    return false;
  }
  return true;
}

void refuse_option(const std::string& option, const std::vector<std::string>& names) {
  const std::string near = frontend::nearest(option, names);
  throw Misuse{"there is no option `" + option + "`",
               near.empty() ? "there are " + frontend::quoted_list(names) : frontend::did_you_mean({near})};
}

void Context::set_option(const std::string& option, const std::string& value) {
  const std::lock_guard lock(mutex_);
  if (settings_.set(option, value)) return;
  refuse_option(option, {"environment", "I", "time-limit", "memory-limit", "threads", "engine", "shortcuts", "cache"});
}

}  // namespace wave::api

using namespace wave::api;

extern "C" {

wave_status wave_context_create(wave_context** context, wave_error** error) {
  return call(error, [&] {
    need(context, "context");
    *context = open_handle<wave_context>(std::make_shared<Context>());
  });
}

}  // extern "C"
