#include "support.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>

namespace wave::frontend::test {

Parsed::Parsed(const std::string& text, const ParseLimits& limits) {
  const std::uint32_t file = sources.add("test", text);
  module = parse_module(sources, file, diagnostics, limits);
}

std::string Parsed::errors() const {
  std::string result;
  for (const Diagnostic& diagnostic : diagnostics.sorted()) {
    if (!result.empty()) result += "; ";
    result += std::string(code_of(diagnostic.kind)) + " at `" +
              std::string(sources.text(diagnostic.labels.front().location)) + "`";
  }
  return result;
}

std::string expression_tree(const std::string& text) {
  const Parsed parsed("let x = " + text);
  return parsed.diagnostics.all().empty() ? parsed.tree() : parsed.errors();
}

std::vector<std::pair<std::string, std::string>> all_programs() {
  std::vector<std::pair<std::string, std::string>> result;
  for (const char* folder : {"stdlib", "examples", "tests"}) {
    const std::filesystem::path root = std::filesystem::path(WAVE_PROGRAMS) / folder;
    if (!std::filesystem::exists(root)) continue;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(root)) {
      if (entry.path().extension() != ".wave") continue;
      std::ifstream in(entry.path(), std::ios::binary);
      std::stringstream text;
      text << in.rdbuf();
      result.emplace_back(entry.path().lexically_relative(WAVE_PROGRAMS).string(), text.str());
    }
  }
  std::sort(result.begin(), result.end());
  return result;
}

}  // namespace wave::frontend::test
