// Names for strips, and their addresses.
#include "backend/jit/sweep/code.h"

namespace wave::jit::sweep {

CodeFactory::CodeFactory(std::shared_ptr<CodeSource> source) : source_(std::move(source)) {}

std::vector<StripFunction> CodeFactory::translate(const Plan& plan, std::string_view structure,
                                                  const std::vector<Shape>& shapes) {
  Writer what;
  what.put("sweep").put(structure);
  std::vector<std::string> names;
  for (const Shape& shape : shapes) {
    names.push_back("strip_" + std::to_string(names.size()));
    what.put(static_cast<std::uint64_t>(shape.lanes)).put(static_cast<std::uint64_t>(shape.rows));
    what.put(std::uint64_t{shape.full}).put(std::uint64_t{shape.inner});
  }
  const Code code =
      source_->get(what.bytes, [&](Translator& translator) { return translator.translate(plan, shapes, names); });
  if (!code.refusal.empty()) return {};
  auto loaded = load(code, [](const std::string&) { return nullptr; });
  if (std::holds_alternative<std::string>(loaded)) return {};
  const Image& image = *images_.emplace_back(std::move(std::get<std::unique_ptr<Image>>(loaded)));
  std::vector<StripFunction> functions;
  for (const std::string& name : names) functions.push_back(reinterpret_cast<StripFunction>(image.find(name)));
  return functions;
}

}  // namespace wave::jit::sweep
