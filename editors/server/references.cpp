// All places of a name, in all files, and other names for it.
#include "editors/server/features.h"
#include "editors/server/index.h"
#include "frontend/parse/tokens.h"

#include <algorithm>
#include <cctype>
#include <map>

namespace wave::editors {
namespace {

using namespace frontend;

// The places of a target in one file.
struct FileOfPlaces {
  std::shared_ptr<const IndexedFile> file;
  std::vector<Location> places;        // in their order
  std::vector<Location> declarations;  // of these, those of declarations
};

// Whether a word at the place of a declaration is another name for it, which an import gives. `super` and `default` are
// words of the language.
bool is_other_name(std::string_view word, std::string_view declared) {
  return word != declared && word != "super" && word != "default";
}

std::vector<FileOfPlaces> places_of(const IndexedFiles& files, const Target& target) {
  std::vector<FileOfPlaces> all;
  for (const auto& [key, file] : files) {
    FileOfPlaces here{file, {}, {}};
    for (const IndexedName& one : file->names) {
      if (one.origin.begin != target.begin || file->key_of(one.origin) != target.key) continue;
      here.places.push_back(one.place);
      if (one.is_declaration) here.declarations.push_back(one.place);
    }
    if (!here.places.empty()) all.push_back(std::move(here));
  }
  return all;
}

std::string_view word_at(const FileOfPlaces& file, Location place) {
  return std::string_view(*file.file->text).substr(place.begin, place.end - place.begin);
}

// What is called otherwise stays: `super`, `default`, and another name that an import gives.
std::vector<FileOfPlaces> those_called(const std::string& name, std::vector<FileOfPlaces> files) {
  for (FileOfPlaces& file : files)
    std::erase_if(file.places, [&](Location place) { return word_at(file, place) != name; });
  std::erase_if(files, [](const FileOfPlaces& file) { return file.places.empty(); });
  return files;
}

bool is_name(const std::string& text) {
  const auto is_letter = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; };
  return !text.empty() && !std::isdigit(static_cast<unsigned char>(text[0])) &&
         std::all_of(text.begin(), text.end(), is_letter);
}

[[noreturn]] void refuse(const std::string& why) { throw RequestError{ErrorCode::request_failed, why}; }

std::string renamed(const FileOfPlaces& file, const std::string& name) {
  std::string text = *file.file->text;
  for (auto place = file.places.rbegin(); place != file.places.rend(); ++place)
    text.replace(place->begin, place->end - place->begin, name);
  return text;
}

// Where the target is declared once the places before it in its file have another length.
Target moved(const Target& target, const std::vector<FileOfPlaces>& files, const std::string& name) {
  Target to = target;
  for (const FileOfPlaces& file : files) {
    if (file.file->key != target.key) continue;
    const auto before = std::count_if(file.places.begin(), file.places.end(),
                                      [&](Location place) { return place.begin < target.begin; });
    to.begin += static_cast<std::uint32_t>(before) * static_cast<std::uint32_t>(name.size() - target.name.size());
  }
  to.name = name;
  return to;
}

// The files that have a name in their texts, with the texts that these files would have.
FileTexts texts_with(const std::string& name, const std::vector<FileOfPlaces>& changed, const IndexedFiles& all) {
  FileTexts texts;
  for (const auto& [key, file] : all) {
    if (file->text->find(name) != std::string::npos) texts[key] = file->text;
  }
  for (const FileOfPlaces& one : changed)
    texts[one.file->key] = std::make_shared<const std::string>(renamed(one, name));
  return texts;
}

// With the new name, the same places mean the same declaration, and nothing else does.
void require_same_meaning(const Project& project, const Target& target, const std::string& name,
                          const std::vector<FileOfPlaces>& files, const IndexedFiles& all,
                          const std::atomic<bool>& stop) {
  const IndexedFiles after = read_files(project, texts_with(name, files, all), stop);
  if (stop) return;
  std::map<std::string, FileOfPlaces> found;
  for (FileOfPlaces& one : those_called(name, places_of(after, moved(target, files, name))))
    found[one.file->key] = std::move(one);
  for (const FileOfPlaces& one : files) {
    const auto same = found.find(one.file->key);
    const bool clear = same != found.end() && same->second.places.size() == one.places.size() &&
                       same->second.file->errors <= one.file->errors;
    if (!clear) refuse("`" + name + "` would mean something else in " + one.file->key);
  }
  if (found.size() > files.size()) refuse("`" + name + "` already means something else in another file");
}

}  // namespace

std::optional<Target> target_at(const View& view, std::uint32_t offset) {
  const auto name = view.analysis.at(offset);
  if (!name) return std::nullopt;
  const Location origin = view.analysis.origin(name->declared);
  const Module* module = view.analysis.module_of(origin.file);
  const std::string_view declared = view.analysis.sources().text(origin);
  const std::string_view word = view.analysis.sources().text(name->place);
  return Target{module ? module->key : "", origin.begin, origin.end,
                std::string(is_other_name(word, declared) ? word : declared)};
}

Json references(const Project& project, const Target& target, bool with_declarations, const std::atomic<bool>& stop) {
  Json all = Json::array();
  for (const FileOfPlaces& one : places_of(project.index->files(project, stop), target)) {
    const Lines lines(*one.file->text, project.encoding);
    for (const Location place : one.places) {
      const bool is_declaration =
          std::find(one.declarations.begin(), one.declarations.end(), place) != one.declarations.end();
      if (with_declarations || !is_declaration)
        all.push_back({{"uri", project.uri_of(one.file->key)}, {"range", lines.range(place)}});
    }
  }
  return all;
}

Json prepare_rename(const View& view, std::uint32_t offset) {
  const auto name = view.analysis.at(offset);
  if (!name) refuse("there is no name here");
  const Location origin = view.analysis.origin(name->declared);
  const Module* module = view.analysis.module_of(origin.file);
  const Declaration* declaration = view.analysis.declaration(origin);
  if (!module || !declaration) refuse("there is no name here that a file declares");
  const std::string_view word = view.analysis.sources().text(name->place);
  const bool is_of_import =
      view.analysis.sources().text(origin) == declaration->name && is_other_name(word, declaration->name);
  if (is_of_import) return {{"range", view.lines.range(name->place)}, {"placeholder", word}};
  const std::string& library = view.project.library_folder;
  if (is_of_library(*module) || (!library.empty() && module->key.starts_with(library + "/")))
    refuse("`" + declaration->name + "` belongs to the standard library");
  if (declaration->kind == DeclarationKind::level)
    refuse("levels are compared by their names, so each stays what it is");
  if (declaration->item && std::holds_alternative<item::Test>(declaration->item->node) &&
      declaration->kind == DeclarationKind::item)
    refuse("the name of a test is a text: change it where it stands");
  if (word != declaration->name) refuse("`" + std::string(word) + "` stands for `" + declaration->name + "` here");
  if (view.analysis.sources().text(origin) != declaration->name)
    refuse("this name follows from the import; give it another one with `as`");
  return {{"range", view.lines.range(name->place)}, {"placeholder", declaration->name}};
}

Json rename(const Project& project, const Target& target, const std::string& name, const std::atomic<bool>& stop) {
  if (!is_name(name)) refuse("a name is letters, digits and `_`, and does not begin with a digit");
  if (is_keyword(name)) refuse("`" + name + "` is a word of the language");
  Json changes = Json::object();
  if (name == target.name) return {{"changes", changes}};
  const IndexedFiles& all = project.index->files(project, stop);
  const auto files = those_called(target.name, places_of(all, target));
  require_same_meaning(project, target, name, files, all, stop);
  for (const FileOfPlaces& one : files) {
    const Lines lines(*one.file->text, project.encoding);
    Json edits = Json::array();
    for (const Location place : one.places) edits.push_back({{"range", lines.range(place)}, {"newText", name}});
    changes[project.uri_of(one.file->key)] = std::move(edits);
  }
  return {{"changes", std::move(changes)}};
}

}  // namespace wave::editors
