// See context.h.
#include "api/c/context.h"

#include "backend/limits.h"
#include "base/big_stack.h"
#include "base/environment.h"
#include "frontend/source/patience.h"

#include <cmath>

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
       "the JIT cannot be used: " + std::get<std::string>(made), "WAVE_ENGINE_INTERPRETER gives the same results");
}

double checked_seconds(double seconds, const char* argument) {
  if (seconds > 0) return seconds;
  throw Misuse{std::string("`") + argument + "` is no time limit: it must be more than 0", "INFINITY is none"};
}

std::size_t checked_bytes(std::uint64_t bytes, const char* argument) {
  if (bytes > 0) return bytes;
  throw Misuse{std::string("`") + argument + "` is no memory limit: it must be more than 0"};
}

}  // namespace wave::api

using namespace wave::api;

namespace {

wave_status change(wave_context* context, wave_error** error, const std::function<void(Settings&)>& how) {
  return call(error, [&] { get<Context>(context, "context")->change(how); });
}

}  // namespace

extern "C" {

wave_status wave_context_create(wave_context** context, wave_error** error) {
  return call(error, [&] {
    need(context, "context");
    *context = open_handle<wave_context>(std::make_shared<Context>());
  });
}

wave_status wave_context_use_environment(wave_context* context, wave_error** error) {
  return change(context, error, [](Settings& settings) {
    for (std::string& folder : wave::search_folders_of_environment()) settings.folders.push_back(std::move(folder));
    settings.options.cache_folder = wave::cache_folder_of_environment();
  });
}

wave_status wave_context_add_folder(wave_context* context, const char* folder, wave_error** error) {
  return change(context, error, [&](Settings& settings) {
    need(folder, "folder");
    if (*folder == 0) throw Misuse{"`folder` is empty"};
    settings.folders.emplace_back(folder);
  });
}

wave_status wave_context_set_time_limit(wave_context* context, double seconds, wave_error** error) {
  return change(context, error, [&](Settings& settings) { settings.seconds = checked_seconds(seconds, "seconds"); });
}

wave_status wave_context_set_memory_limit(wave_context* context, uint64_t bytes, wave_error** error) {
  return change(context, error, [&](Settings& settings) { settings.memory_bytes = checked_bytes(bytes, "bytes"); });
}

wave_status wave_context_set_threads(wave_context* context, int threads, wave_error** error) {
  return change(context, error, [&](Settings& settings) {
    constexpr int most = 4096;
    if (threads < 0 || threads > most) throw Misuse{"`threads` is " + std::to_string(threads) + ": 0 to 4096 may be"};
    settings.options.threads = threads;
  });
}

wave_status wave_context_set_engine(wave_context* context, int engine, wave_error** error) {
  return change(context, error, [&](Settings& settings) {
    using wave::backend::EngineKind;
    switch (engine) {
      case WAVE_ENGINE_AUTOMATIC: settings.engine = EngineKind::automatic; break;
      case WAVE_ENGINE_INTERPRETER: settings.engine = EngineKind::interpreter; break;
      case WAVE_ENGINE_JIT: settings.engine = EngineKind::jit; break;
      default: throw Misuse{"`engine` is " + std::to_string(engine) + ", which is no engine"};
    }
  });
}

wave_status wave_context_set_shortcuts(wave_context* context, int are_allowed, wave_error** error) {
  return change(context, error, [&](Settings& settings) { settings.options.shortcuts = are_allowed != 0; });
}

wave_status wave_context_set_cache(wave_context* context, const char* folder, wave_error** error) {
  return change(context, error, [&](Settings& settings) { settings.options.cache_folder = folder ? folder : ""; });
}

wave_status wave_context_close(wave_context* context) { return close<Context>(context, "context"); }

}  // extern "C"
