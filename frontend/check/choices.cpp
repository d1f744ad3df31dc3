// Choices: one stands where another with more words is wanted.
#include "frontend/check/members.h"
#include "frontend/check/names.h"

#include <algorithm>

namespace wave::frontend::check {
namespace {

// The first word that the other choice lacks.
const std::string* find_lacking(const types::Choice& words, const types::Choice& other) {
  for (const std::string& word : words.words) {
    if (std::ranges::find(other.words, word) == other.words.end()) return &word;
  }
  return nullptr;
}

}  // namespace

bool Types::fits(const TypeRef& from, const TypeRef& to) {
  if (agrees(from, to)) return true;
  const auto* narrow = as<types::Choice>(from);
  const auto* wide = as<types::Choice>(to);
  const auto* function = context_.item ? std::get_if<item::Function>(&context_.item->node) : nullptr;
  return narrow && wide && !find_lacking(*narrow, *wide) && !(function && is_generic(*function));
}

// Lists of choices are no lists of wider ones, but each element may be.
void Types::explain_choices(TypeRef found, TypeRef expected, std::vector<std::string>& notes,
                            std::vector<std::string>& help) {
  const bool is_list = as<types::List>(found) && as<types::List>(expected);
  if (is_list) found = element_of(found), expected = element_of(expected);
  const auto* from = as<types::Choice>(found);
  const auto* to = as<types::Choice>(expected);
  if (!from || !to) return;
  if (const std::string* word = find_lacking(*from, *to)) {
    notes.push_back("it may be `" + *word + "`, which is none of `" + to_string(*expected) + "`");
    help.push_back("choose a word for each, as in `if x == " + *word + " then " + to->words.front() + " else ...`");
  } else if (is_list) {
    help.push_back("`[x for x in xs]` is a list of the wider choice");
  } else {
    help.push_back("give the parameters of the function types, for what it is given differs from call to call");
  }
}

}  // namespace wave::frontend::check
