// Each image is an ORC session of its own: it has its own names and callees, is linked at once on the thread that asks,
// and goes as a whole. A session is cheap, and sharing one would only bring locks and names to keep apart. Sessions are
// what lets the objects of one code call each other; JITLink by itself links a single object.
#include "backend/jit/loader.h"

#include "backend/jit/target.h"

#include <llvm/ExecutionEngine/JITLink/JITLink.h>
#include <llvm/ExecutionEngine/Orc/Core.h>
#include <llvm/ExecutionEngine/Orc/ExecutorProcessControl.h>
#include <llvm/ExecutionEngine/Orc/ObjectLinkingLayer.h>
#include <llvm/ExecutionEngine/Orc/TaskDispatch.h>
#include <llvm/TargetParser/Triple.h>

#include <cmath>
#include <cstring>
#include <unordered_map>

namespace wave::jit {

namespace {

namespace jitlink = llvm::jitlink;
namespace orc = llvm::orc;

// What LLVM makes of its intrinsics, where the processor has no instruction. A list instead of all that the process
// has: code that calls anything else is not ours.
void* library_function(const std::string& symbol) {
  using Real = double (*)(double);
  using Reals = double (*)(double, double);
  static const std::unordered_map<std::string, void*> all{
      {"memset", reinterpret_cast<void*>(static_cast<void* (*)(void*, int, std::size_t)>(std::memset))},
      {"memcpy", reinterpret_cast<void*>(static_cast<void* (*)(void*, const void*, std::size_t)>(std::memcpy))},
      {"memmove", reinterpret_cast<void*>(static_cast<void* (*)(void*, const void*, std::size_t)>(std::memmove))},
      {"floor", reinterpret_cast<void*>(static_cast<Real>(std::floor))},
      {"ceil", reinterpret_cast<void*>(static_cast<Real>(std::ceil))},
      {"trunc", reinterpret_cast<void*>(static_cast<Real>(std::trunc))},
      {"rint", reinterpret_cast<void*>(static_cast<Real>(std::rint))},
      {"nearbyint", reinterpret_cast<void*>(static_cast<Real>(std::nearbyint))},
      {"round", reinterpret_cast<void*>(static_cast<Real>(std::round))},
      // Of the current rounding, which is to nearest even everywhere here.
      {"roundeven", reinterpret_cast<void*>(static_cast<Real>(std::nearbyint))},
      {"fmod", reinterpret_cast<void*>(static_cast<Reals>(std::fmod))},
      {"fma", reinterpret_cast<void*>(static_cast<double (*)(double, double, double)>(std::fma))},
  };
  const auto found = all.find(symbol);
  return found == all.end() ? nullptr : found->second;
}

// Defines what objects ask for when they are linked. What nobody has stays undefined, and the session says so.
class Callees final : public orc::DefinitionGenerator {
 public:
  explicit Callees(const Resolve& resolve) : resolve_(resolve) {}
  llvm::Error tryToGenerate(orc::LookupState&, orc::LookupKind, orc::JITDylib& library, orc::JITDylibLookupFlags,
                            const orc::SymbolLookupSet& wanted) override {
    orc::SymbolMap found;
    for (const auto& [symbol, flags] : wanted) {
      const std::string name = (*symbol).str();
      void* address = resolve_(name);
      if (!address) address = library_function(name);
      if (!address) continue;
      found[symbol] = {orc::ExecutorAddr::fromPtr(address),
                       llvm::JITSymbolFlags::Exported | llvm::JITSymbolFlags::Callable};
    }
    return library.define(orc::absoluteSymbols(std::move(found)));
  }

 private:
  const Resolve& resolve_;  // used while the image is made, and not after that
};

// JITLink would link an object for any processor that it knows.
llvm::Expected<std::unique_ptr<jitlink::LinkGraph>> read_object(const std::string& bytes, const llvm::Triple& host) {
  auto graph = jitlink::createLinkGraphFromObject(llvm::MemoryBufferRef(bytes, "wave"));
  if (!graph) return graph;
  const llvm::Triple& made_for = (*graph)->getTargetTriple();
  if (made_for.getArch() != host.getArch()) {
    return llvm::createStringError(llvm::inconvertibleErrorCode(), "an object for %s, not for %s",
                                   made_for.getArchName().str().c_str(), host.getArchName().str().c_str());
  }
  // Nobody unwinds through these functions, which do not throw.
  if (jitlink::Section* const unwinding = (*graph)->findSectionByName(".eh_frame")) (*graph)->removeSection(*unwinding);
  return graph;
}

class LinkedImage final : public Image {
 public:
  explicit LinkedImage(std::unique_ptr<orc::ExecutorProcessControl> process)
      : session_(std::move(process)), layer_(session_) {
    // A lookup says only which functions are affected; the reason comes here, and nothing is printed.
    session_.setErrorReporter([this](llvm::Error error) {
      const std::string reason = llvm::toString(std::move(error));
      reasons_ += reasons_.empty() ? reason : "; " + reason;
    });
  }
  ~LinkedImage() override {
    if (llvm::Error error = session_.endSession()) llvm::consumeError(std::move(error));
  }

  void* find(const std::string& symbol) const override {
    const auto found = functions_.find(symbol);
    return found == functions_.end() ? nullptr : found->second;
  }

  llvm::Error link(const Code& code, const Resolve& resolve) {
    orc::JITDylib& own = session_.createBareJITDylib("code");
    orc::JITDylib& callees = session_.createBareJITDylib("callees");
    own.addToLinkOrder(callees);
    callees.addGenerator(std::make_unique<Callees>(resolve));
    for (const std::string& object : code.objects) {
      auto graph = read_object(object, session_.getTargetTriple());
      if (!graph) return graph.takeError();
      if (llvm::Error error = layer_.add(own, std::move(*graph))) return error;
    }
    // Asking for all functions links all objects: nothing is left for their first call.
    orc::SymbolLookupSet wanted;
    for (const std::string& name : code.defined) wanted.add(session_.intern(name));
    auto linked =
        session_.lookup(orc::makeJITDylibSearchOrder(&own, orc::JITDylibLookupFlags::MatchAllSymbols), wanted);
    if (!linked) return linked.takeError();
    for (const auto& [symbol, where] : *linked) functions_[(*symbol).str()] = where.getAddress().toPtr<void*>();
    return llvm::Error::success();
  }

  const std::string& reasons() const { return reasons_; }

 private:
  std::string reasons_;  // first: the session reports until it is gone
  orc::ExecutionSession session_;
  orc::ObjectLinkingLayer layer_;
  std::unordered_map<std::string, void*> functions_;
};

}  // namespace

std::variant<std::unique_ptr<Image>, std::string> load(const Code& code, const Resolve& resolve) {
  const InsideLlvm inside;
  // The memory is that of JITLink for its own process, which is never writable and executable at once.
  auto process = orc::SelfExecutorProcessControl::Create(nullptr, std::make_unique<orc::InPlaceTaskDispatcher>());
  if (!process) return llvm::toString(process.takeError());
  auto image = std::make_unique<LinkedImage>(std::move(*process));
  if (llvm::Error error = image->link(code, resolve)) {
    const std::string what = llvm::toString(std::move(error));
    return image->reasons().empty() ? what : image->reasons();
  }
  return std::unique_ptr<Image>(std::move(image));
}

}  // namespace wave::jit
