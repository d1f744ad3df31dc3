// What LLVM is asked for. Everything behind this interface is a module of its own (libwave-llvm.so), loaded when some
// code is neither here nor in the cache.
#pragma once

#include "backend/jit/code.h"
#include "backend/jit/layout.h"
#include "backend/jit/loader.h"
#include "backend/jit/sweep/plan.h"
#include "backend/jit/wanted.h"

#include <memory>
#include <string>
#include <unordered_set>
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
  // What the host lacks to run this code; empty: nothing.
  virtual std::string lacking() const = 0;
  // What is wanted and all that it reaches, except what is `compiled` already. See backend/jit/module_emitter.h.
  virtual Code translate(const Layout& layout, const Wanted& wanted,
                         const std::unordered_set<std::string>& compiled) = 0;
  // Strips of a sweep under these names, one per shape.
  virtual Code translate(const sweep::Plan& plan, const std::vector<sweep::Shape>& shapes,
                         const std::vector<std::string>& names) = 0;
  // LLVM's own loader, for objects that load_objects does not take: those of other processors than x86-64.
  virtual std::variant<std::unique_ptr<Image>, std::string> load(const std::vector<std::string>& objects,
                                                                 const Resolve& resolve) = 0;
};

struct TranslatorPlugin {
  const char* abi;
  // Or why there is none: no such processor.
  std::variant<std::unique_ptr<Translator>, std::string> (*make)(const Processor& processor);
  // Index 0: the text of all that the roots reach, as emitted and after the passes. Index 1: why there is none.
  // With a batch: of that, in as many lanes as the processor has.
  std::variant<std::string, std::string> (*dump)(const Layout& layout, const std::string& cpu,
                                                 const lanes::BatchShape* batch);
};

inline constexpr const char* translator_symbol = "wave_jit_translator";

// LLVM's half of the JIT, or why it cannot be had. Loads its module (translator_module.cpp), or has it linked in
// (translator_linked.cpp, for tests and benchmarks).
std::variant<const TranslatorPlugin*, std::string> translator_plugin();
// What tells its builds apart; empty: not known. Does not load it.
std::string translator_build();

}  // namespace wave::jit
