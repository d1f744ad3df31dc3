// Which model is meant, with which parameters, and how it is evaluated.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace wave::cli {

enum class EngineChoice { interpreter, jit, automatic };
// Stages of the compiler that can be printed.
enum class Dump { ast, typed, system, schedule, llvm };

// How models are evaluated. None of it changes a result.
struct EngineSettings {
  EngineChoice choice = EngineChoice::automatic;
  int threads = 0;  // 0: as many as the machine has
  std::string cpu;  // empty: the machine's own
  bool no_shortcuts = false;
  bool no_cache = false;
};

// Which model, and what its parameters are.
struct ModelChoice {
  std::string file;
  std::string model;                   // empty: the only one, or `main`
  std::vector<std::string> overrides;  // "name=expr"
};

// Which processes of a model.
struct ProcessChoice : ModelChoice {
  std::string process;  // empty: all
};

// How values with a spread, `23 us ± 1 us`, are carried through a model.
struct Sampling {
  std::optional<std::size_t> samples;  // none: they are not
  std::uint64_t seed = 1;
};
inline constexpr std::size_t most_samples = 10'000'000;

// FILE..., also folders.
void add_files(CLI::App& app, std::vector<std::string>& files);
// FILE.
void add_model_file(CLI::App& app, std::string& file);
// --model.
void add_model_name(CLI::App& app, std::string& model);
// -D.
void add_overrides(CLI::App& app, std::vector<std::string>& overrides);
// FILE, --model and -D.
void add_model(CLI::App& app, ModelChoice& choice);
// --engine, --threads, --cpu, --no-shortcuts and --no-cache: of every verb that evaluates.
void add_engine(CLI::App& app, EngineSettings& engine);
// --samples and --seed.
void add_sampling(CLI::App& app, Sampling& sampling);
void add_seed(CLI::App& app, std::uint64_t& seed, const std::string& description);

}  // namespace wave::cli
