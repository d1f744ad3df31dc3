// See loaded_code.h.
#include "backend/jit/loaded_code.h"

namespace wave::jit {

std::string LoadedCode::add(std::string_view structure, const CodeSource::Translate& translate,
                            const Resolve& resolve) {
  const Code code = source_.get(structure, translate);
  if (!code.refusal.empty()) return code.refusal;
  auto loaded = load(code, [&](const std::string& name) {
    void* const own = find(name);
    return own ? own : resolve(name);
  });
  if (auto* const why_not = std::get_if<std::string>(&loaded)) return "the code cannot be loaded: " + *why_not;
  const Image& image = *images_.emplace_back(std::move(std::get<std::unique_ptr<Image>>(loaded)));
  for (const std::string& name : code.defined) functions_[name] = image.find(name);
  return {};
}

void* LoadedCode::find(const std::string& symbol) const {
  const auto known = functions_.find(symbol);
  return known == functions_.end() ? nullptr : known->second;
}

Vectors LoadedCode::vectors() const { return source_.trouble().empty() ? source_.vectors() : Vectors{0, 0}; }

}  // namespace wave::jit
