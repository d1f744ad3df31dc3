// Compiled strips.
#pragma once

#include "backend/jit/sweep/emit_strip.h"

#include <memory>
#include <string>

namespace wave::jit::sweep {

// What the machine's vectors are.
struct Vectors {
  int lanes = 2;                   // doubles in one
  int registers = 16;
};

// Translates strips, one module each.
class CodeFactory {
 public:
  // Of the host, but with at most so many doubles in a vector (2, 4, 8); for tests.
  explicit CodeFactory(int widest);
  ~CodeFactory();
  CodeFactory(const CodeFactory&) = delete;
  CodeFactory& operator=(const CodeFactory&) = delete;

  const Vectors& vectors() const { return vectors_; }
  // Null: no code for this machine.
  StripFunction translate(const Plan& plan, const Shape& shape);
  // LLVM's text of a strip after the passes.
  std::string dump(const Plan& plan, const Shape& shape);

 private:
  struct Session;
  std::unique_ptr<Session> session_;
  Vectors vectors_;
};

}  // namespace wave::jit::sweep
