// RuntimeDyld, with memory that is never writable and executable at once.
#include "backend/jit/llvm_loader.h"

#include <llvm/ExecutionEngine/RuntimeDyld.h>
#include <llvm/ExecutionEngine/SectionMemoryManager.h>
#include <llvm/Object/ObjectFile.h>

namespace wave::jit {

namespace {

class HostSymbols final : public llvm::LegacyJITSymbolResolver {
 public:
  explicit HostSymbols(const Resolve& resolve) : resolve_(resolve) {}
  llvm::JITSymbol findSymbol(const std::string& name) override {
    void* const address = resolve_(name);
    if (!address) return nullptr;
    return {static_cast<llvm::JITTargetAddress>(reinterpret_cast<std::uintptr_t>(address)),
            llvm::JITSymbolFlags::Exported};
  }
  // Of the objects themselves; the loader has looked there.
  llvm::JITSymbol findSymbolInLogicalDylib(const std::string&) override { return nullptr; }

 private:
  const Resolve& resolve_;
};

class LlvmImage final : public Image {
 public:
  LlvmImage(const std::vector<std::string>& objects, const Resolve& resolve)
      : symbols_(resolve), loader_(memory_, symbols_) {
    for (const std::string& bytes : objects) {
      auto object = llvm::object::ObjectFile::createObjectFile(llvm::MemoryBufferRef(bytes, "wave"));
      if (!object) {
        error_ = llvm::toString(object.takeError());
        return;
      }
      loader_.loadObject(**object);
      objects_.push_back(std::move(*object));
    }
    loader_.resolveRelocations();
    if (loader_.hasError()) error_ = loader_.getErrorString().str();
    std::string problem;
    if (memory_.finalizeMemory(&problem)) error_ = "memory cannot be made executable";
  }
  void* find(const std::string& symbol) const override {
    return reinterpret_cast<void*>(static_cast<std::uintptr_t>(loader_.getSymbol(symbol).getAddress()));
  }
  const std::string& error() const { return error_; }

 private:
  HostSymbols symbols_;
  llvm::SectionMemoryManager memory_;
  std::vector<std::unique_ptr<llvm::object::ObjectFile>> objects_;
  llvm::RuntimeDyld loader_;
  std::string error_;
};

}  // namespace

std::variant<std::unique_ptr<Image>, std::string> load_by_llvm(const std::vector<std::string>& objects,
                                                               const Resolve& resolve) {
  auto image = std::make_unique<LlvmImage>(objects, resolve);
  if (!image->error().empty()) return image->error();
  return std::unique_ptr<Image>(std::move(image));
}

}  // namespace wave::jit
