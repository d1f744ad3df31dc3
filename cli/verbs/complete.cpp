// `wave complete`: how a command line that is being typed may go on, for the scripts of shells (cli/shells/).
#include "cli/command_line.h"
#include "cli/limits.h"
#include "cli/option_words.h"
#include "cli/options.h"
#include "cli/session.h"
#include "cli/verb.h"
#include "frontend/check/offered_machines.h"
#include "frontend/check/program.h"

#include <fmt/format.h>

#include <algorithm>

namespace wave::cli {
namespace {

using frontend::Item;
namespace item = frontend::item;

struct CompleteCommand {
  std::vector<std::string> words;
};

void declare(CLI::App& verb, CompleteCommand& command, CommonOptions&) {
  add_rest(verb, "WORD", command.words, "The words after `wave`; the last one is not finished, and may be empty");
}

struct Suggestion {
  std::string word, description;
};

// What the shell is told: on the first line what it adds itself, then a word and its description on each line.
struct Answer {
  std::string_view files = "nothing";  // "nothing", "files", "models" (files that end in .wave, folders), "folders"
  std::vector<Suggestion> words = {};
};

// The words of a command line, taken apart.
struct Typed {
  const VerbShape* verb = nullptr;
  const OptionShape* of = nullptr;  // whose value the last word is; null: an option, or nothing that is known
  std::string before;               // of the last word: "--format=" in `--format=cs`
  std::string model, file;
  std::vector<std::string> folders;  // -I
};

const OptionShape* find_option(const VerbShape& verb, const std::string& name) {
  for (const OptionShape& option : verb.options) {
    if (std::find(option.names.begin(), option.names.end(), name) != option.names.end()) return &option;
  }
  return nullptr;
}

class CommandLine {
 public:
  CommandLine(const std::vector<VerbShape>& verbs, const std::vector<std::string>& words) {
    const auto named = [&](const VerbShape& one) { return one.name == words.front(); };
    const auto found = std::find_if(verbs.begin(), verbs.end(), named);
    if (found == verbs.end() || words.size() < 2) return;
    typed_.verb = &*found;
    for (const OptionShape& option : found->options) {
      if (option.is_argument()) arguments_.push_back(&option);
    }
    for (std::size_t i = 1; i < words.size(); ++i) take(words[i], i + 1 == words.size());
  }

  const Typed& typed() const { return typed_; }

 private:
  void take(const std::string& word, bool is_last) {
    const OptionShape* of = std::exchange(waiting_, nullptr);
    std::string value = word;
    if (of == nullptr && word.size() > 1 && word.front() == '-') {
      const std::size_t end = word.starts_with("--") ? word.find('=') : std::min<std::size_t>(2, word.size());
      of = find_option(*typed_.verb, word.substr(0, end));
      const bool holds_value = end < word.size() && of != nullptr && !of->value.empty();
      if (!holds_value) {
        if (of != nullptr && !of->value.empty() && !is_last) waiting_ = of;
        return;
      }
      value = word.substr(word.starts_with("--") ? end + 1 : end);
      if (is_last) typed_.before = word.substr(0, word.size() - value.size());
    } else if (of == nullptr) {
      if (word == "-" && is_last) return;
      of = next_argument();
    }
    if (is_last)
      typed_.of = of;
    else if (of != nullptr)
      note(*of, value);
  }

  const OptionShape* next_argument() {
    if (next_ >= arguments_.size()) return nullptr;
    const OptionShape* const argument = arguments_[next_];
    if (!argument->is_repeated) ++next_;
    return argument;
  }

  void note(const OptionShape& option, const std::string& value) {
    const std::string& name = option.names.front();
    if (name == "--model") typed_.model = value;
    if (name == "-I") typed_.folders.push_back(value);
    if (option.is_argument() && typed_.file.empty()) typed_.file = value;
  }

  Typed typed_;
  std::vector<const OptionShape*> arguments_;
  std::size_t next_ = 0;
  const OptionShape* waiting_ = nullptr;  // for its value
};

// --- what the model that is named has ---

std::string first_line(const std::string& doc) { return doc.substr(0, doc.find('\n')); }

template <class Node>
std::vector<Suggestion> named_items(const std::vector<std::unique_ptr<Item>>& items) {
  std::vector<Suggestion> found;
  for (const auto& one : items) {
    if (std::holds_alternative<Node>(one->node)) found.push_back({one->name.text, first_line(one->doc)});
  }
  return found;
}

std::string described(const frontend::ParameterInfo& parameter) {
  const std::string type = to_string(*parameter.type);
  return parameter.doc.empty() ? type : type + ", " + first_line(parameter.doc);
}

// Quietly: there is nobody to tell.
class NamedModel {
 public:
  NamedModel(const Typed& typed, CommonOptions options)
      : typed_(typed), options_(std::move(options)), console_(options_), session_(console_, options_) {
    options_.search = typed.folders;
    console_.capture();
    is_loaded_ = !typed.file.empty() && typed.file != "-" && session_.load(typed.file);
  }

  std::vector<Suggestion> models() { return is_loaded_ ? named_items<item::Model>(items()) : Suggestions(); }
  std::vector<Suggestion> studies() { return is_loaded_ ? named_items<item::Study>(items()) : Suggestions(); }
  std::vector<Suggestion> processes() {
    const Item* const model = chosen();
    return model != nullptr ? named_items<item::Process>(members(*model)) : Suggestions();
  }
  std::vector<Suggestion> outputs() {
    const Item* const model = chosen();
    return model != nullptr ? named_items<item::Output>(members(*model)) : Suggestions();
  }
  std::vector<Suggestion> parameters(std::string_view after) {
    const Item* const model = chosen();
    if (model == nullptr) return {};
    Suggestions found;
    frontend::Diagnostics ignored;
    for (const auto& one : lower_model(session_.program(), *model, {}, ignored).parameters)
      found.push_back({one.path + std::string(after), described(one)});
    return found;
  }

 private:
  using Suggestions = std::vector<Suggestion>;
  const std::vector<std::unique_ptr<Item>>& items() { return session_.program().main().items; }
  static const std::vector<std::unique_ptr<Item>>& members(const Item& model) {
    return std::get<item::Model>(model.node).members;
  }
  const Item* chosen() { return is_loaded_ ? choose_model(session_, typed_.model) : nullptr; }

  const Typed& typed_;
  CommonOptions options_;
  Console console_;
  Session session_;
  bool is_loaded_ = false;
};

// --- what a value may be ---

std::vector<Suggestion> choices(const std::string& value) {
  std::vector<Suggestion> words;
  std::size_t begin = 0;
  while (begin <= value.size()) {
    const std::size_t end = std::min(value.find('|', begin), value.size());
    words.push_back({value.substr(begin, end - begin), ""});
    begin = end + 1;
  }
  return words;
}

std::vector<Suggestion> modules() {
  std::vector<Suggestion> names;
  for (const auto& [name, text] : frontend::standard_library()) names.push_back({name, ""});
  return names;
}

std::vector<Suggestion> machines() {
  std::vector<Suggestion> names;
  for (const auto& one : frontend::library_machines())
    names.push_back({one.module + "." + one.name, first_line(one.doc)});
  return names;
}

std::vector<Suggestion> codes() {
  std::vector<Suggestion> all;
  for (const auto kind : frontend::all_kinds())
    all.push_back({std::string(code_of(kind)), std::string(title_of(kind))});
  return all;
}

// `a,b=` goes on with a name after the last comma.
std::string before_last_name(const std::string& value) {
  const auto comma = value.rfind(',');
  return comma == std::string::npos ? "" : value.substr(0, comma + 1);
}

Answer answer_for_model(const Typed& typed, const CommonOptions& options) {
  const OptionShape& option = *typed.of;
  const std::string& name = option.names.front();
  NamedModel model(typed, options);
  if (name == "--model") return {"nothing", model.models()};
  if (name == "--study") return {"nothing", model.studies()};
  if (name == "--process") return {"nothing", model.processes()};
  const bool is_expression = option.value.starts_with("EXPR");
  auto words = model.parameters(is_expression || option.value == "NAME,..." ? "" : "=");
  if (is_expression) {
    auto outputs = model.outputs();
    words.insert(words.begin(), outputs.begin(), outputs.end());
  }
  return {"nothing", std::move(words)};
}

Answer answer_for_value(const Typed& typed, const CommonOptions& options) {
  const OptionShape& option = *typed.of;
  const std::string &value = option.value, &name = option.names.front();
  if (option.is_argument()) {
    if (name == "CODE") return {"nothing", codes()};
    if (name == "MODULE") return {"models", modules()};
    if (name == "MACHINE") return {"models", machines()};
    const std::string first = option.description.substr(0, option.description.find(' '));
    if (first.find('|') != std::string::npos) return {"files", choices(first)};  // osu|imb|csv and files of that kind
    return name == "FILE" ? Answer{"models", modules()} : Answer{"files"};
  }
  if (value.find('|') != std::string::npos) return {"nothing", choices(value)};
  if (value == "DIR") return {"folders"};
  if (value == "CSV" || value == "FILE") return {"files"};
  const bool names_model_parts = value.starts_with("EXPR") || value.starts_with("NAME=") || value == "NAME,..." ||
                                 name == "--model" || name == "--study" || name == "--process";
  return names_model_parts ? answer_for_model(typed, options) : Answer{};
}

Answer options_of(const VerbShape& verb) {
  Answer answer;
  for (const OptionShape& option : verb.options) {
    if (option.is_argument()) continue;
    const auto is_long = [](const std::string& name) { return name.starts_with("--"); };
    const auto found = std::find_if(option.names.begin(), option.names.end(), is_long);
    answer.words.push_back({found != option.names.end() ? *found : option.names.front(), option.description});
  }
  return answer;
}

Answer answer(const std::vector<VerbShape>& verbs, const std::vector<std::string>& words,
              const CommonOptions& options) {
  if (words.size() < 2) {
    Answer all;
    for (const VerbShape& verb : verbs) all.words.push_back({verb.name, verb.summary});
    return all;
  }
  const CommandLine line(verbs, words);
  const Typed& typed = line.typed();
  if (typed.verb == nullptr) return {};
  if (typed.of == nullptr) return words.back().starts_with('-') ? options_of(*typed.verb) : Answer{};
  Answer found = answer_for_value(typed, options);
  std::string before = typed.before;
  if (typed.of->value.ends_with(",...")) before += before_last_name(words.back().substr(before.size()));
  for (Suggestion& one : found.words) one.word = before + one.word;
  return found;
}

int execute(const CompleteCommand& command, const CommonOptions& options, Console& console) {
  const std::vector<VerbShape> verbs = shapes_of_verbs();
  const std::vector<std::string> words = command.words.empty() ? std::vector<std::string>{""} : command.words;
  const Answer found = answer(verbs, words, options);
  console.print(fmt::format("{}\n", found.files));
  for (const Suggestion& one : found.words) {
    if (one.word.starts_with(words.back())) console.print(fmt::format("{}\t{}\n", one.word, one.description));
  }
  return success;
}

}  // namespace

Verb complete_verb() {
  return make_verb<CompleteCommand>("complete", "Say how a command line may go on; the scripts of shells ask this",
                                    {{"List the parameters of a model that begin with `m`",
                                      "wave complete -- run examples/sweep3d/sweep3d.wave -D m"},
                                     {"List the formats of results", "wave complete -- run --format ''"}},
                                    declare, execute);
}

}  // namespace wave::cli
