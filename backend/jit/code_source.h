// Gets machine code from the cache, or has LLVM make it.
#pragma once

#include "backend/jit/kernel_cache.h"
#include "backend/jit/translator.h"

#include <functional>
#include <memory>
#include <mutex>
#include <string>

namespace wave::jit {

class CodeSource {
 public:
  CodeSource(const Processor& processor, const std::string& cache_folder);
  CodeSource(const CodeSource&) = delete;
  CodeSource& operator=(const CodeSource&) = delete;

  // Why there is no code at all: an unknown processor, or one whose code the host cannot run. Empty: there is.
  const std::string& trouble() const { return trouble_; }
  // Of the processor; the narrowest where there is trouble.
  Vectors vectors() const { return vectors_; }

  using Translate = std::function<Code(Translator&)>;
  // `structure`: everything that the code depends on beside the processor and the program. May be asked from several
  // threads.
  Code get(std::string_view structure, const Translate& translate);

  int translations() const { return translations_; }
  int found() const { return found_; }  // in the cache
  // What is wrong with the cache, for `--verbose`.
  std::string cache_trouble() const;

 private:
  LentTranslator translator_;  // null where there is trouble
  std::string trouble_;
  Vectors vectors_;
  std::string origin_;  // of all code from here: the program, the machine
  mutable std::mutex mutex_;
  KernelCache cache_{std::string()};
  int translations_ = 0, found_ = 0;
};

}  // namespace wave::jit
