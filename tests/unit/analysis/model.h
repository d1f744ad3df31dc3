// A model made from text, in the form that the analyses need.
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

  // The breakdown of an output, which must exist.
  analysis::Breakdown breakdown(const std::string& output);
  // What the input with this name adds to an output; 0 if it has no part in it.
  static double share(const analysis::Breakdown& breakdown, const std::string& input);
  // Calls `use` with the first process of the model.
  void with_process(const std::function<void(backend::processes::Run&)>& use);

  frontend::Lowered lowered;
  const frontend::Program& program() const { return *program_; }
  const frontend::Item& item() const { return *item_; }

 private:
  std::unique_ptr<frontend::Program> program_;
  const frontend::Item* item_ = nullptr;
};

std::unique_ptr<backend::Engine> interpreter(const ir::System& system);

// A machine with a small-message and a large-message protocol: o = 2 us, L = 10 us, 1 us a byte; `n` is its name.
extern const char* const machine_text;

}  // namespace wave::test
