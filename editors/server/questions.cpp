// See questions.h.
#include "editors/server/questions.h"

#include <algorithm>
#include <cctype>

namespace wave::editors {
namespace {

using namespace frontend;

constexpr char mark = '\1';

bool is_letter(char c) { return c == '_' || std::isalnum(static_cast<unsigned char>(c)); }

std::string word_that_stands_nowhere(std::string_view text) {
  std::string word = "asked_about";
  while (text.find(word) != std::string_view::npos) word += '_';
  return word;
}

}  // namespace

std::pair<std::uint32_t, std::uint32_t> word_at(std::string_view text, std::uint32_t offset) {
  std::uint32_t begin = std::min(offset, static_cast<std::uint32_t>(text.size())), end = begin;
  while (begin > 0 && is_letter(text[begin - 1])) --begin;
  while (end < text.size() && is_letter(text[end])) ++end;
  return {begin, end};
}

std::optional<Probe> ask(Asking& asking, const Gap& gap) {
  const std::string word = word_that_stands_nowhere(asking.text);
  for (const std::string& variant : gap.variants) {
    const std::size_t at = variant.find(mark);
    if (at == std::string::npos) continue;
    std::string text = asking.text;
    text.replace(gap.begin, gap.end - gap.begin, variant);
    text.replace(gap.begin + at, 1, word);
    Probe probe;
    probe.word = word;
    const auto begin = static_cast<std::uint32_t>(gap.begin + at);
    probe.place = {asking.analysis.file(), begin, static_cast<std::uint32_t>(begin + word.size())};
    asking.has_asked = true;
    asking.analysis.ask(asking.project.search, std::move(text), probe);
    if (probe.is_answered) return probe;
  }
  return std::nullopt;
}

std::optional<Probe> ask_about(Asking& asking, Location place) {
  return ask(asking, {place.begin, place.end, {std::string(1, mark)}});
}

}  // namespace wave::editors
