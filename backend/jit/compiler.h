// LLVM's side of the JIT: modules in, addresses out. Compiled once per engine, as roots are asked for.
#pragma once

#include "backend/jit/layout.h"

#include <memory>
#include <string>
#include <unordered_map>
#include <utility>
#include <variant>
#include <vector>

namespace wave::jit {

// What a module is compiled for.
struct Wanted {
  enum Kind { root, definition, value } kind;
  std::uint32_t id = 0;
  ir::FrameId frame;        // of a value
  std::string symbol() const;
};

class Compiler {
 public:
  Compiler(const Layout& layout, std::string cpu);      // by LLVM's name; empty: the host
  ~Compiler();
  Compiler(const Compiler&) = delete;
  Compiler& operator=(const Compiler&) = delete;

  // The address of a compiled function, or null. Does not compile.
  void* find(const std::string& symbol);
  // Compiles what is wanted and all it reaches; an error text where that is not possible.
  std::string compile(const Wanted& wanted);
  int compilations() const { return compilations_; }

 private:
  struct Session;
  const Layout& layout_;
  const std::string cpu_;
  std::unique_ptr<Session> session_;
  int compilations_ = 0;
};

// The text of all that the roots reach, as emitted and after the passes.
std::string dump(const Layout& layout, const std::string& cpu);

}  // namespace wave::jit
