// The compiled functions of a system: code in, addresses out. Each is compiled once, when it is first wanted.
#pragma once

#include "backend/jit/code_source.h"
#include "backend/jit/layout.h"
#include "backend/jit/loader.h"
#include "backend/jit/wanted.h"

#include <memory>
#include <string>
#include <vector>

namespace wave::jit {

class Compiler {
 public:
  // Both outlive it.
  Compiler(const Layout& layout, CodeSource& source);
  ~Compiler();
  Compiler(const Compiler&) = delete;
  Compiler& operator=(const Compiler&) = delete;

  // The address of a compiled function, or null. Does not compile.
  void* find(const std::string& symbol) const;
  // Compiles what is wanted and all it reaches; an error text where that is not possible.
  std::string compile(const Wanted& wanted);
  Vectors vectors();  // no lanes: there is no code for this machine

 private:
  std::string structure(const Wanted& wanted);

  const Layout& layout_;
  CodeSource& source_;
  std::string system_;  // a digest of its structure, once it is known
  CompiledFunctions compiled_;
  std::vector<std::unique_ptr<Image>> images_;
};

}  // namespace wave::jit
