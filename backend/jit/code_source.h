// Gets machine code from the cache, or from LLVM, which is loaded when the cache does not have something.
#pragma once

#include "backend/jit/kernel_cache.h"
#include "backend/jit/translator.h"

#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <variant>

namespace wave::jit {

class CodeSource {
 public:
  CodeSource(Processor processor, const std::string& cache_folder);
  ~CodeSource();
  CodeSource(const CodeSource&) = delete;
  CodeSource& operator=(const CodeSource&) = delete;

  // Why there is no code at all: an unknown processor, or one whose code the host cannot run. Empty: there is.
  std::string trouble();
  // Of the processor; the narrowest where there is trouble.
  Vectors vectors();

  using Translate = std::function<Code(Translator&)>;
  // `structure`: everything that the code depends on beside the processor and the program. May be asked from several
  // threads.
  Code get(std::string_view structure, const Translate& translate);
  // `resolve` knows what the code calls, but for functions of the C library that LLVM makes of its intrinsics.
  std::variant<std::unique_ptr<Image>, std::string> load(const Code& code, const Resolve& resolve);

  int translations() const { return translations_; }
  int found() const { return found_; }  // in the cache
  // What is wrong with the cache, for `--verbose`.
  std::string cache_trouble() const;

 private:
  struct Facts {
    std::string trouble;
    Vectors vectors;
  };
  const Facts& facts();
  std::variant<Translator*, std::string> translator();
  Digest key(std::string_view what) const;
  Facts ask_translator();

  const Processor processor_;
  mutable std::mutex mutex_;
  KernelCache cache_;
  std::string origin_;  // of all code from here: program, processor
  std::optional<Facts> facts_;
  std::unique_ptr<Translator> translator_;
  int translations_ = 0, found_ = 0;
};

}  // namespace wave::jit
