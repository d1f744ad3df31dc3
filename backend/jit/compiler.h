// The compiled functions of a system: code in, addresses out. Each is compiled once, when it is first wanted.
#pragma once

#include "backend/jit/layout.h"
#include "backend/jit/loaded_code.h"

#include <string>

namespace wave::jit {

class Compiler {
 public:
  // Both outlive it.
  Compiler(const Layout& layout, CodeSource& source) : layout_(layout), code_(source) {}
  Compiler(const Compiler&) = delete;
  Compiler& operator=(const Compiler&) = delete;

  // The address of a compiled function, or null. Does not compile.
  void* find(const std::string& symbol) const { return code_.find(symbol); }
  // Compiles what is wanted and all it reaches; an error text where that is not possible.
  std::string compile(const Wanted& wanted);
  Vectors vectors() const { return code_.vectors(); }

 private:
  std::string structure(const Wanted& wanted);

  const Layout& layout_;
  LoadedCode code_;
  std::string system_;  // a digest of its structure, once it is known
};

}  // namespace wave::jit
