// See process_ways.h.
#include "tests/parity/process_ways.h"

#include "backend/engine_choice.h"
#include "backend/kernels/choice.h"

#include <stdexcept>

namespace wave::parity {

namespace {
thread_local bool this_thread_compiles = true;
}

void let_threads_decide() {
  backend::kernels::decide_by([] { return this_thread_compiles; });
}

void compile_on_this_thread(bool compiles) { this_thread_compiles = compiles; }

Ways::Ways(const ir::System& system) {
  const auto jit = [&](backend::EngineOptions options) {
    options.cache_folder = folder_.cache();
    auto made = backend::make_engine(backend::EngineKind::jit, system, options);
    if (auto* const error = std::get_if<std::string>(&made)) throw std::runtime_error(*error);
    return std::move(std::get<std::unique_ptr<backend::Engine>>(made));
  };
  backend::EngineOptions plain, whole, threads, shortcuts;
  whole.whole_programs = true;
  whole.threads = 2;
  threads.threads = 3;
  threads.shortcuts = shortcuts.shortcuts = true;
  all_.push_back({"jit", jit(plain)});
  all_.push_back({"jit, programs as a whole, on two threads", jit(whole)});
  all_.push_back({"jit with shortcuts, on three threads", jit(threads)});
  all_.push_back({"interpreter with shortcuts", backend::make_interpreter(system, shortcuts)});
}

Schedules schedules_of(const backend::Evaluation& evaluation) {
  Schedules found;
  for (const backend::EventReport& report : evaluation.reports()) {
    const auto has = [&](const std::string& words) { return report.schedule.find(words) != std::string::npos; };
    // The number before these words.
    const auto number = [&](const std::string& words) {
      const std::size_t end = report.schedule.find(words);
      if (end == std::string::npos) return 0;
      const std::size_t begin = report.schedule.find_last_not_of("0123456789", end - 1);
      return std::stoi(report.schedule.substr(begin + 1));
    };
    const int left = number(" x statements by the process network"), compiled = number(" of these compiled");
    found.swept = found.swept || has("sweep: ");
    found.batches = found.batches || has("served in batches");
    found.streams = found.streams || has("served in streams");
    found.pieces = found.pieces || compiled > 0;
    const bool is_compiled = report.schedule.starts_with("network, compiled");
    found.compiled = found.compiled || is_compiled;
    found.threads = found.threads || (has(" compiled, on ") && has(" threads"));
    found.network = found.network || (report.schedule.starts_with("network") && !is_compiled) || left > compiled;
  }
  return found;
}

}  // namespace wave::parity
