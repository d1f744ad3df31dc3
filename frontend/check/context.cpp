// The context, and reports. Words of other languages and of MPI get a help of their own.
#include "frontend/check/context.h"

#include "frontend/check/expressions.h"
#include "frontend/check/program.h"

#include <algorithm>
#include <cctype>
#include <map>

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

// Wave's names for a foreign word, any of which may be meant. By the word without capitals, underscores, MPI's prefix.
const std::map<std::string, std::vector<std::string>>& meanings() {
  static const std::map<std::string, std::vector<std::string>> all = {{"log", {"ln", "log10", "log2"}},
                                                                      {"bcast", {"broadcast"}},
                                                                      {"alltoall", {"total_exchange"}},
                                                                      {"alltoallw", {"alltoallv"}},
                                                                      {"allgatherv", {"allgather"}},
                                                                      {"reducescatter", {"reduce_scatter"}},
                                                                      {"reducescatterblock", {"reduce_scatter"}},
                                                                      {"gatherv", {"gather"}},
                                                                      {"scatterv", {"scatter"}},
                                                                      {"exscan", {"scan"}},
                                                                      {"cartshift", {"circular_shift"}}};
  return all;
}

std::string plain(std::string_view word) {
  std::string result;
  for (const char c : word) {
    if (c != '_') result += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  }
  return result.rfind("mpi", 0) == 0 ? result.substr(3) : result;
}

// What a user means who writes `word`: those of Wave's names for it that are among `known`. Empty if there is no such
// word, or if none of them is known.
std::vector<std::string> meant_by(std::string_view word, const std::vector<std::string>& known) {
  const std::string meant = plain(word);
  const auto is_known = [&](const std::string& name) {
    return std::find(known.begin(), known.end(), name) != known.end();
  };
  const auto found = meanings().find(meant);
  std::vector<std::string> names;
  if (found == meanings().end()) {
    if (meant != word && is_known(meant)) names.push_back(meant);
    return names;
  }
  std::copy_if(found->second.begin(), found->second.end(), std::back_inserter(names), is_known);
  return names;
}

}  // namespace

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
