// Compiled strips.
#pragma once

#include "backend/jit/sweep/emit_strip.h"

#include <memory>
#include <vector>

namespace wave::jit::sweep {

// What the machine's vectors are.
struct Vectors {
  int lanes = 2;                   // doubles in one
  int registers = 16;
};

// Translates strips.
class CodeFactory {
 public:
  // For a processor by LLVM's name (empty: the host), but with at most so many doubles in a vector (2, 4, 8); for tests.
  CodeFactory(const std::string& cpu, int widest);
  ~CodeFactory();
  CodeFactory(const CodeFactory&) = delete;
  CodeFactory& operator=(const CodeFactory&) = delete;

  const Vectors& vectors() const { return vectors_; }
  // All at once, which is much cheaper than one by one. Empty: no code for this machine.
  std::vector<StripFunction> translate(const Plan& plan, const std::vector<Shape>& shapes);

 private:
  struct Session;
  std::unique_ptr<Session> session_;
  Vectors vectors_;
};

}  // namespace wave::jit::sweep
