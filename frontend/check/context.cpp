// The context, and reports. Words of other languages and of MPI get a help of their own.
#include "frontend/check/context.h"

#include "frontend/check/expressions.h"
#include "frontend/check/program.h"
#include "frontend/source/foreign_words.h"

#include <algorithm>

namespace wave::frontend::check {

ContextSwitch::ContextSwitch(Context& context, const Item& item)
    : context_(context), saved_(std::exchange(context, Context{})) {
  context_.module = item.module;
  context_.owner = item.owner;
  context_.item = &mutable_item(item);
}

ContextSwitch::ContextSwitch(Context& context, const Module& module)
    : context_(context), saved_(std::exchange(context, Context{})) {
  context_.module = &module;
}

Item& mutable_item(const Item& item) { return const_cast<Item&>(item); }

Why declared_as(const std::string& name, Location location, const TypeRef& type) {
  return {location, "`" + name + "` is declared as " + quoted(type) + " here"};
}

namespace {

// What a user means who writes `word`: those of Wave's names for it that are among `known`. Empty if there is no such
// word, or if none of them is known.
std::vector<std::string> meant_by(std::string_view word, const std::vector<std::string>& known) {
  const auto is_known = [&](const std::string& name) {
    return std::find(known.begin(), known.end(), name) != known.end();
  };
  std::vector<std::string> names;
  if (const ForeignWord* foreign = find_foreign_word(word))
    std::copy_if(foreign->names.begin(), foreign->names.end(), std::back_inserter(names), is_known);
  const std::string meant = plain_word(word);
  if (names.empty() && meant != word && is_known(meant)) names.push_back(meant);
  return names;
}

}  // namespace

void Reports::answer(Diagnostic& d, const std::string& word, const std::function<std::vector<std::string>()>& names) {
  const ForeignWord* foreign = find_foreign_word(word);
  const auto is_known = [&](const std::string& name) { return std::ranges::count(names(), name) > 0; };
  // `Rank` is the name `rank` where there is one.
  if (foreign && foreign->names.empty() && (foreign->word == word || !is_known(plain_word(word)))) {
    d.help.emplace_back(foreign->answer);
    return;
  }
  suggest(d, word, names);
  if (d.help.empty() && foreign && !foreign->answer.empty()) d.help.emplace_back(foreign->answer);
}

void Reports::suggest(Diagnostic& d, const std::string& word, const std::function<std::vector<std::string>()>& names) {
  constexpr std::size_t most_suggestions = 100, most_compared = 500'000;
  if (suggestions_++ >= most_suggestions || compared_ >= most_compared) return;
  const std::vector<std::string> known = names();
  compared_ += known.size();
  const std::vector<std::string> meant = meant_by(word, known);
  if (meant.empty()) {
    suggest_nearest(d, word, known);
    return;
  }
  d.help.push_back(did_you_mean(meant));
  for (const std::string& name : meant) {
    if (!d.labels.empty()) d.fixes.push_back({d.labels.front().location, name});
  }
}

Diagnostic& Reports::add(DiagnosticKind kind, Location location, std::string message, std::string label) {
  static thread_local Diagnostic repeated{kind, "", {}, {}, {}};
  const std::string key = std::to_string(static_cast<int>(kind)) + ":" + std::to_string(location.file) + ":" +
                          std::to_string(location.begin) + ":" + std::to_string(location.end) + ":" + message;
  if (is_broken(location) || !reported_.insert(key).second) return repeated = Diagnostic{kind, "", {}, {}, {}};
  Diagnostic& d = diagnostics_.add(kind, location, std::move(message), std::move(label));
  explain_calls(d);
  return d;
}

bool Reports::is_broken(Location location) const {
  for (const auto& module : program_.modules) {
    if (module->file != location.file) continue;
    const auto after = std::ranges::upper_bound(module->broken, location.begin, {}, &Location::begin);
    if (after != module->broken.begin() && location.end <= (after - 1)->end) return true;
  }
  return false;
}

// An error in the body of a function without parameter types belongs to a call as well.
void Reports::explain_calls(Diagnostic& d) {
  std::size_t shown = 0;
  for (auto call = generic_calls_.rbegin(); call != generic_calls_.rend() && shown < 3; ++call, ++shown) {
    d.labels.push_back({call->call, "in this call of `" + call->function->name.text + "`, with " + call->arguments});
  }
}

}  // namespace wave::frontend::check
