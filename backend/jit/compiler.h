// The compiled functions of an engine: code in, addresses out. Compiled once, as roots are asked for.
#pragma once

#include "backend/jit/code_source.h"
#include "backend/jit/layout.h"
#include "backend/jit/loader.h"
#include "backend/jit/wanted.h"

#include <memory>
#include <string>
#include <unordered_map>
#include <unordered_set>
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
  using Vectors = jit::Vectors;
  Vectors vectors();  // no lanes: there is no code for this machine
  CodeSource& source() { return source_; }

 private:
  std::string structure(const Wanted& wanted);

  const Layout& layout_;
  CodeSource& source_;
  Digest system_{};  // of the structure of the system
  bool has_digest_ = false;
  std::unordered_set<std::string> compiled_;
  std::unordered_map<std::string, void*> addresses_;
  std::vector<std::unique_ptr<Image>> images_;
};

}  // namespace wave::jit
