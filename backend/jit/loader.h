// Puts the relocatable objects of a code into memory, with LLVM's linker (ORC and JITLink): what comes from the cache
// goes the same way as what was just made.
#pragma once

#include "backend/jit/code.h"

#include <functional>
#include <memory>
#include <string>
#include <variant>

namespace wave::jit {

// The memory of loaded functions.
class Image {
 public:
  virtual ~Image() = default;
  // Null: it is none of the code's functions.
  virtual void* find(const std::string& symbol) const = 0;
};

// The address of what the code calls and does not define; null: there is none.
using Resolve = std::function<void*(const std::string& symbol)>;

// All functions that the code says it defines, or why they cannot be had: an object that is cut short or for another
// processor, a function that is missing or defined twice, no memory. `resolve` need not know the functions of the C
// library that LLVM makes of its intrinsics.
//
// The linker trusts the inside of objects, as does whoever runs them. Those that were damaged on disk never get here:
// the cache takes them for missing (backend/jit/kernel_cache.h).
std::variant<std::unique_ptr<Image>, std::string> load(const Code& code, const Resolve& resolve);

}  // namespace wave::jit
