// Compiled strips.
#pragma once

#include "backend/jit/code_source.h"
#include "backend/jit/loader.h"

#include <memory>
#include <vector>

namespace wave::jit::sweep {

// Has strips compiled, or finds them in the cache.
class CodeFactory {
 public:
  explicit CodeFactory(std::shared_ptr<CodeSource> source);

  // No lanes: there is no code for this machine.
  Vectors vectors() { return source_->vectors(); }
  // All at once, which is much cheaper than one by one. `structure`: what the plan was made from. Empty: no code for
  // this machine.
  std::vector<StripFunction> translate(const Plan& plan, std::string_view structure, const std::vector<Shape>& shapes);

 private:
  std::shared_ptr<CodeSource> source_;
  std::vector<std::unique_ptr<Image>> images_;
};

}  // namespace wave::jit::sweep
