// A model from text, as those who ask where time goes have it.
#pragma once

#include "analysis/breakdown.h"
#include "backend/processes/run.h"

#include <memory>
#include <string>

namespace wave::test {

class AnalysedModel {
 public:
  // The model `M` of a module.
  explicit AnalysedModel(const std::string& text, frontend::LoweringOptions options = {true, true});

  // The breakdown of an output; it must be found.
  analysis::Breakdown breakdown(const std::string& output);
  // What an input adds to an output, by its name; 0 where it has no part.
  static double share(const analysis::Breakdown& breakdown, const std::string& input);
  // Calls `use` with the model's first process.
  void with_process(const std::function<void(backend::processes::Run&)>& use);

  frontend::Lowered lowered;

 private:
  std::unique_ptr<frontend::Program> program_;
};

std::unique_ptr<backend::Engine> interpreter(const ir::System& system);

// A machine with a small-message and a large-message protocol: o = 2 us, L = 10 us, 1 us a byte; `n` is its name.
extern const char* const machine_text;

}  // namespace wave::test
