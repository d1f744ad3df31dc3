// Keys, and who is asked in which order.
#include "backend/jit/code_source.h"

#include "backend/jit/build_id.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <fcntl.h>
#include <unistd.h>
#include <unordered_map>

namespace wave::jit {

namespace {

// The first processor as the system describes it, without what changes by itself. Code for the host is for this one.
std::string describe_host() {
  const int file = open("/proc/cpuinfo", O_RDONLY | O_CLOEXEC);
  std::string text(8192, '\0');
  const ssize_t count = file < 0 ? 0 : read(file, text.data(), text.size());
  if (file >= 0) close(file);
  text.resize(count < 0 ? 0 : static_cast<std::size_t>(count));
  text.resize(std::min(text.size(), text.find("\n\n")));
  std::string result;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    const std::string_view line = std::string_view(text).substr(at, end - at);
    const bool changes = line.starts_with("cpu MHz") || line.starts_with("bogomips") || line.starts_with("BogoMIPS") ||
                         line.starts_with("processor") || line.starts_with("core id") ||
                         line.starts_with("physical id") || line.starts_with("apicid") ||
                         line.starts_with("initial apicid") || line.starts_with("microcode");
    if (!changes) result.append(line).append("\n");
    at = end + 1;
  }
  return result;
}

// What LLVM makes of its intrinsics, where the processor has no instruction.
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

// Without a host or a build that can be told from others nothing is kept.
std::string describe_origin(const Processor& processor) {
  static const std::string program = build_id(own_file()), translator = translator_build(), host = describe_host();
  if (program.empty() || translator.empty() || host.empty()) return {};
  return Writer()
      .put(program)
      .put(translator)
      .put(host)
      .put(processor.cpu)
      .put(static_cast<std::uint64_t>(processor.widest))
      .bytes;
}

}  // namespace

CodeSource::CodeSource(Processor processor, const std::string& cache_folder)
    : processor_(std::move(processor)),
      cache_(cache_folder.empty() || describe_origin(processor_).empty() ? std::string() : cache_folder),
      origin_(cache_folder.empty() ? std::string() : describe_origin(processor_)) {}

CodeSource::~CodeSource() = default;

Digest CodeSource::key(std::string_view what) const { return digest(Writer().put(origin_).put(what).bytes); }

std::variant<Translator*, std::string> CodeSource::translator() {
  if (translator_) return translator_.get();
  const auto plugin = translator_plugin();
  if (const auto* const missing = std::get_if<std::string>(&plugin)) return *missing;
  auto made = std::get<const TranslatorPlugin*>(plugin)->make(processor_);
  if (auto* const unknown = std::get_if<std::string>(&made)) return std::move(*unknown);
  translator_ = std::move(std::get<std::unique_ptr<Translator>>(made));
  return translator_.get();
}

CodeSource::Facts CodeSource::ask_translator() {
  const auto asked = translator();
  if (const auto* const trouble = std::get_if<std::string>(&asked)) return {*trouble, {}};
  const Translator& known = *std::get<Translator*>(asked);
  const std::string lacking = known.lacking();
  if (!lacking.empty()) return {"this machine cannot run code for `" + processor_.cpu + "`: it lacks " + lacking, {}};
  return {{}, known.vectors()};
}

const CodeSource::Facts& CodeSource::facts() {
  if (facts_) return *facts_;
  const Digest name = key("vectors of the processor");
  if (const auto bytes = cache_.find(name)) {
    Reader reader(*bytes);
    Facts known{{}, {static_cast<std::uint32_t>(reader.number()), static_cast<std::uint32_t>(reader.number())}};
    if (reader.is_at_end()) return facts_.emplace(std::move(known));
  }
  facts_ = ask_translator();
  if (facts_->trouble.empty()) {
    const Vectors& vectors = facts_->vectors;
    cache_.store(name, Writer().put(std::uint64_t{vectors.lanes}).put(std::uint64_t{vectors.registers}).bytes);
  }
  return *facts_;
}

std::string CodeSource::trouble() {
  const std::lock_guard lock(mutex_);
  return facts().trouble;
}

Vectors CodeSource::vectors() {
  const std::lock_guard lock(mutex_);
  return facts().vectors;
}

Code CodeSource::get(std::string_view structure, const Translate& translate) {
  const std::lock_guard lock(mutex_);
  if (!facts().trouble.empty()) return {facts().trouble, {}, {}};
  const Digest name = key(structure);
  if (const auto bytes = cache_.find(name)) {
    if (auto code = unpack(*bytes)) {
      ++found_;
      return std::move(*code);
    }
  }
  const auto asked = translator();
  if (const auto* const missing = std::get_if<std::string>(&asked)) return {*missing, {}, {}};
  Code code = translate(*std::get<Translator*>(asked));
  ++translations_;
  cache_.store(name, pack(code));
  return code;
}

std::variant<std::unique_ptr<Image>, std::string> CodeSource::load(const Code& code, const Resolve& given) {
  const Resolve resolve = [&](const std::string& symbol) {
    void* const known = given(symbol);
    return known ? known : library_function(symbol);
  };
  auto loaded = load_objects(code.objects, resolve);
  if (std::holds_alternative<std::unique_ptr<Image>>(loaded)) return loaded;
  const std::lock_guard lock(mutex_);
  const auto asked = translator();
  if (const auto* const missing = std::get_if<std::string>(&asked)) return *missing;
  return std::get<Translator*>(asked)->load(code.objects, resolve);
}

std::string CodeSource::cache_trouble() const {
  const std::lock_guard lock(mutex_);
  return cache_.trouble();
}

}  // namespace wave::jit
