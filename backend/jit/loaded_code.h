// Machine code that is wanted bit by bit, in memory: from the cache, or just made.
#pragma once

#include "backend/jit/code_source.h"
#include "backend/jit/loader.h"
#include "backend/jit/wanted.h"

#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace wave::jit {

class LoadedCode {
 public:
  explicit LoadedCode(CodeSource& source) : source_(source) {}  // which outlives it

  // Adds what is made of `structure` (CodeSource::get). Not empty: why that is not possible. `resolve` need not know
  // the functions that are here already.
  std::string add(std::string_view structure, const CodeSource::Translate& translate, const Resolve& resolve);
  // Null: it is none of the functions.
  void* find(const std::string& symbol) const;
  const CompiledFunctions& functions() const { return functions_; }
  Vectors vectors() const;  // no lanes: there is no code for this machine

 private:
  CodeSource& source_;
  CompiledFunctions functions_;
  std::vector<std::unique_ptr<Image>> images_;
};

}  // namespace wave::jit
