// See model.h.
#include "cli/options/model.h"

#include "cli/options/words.h"

namespace wave::cli {
namespace {

const std::map<std::string, EngineChoice> engines{
    {"interpreter", EngineChoice::interpreter}, {"jit", EngineChoice::jit}, {"auto", EngineChoice::automatic}};
constexpr int most_threads = 1024;

}  // namespace

void add_files(CLI::App& app, std::vector<std::string>& files) {
  app.add_option("FILE", files, ".wave files, or folders with such files; - reads standard input")
      ->type_name("")
      ->required();
}

void add_model_file(CLI::App& app, std::string& file) {
  add_text(app, "FILE", file, "", "A .wave file, or a module such as std.applications.lu; - reads standard input")
      ->required();
}

void add_model_name(CLI::App& app, std::string& model) {
  add_text(app, "--model", model, "NAME", "Which model (default: the only one, or `main`)");
}

void add_overrides(CLI::App& app, std::vector<std::string>& overrides) {
  add_list(app, "-D", overrides, "NAME=EXPR", "Override a parameter: -D n=8, -D net.L=\"5 us\"");
}

void add_model(CLI::App& app, ModelChoice& choice) {
  add_model_file(app, choice.file);
  add_model_name(app, choice.model);
  add_overrides(app, choice.overrides);
}

void add_engine(CLI::App& app, EngineSettings& engine) {
  add_choice(app, "--engine", engine.choice, engines,
             "What evaluates (auto: the interpreter for small models); same results");
  add_whole(app, "--threads", engine.threads, {1, most_threads},
            "How many threads evaluate (default: as many as the machine has); same results",
            "leave it out to use all that the machine has");
  add_text(app, "--cpu", engine.cpu, "NAME",
           "Compile for this processor, by LLVM's name: x86-64-v3, skylake-avx512 (default: this one)");
  app.add_flag("--no-shortcuts", engine.no_shortcuts,
               "Evaluate every point, even where a proof makes that needless; same results");
  app.add_flag("--no-cache", engine.no_cache, "Neither use nor keep compiled code of other runs");
}

void add_seed(CLI::App& app, std::uint64_t& seed, const std::string& description) {
  add_whole(app, "--seed", seed, {0, UINT64_MAX}, description);
}

void add_sampling(CLI::App& app, Sampling& sampling) {
  add_whole(app, "--samples", sampling.samples, {2, most_samples},
            "Carry the spread of values such as `23 us ± 1 us` through, with this many samples",
            "a spread takes two samples at least; 1000 are usual");
  add_seed(app, sampling.seed, "Seed of the samples (default 1): the same seed gives the same samples");
}

}  // namespace wave::cli
