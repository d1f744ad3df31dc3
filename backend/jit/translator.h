// What LLVM is asked for, in words of models: where this is included, LLVM is not seen.
#pragma once

#include "backend/jit/code.h"
#include "backend/jit/layout.h"
#include "backend/jit/sweep/plan.h"
#include "backend/jit/wanted.h"

#include <memory>
#include <string>
#include <variant>
#include <vector>

namespace wave::jit {

// A processor by LLVM's name (empty: the host), with at most so many doubles in a vector (2, 4, 8; for tests).
struct Processor {
  std::string cpu{};
  int widest = 8;
};

struct Vectors {
  std::uint32_t lanes = 2;  // doubles in one
  std::uint32_t registers = 16;
};

class Translator {
 public:
  virtual ~Translator() = default;
  virtual Vectors vectors() const = 0;
  // All that its code depends on beside what is translated and the build: the kind of machine, its processor and the
  // features that code may use.
  virtual std::string machine() const = 0;
  // What is wanted and all that it reaches, except what is `compiled` already. See backend/jit/module_emitter.h.
  virtual Code translate(const Layout& layout, const Wanted& wanted, const CompiledFunctions& compiled) = 0;
  // Strips of a sweep.
  virtual Code translate(const sweep::Plan& plan, const std::vector<sweep::Shape>& shapes) = 0;
};

// What LLVM knows of a processor takes milliseconds to set up, so whoever has done with a translator leaves it to the
// next.
struct GiveBack {
  Processor processor;
  void operator()(Translator* translator) const;
};
using LentTranslator = std::unique_ptr<Translator, GiveBack>;

// Or why there is none: no such processor, or one whose code the host cannot run.
std::variant<LentTranslator, std::string> lend_translator(const Processor& processor);

// Index 0: the text of all that an excerpt is for, as emitted and after the passes. Index 1: why there is none. With a
// batch: of that, in as many lanes as the processor has. Also for processors whose code the host cannot run.
std::variant<std::string, std::string> dump(const Layout& layout, const std::string& cpu,
                                            const lanes::BatchShape* batch);

}  // namespace wave::jit
