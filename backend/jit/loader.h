// Puts relocatable objects into memory: what a linker does for a program, for a few functions. LLVM has loaders of its
// own, but code from the cache is to run without LLVM.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace wave::jit {

// The memory of loaded functions.
class Image {
 public:
  virtual ~Image() = default;
  virtual void* find(const std::string& symbol) const = 0;  // null: it defines no such function
};

// The address of what the objects call and do not define; null: there is none.
using Resolve = std::function<void*(const std::string& symbol)>;

// For x86-64: ELF objects of position-independent code with constants, and without data that is written to. Anything
// else: what it is; then LLVM's loader is asked (backend/jit/translator.h). Memory is never writable and executable at
// once.
std::variant<std::unique_ptr<Image>, std::string> load_objects(const std::vector<std::string>& objects,
                                                               const Resolve& resolve);

}  // namespace wave::jit
