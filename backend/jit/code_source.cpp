// Keys, and who is asked in which order.
#include "backend/jit/code_source.h"

#include "backend/jit/build_id.h"

namespace wave::jit {

CodeSource::CodeSource(const Processor& processor, const std::string& cache_folder) {
  auto made = lend_translator(processor);
  if (auto* const why_not = std::get_if<std::string>(&made)) {
    trouble_ = std::move(*why_not);
    return;
  }
  translator_ = std::move(std::get<LentTranslator>(made));
  vectors_ = translator_->vectors();
  // Without a build that can be told from others nothing is kept. LLVM is a part of the build.
  static const std::string build = build_id();
  if (build.empty()) return;
  origin_ = Writer().put(build).put(translator_->machine()).bytes;
  cache_ = KernelCache(cache_folder);
}

// The cache is asked before anything is made: the name is a digest of what the code is made from, not of the code. (So
// llvm::ObjectCache does not fit, which is asked when there is a module of LLVM already.)
Code CodeSource::get(std::string_view structure, const Translate& translate) {
  if (!translator_) return Code::refused(trouble_);
  const std::lock_guard lock(mutex_);
  const Digest name = digest(Writer().put(origin_).put(structure).bytes);
  const auto bytes = cache_.find(name);
  if (auto code = bytes ? unpack(*bytes) : std::nullopt) {
    ++found_;
    return std::move(*code);
  }
  Code code = translate(*translator_);
  if (code.is_given_up) return code;
  ++translations_;
  cache_.store(name, pack(code));
  return code;
}

std::string CodeSource::cache_trouble() const {
  const std::lock_guard lock(mutex_);
  return cache_.trouble();
}

}  // namespace wave::jit
