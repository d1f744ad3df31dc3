// See manifest.h.
#include "frontend/project/manifest.h"

#include "base/utf8.h"
#include "frontend/project/toml_text.h"

#include <fmt/format.h>

// Of toml++ 3.3, texts such as "[`a]" break what its assertions say. With NDEBUG it promises that to the compiler;
// without assertions it goes on to its own error.
#undef NDEBUG
#define TOML_ASSERT(expr) static_assert(true)
#define TOML_EXCEPTIONS 0
#define TOML_HEADER_ONLY 1
#include <algorithm>
#include <set>
#include <toml++/toml.h>

namespace wave::frontend {
namespace {

constexpr std::size_t most_folders = 64, most_dependencies = 200;

// Reads tables, and says where something is wrong.
class Reader {
 public:
  Reader(const Sources& sources, std::uint32_t file, Diagnostics& diagnostics)
      : text_(sources.text(file)), toml_(text_), file_(file), diagnostics_(diagnostics) {}

  bool parse() {
    if (!toml_.is_whole()) {
      trouble({file_, 0, 0}, fmt::format("there are more than {} different characters", TomlText::most_replaced));
      return false;
    }
    toml::parse_result parsed = toml::parse(toml_.replaced());
    if (!parsed) {
      std::string why = toml_.original(parsed.error().description());
      if (!why.empty() && why.front() >= 'A' && why.front() <= 'Z')
        why.front() = static_cast<char>(why.front() + ('a' - 'A'));
      trouble(location(parsed.error().source()), "this is no TOML: " + why, "here");
      return false;
    }
    top_ = std::move(parsed).table();
    return true;
  }

  const toml::table& top() const { return top_; }
  bool is_sound() const { return is_sound_; }

  // Columns of TOML count characters.
  Location location(const toml::source_region& region) const {
    const std::uint32_t begin = offset(region.begin), end = offset(region.end);
    return {file_, begin, std::max(end, begin)};
  }
  Location location(const toml::node& node) const { return location(node.source()); }
  Location location(const toml::key& key) const { return location(key.source()); }

  Diagnostic& trouble(Location location, const std::string& message, const std::string& label = "") {
    is_sound_ = false;
    return diagnostics_.add(DiagnosticKind::bad_project, location, message, label);
  }

  // What toml++ gives as a text is that in the file.
  std::string original(std::string_view text) const { return toml_.original(text); }

  void check_keys(const toml::table& table, const std::vector<std::string>& known) {
    for (const auto& [key, value] : table) {
      const std::string name = original(key.str());
      if (std::find(known.begin(), known.end(), name) != known.end()) continue;
      Diagnostic& d = trouble(location(key), "there is no use for `" + name + "` here");
      if (!suggest_nearest(d, name, known)) d.help.push_back("what may stand here: " + quoted_list(known));
    }
  }

  // The text of a key. Nothing, reported, where it is missing although it is `needed`, or is something else.
  std::optional<std::string> text(const toml::table& table, const char* key, bool needed) {
    const toml::node* const node = table.get(key);
    if (node == nullptr) {
      if (needed) trouble(location(table), fmt::format("`{}` is missing", key));
      return std::nullopt;
    }
    if (const auto* const found = node->as_string()) return original(found->get());
    trouble(location(*node), fmt::format("`{}` is a text, in quotes", key));
    return std::nullopt;
  }

 private:
  std::uint32_t offset(const toml::source_position& position) const {
    std::size_t at = 0;
    for (toml::source_index line = 1; line < position.line && at < text_.size(); ++line)
      at = std::min(text_.find('\n', at), text_.size() - 1) + 1;
    for (toml::source_index column = 1; column < position.column && at < text_.size(); ++column) {
      if (text_[at] == '\n') break;
      do ++at;
      while (at < text_.size() && !starts_code_point(text_[at]));
    }
    return static_cast<std::uint32_t>(at);
  }

  std::string_view text_;
  TomlText toml_;
  std::uint32_t file_;
  Diagnostics& diagnostics_;
  toml::table top_;
  bool is_sound_ = true;
};

// A name that an import may begin with.
bool is_name(const std::string& text) {
  const auto is_letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; };
  const auto is_part = [&](char c) { return is_letter(c) || (c >= '0' && c <= '9'); };
  return !text.empty() && is_letter(text.front()) && std::all_of(text.begin(), text.end(), is_part) && text != "std";
}

bool is_digest(const std::string& text) {
  constexpr std::size_t letters = 64;
  return text.size() == letters && text.find_first_not_of("0123456789abcdef") == std::string::npos;
}

// Whether a folder lies below the project by its name alone.
bool is_below(const std::string& folder) {
  if (folder.empty() || folder.front() == '/' || folder.find('\0') != std::string::npos) return false;
  return folder != ".." && !folder.starts_with("../") && folder.find("/../") == std::string::npos &&
         !folder.ends_with("/..");
}

void read_name(Reader& reader, const toml::table& project, Manifest& manifest) {
  const auto name = reader.text(project, "name", true);
  if (!name) return;
  manifest.name = *name;
  manifest.location = reader.location(*project.get("name"));
  if (!is_name(*name)) {
    reader.trouble(manifest.location, fmt::format("`{}` is no name of a project", *name))
        .help.push_back("imports begin with it: letters, digits and `_`, and not `std`");
  }
}

void read_version(Reader& reader, const toml::table& project, Manifest& manifest) {
  const auto text = reader.text(project, "version", true);
  if (!text) return;
  const auto version = parse_version(*text);
  if (version)
    manifest.version = *version;
  else
    reader.trouble(reader.location(*project.get("version")), fmt::format("`{}` is no version", *text))
        .help.push_back("a version is three numbers: `version = \"0.1.0\"`");
}

void read_edition(Reader& reader, const toml::table& project, Manifest& manifest) {
  const toml::node* const node = project.get("edition");
  if (node == nullptr) return;
  const auto* const number = node->as_integer();
  if (number == nullptr || number->get() != 1)
    reader.trouble(reader.location(*node), "there is no such edition of the language")
        .help.push_back("this version of Wave knows `edition = 1`");
}

void read_folders(Reader& reader, const toml::table& project, Manifest& manifest) {
  const toml::node* const node = project.get("folders");
  if (node == nullptr) {
    manifest.folders = {"."};
    return;
  }
  const auto* const list = node->as_array();
  if (list == nullptr || list->empty() || list->size() > most_folders) {
    reader.trouble(reader.location(*node), fmt::format("`folders` lists 1 to {} folders", most_folders))
        .help.push_back("for example `folders = [\"models\"]`");
    return;
  }
  for (const toml::node& one : *list) {
    const auto* const folder = one.as_string();
    const std::string name = folder != nullptr ? reader.original(folder->get()) : "";
    if (is_below(name))
      manifest.folders.push_back(name);
    else
      reader.trouble(reader.location(one), "a folder of modules lies below the project")
          .help.push_back("what lies elsewhere is a project of its own, and a dependency");
  }
}

void read_dependency(Reader& reader, const toml::key& key, const toml::node& node, Manifest& manifest) {
  Dependency dependency;
  dependency.name = reader.original(key.str());
  dependency.location = reader.location(key);
  if (!is_name(dependency.name) || dependency.name == manifest.name) {
    reader.trouble(dependency.location, fmt::format("`{}` is no name of a dependency", dependency.name))
        .help.push_back("it is the name of the other project, with which imports begin");
    return;
  }
  std::optional<std::string> range;
  if (const auto* const text = node.as_string()) {
    range = reader.original(text->get());
  } else if (const auto* const table = node.as_table()) {
    reader.check_keys(*table, {"path", "version"});
    dependency.path = reader.text(*table, "path", false).value_or("");
    range = reader.text(*table, "version", false);
  } else {
    reader.trouble(reader.location(node), "a dependency has a path, or a version")
        .help.push_back(fmt::format("`{0} = {{ path = \"../{0}\" }}`, or `{0} = \"1.0\"` of an installed package",
                                    dependency.name));
    return;
  }
  if (range) {
    const auto parsed = VersionRange::parse(*range);
    if (!parsed) {
      reader.trouble(reader.location(node), fmt::format("`{}` is no range of versions", *range))
          .help.push_back("`\"1.2\"` takes 1.2.0 and what is compatible with it; also `\">=1.0, <1.5\"`, `\"=1.2.3\"`");
      return;
    }
    dependency.range = *parsed;
    dependency.range_text = *range;
  }
  manifest.dependencies.push_back(std::move(dependency));
}

void read_dependencies(Reader& reader, Manifest& manifest) {
  const toml::node* const node = reader.top().get("dependencies");
  if (node == nullptr) return;
  const auto* const table = node->as_table();
  if (table == nullptr || table->size() > most_dependencies) {
    reader.trouble(reader.location(*node),
                   fmt::format("`dependencies` is a table of at most {} projects", most_dependencies));
    return;
  }
  for (const auto& [key, value] : *table) read_dependency(reader, key, value, manifest);
}

}  // namespace

std::optional<Manifest> read_manifest(const Sources& sources, std::uint32_t file, Diagnostics& diagnostics) {
  Reader reader(sources, file, diagnostics);
  if (!reader.parse()) return std::nullopt;
  reader.check_keys(reader.top(), {"project", "dependencies"});
  const auto* const project = reader.top().get_as<toml::table>("project");
  if (project == nullptr) {
    reader.trouble({file, 0, 0}, "the table `[project]` is missing")
        .help.push_back("`wave new` shows what a project file looks like");
    return std::nullopt;
  }
  reader.check_keys(*project, {"name", "version", "edition", "folders"});
  Manifest manifest;
  read_name(reader, *project, manifest);
  read_version(reader, *project, manifest);
  read_edition(reader, *project, manifest);
  read_folders(reader, *project, manifest);
  read_dependencies(reader, manifest);
  return reader.is_sound() ? std::optional(std::move(manifest)) : std::nullopt;
}

std::optional<std::vector<Locked>> read_lock(const Sources& sources, std::uint32_t file, Diagnostics& diagnostics) {
  Reader reader(sources, file, diagnostics);
  if (!reader.parse()) return std::nullopt;
  std::vector<Locked> all;
  if (const auto* const list = reader.top().get_as<toml::array>("package")) {
    for (const toml::node& one : *list) {
      const auto* const table = one.as_table();
      if (table == nullptr) continue;
      const auto name = reader.text(*table, "name", true), version = reader.text(*table, "version", true),
                 digest = reader.text(*table, "digest", true);
      if (!name || !version || !digest) continue;
      if (is_name(*name) && parse_version(*version) && is_digest(*digest))
        all.push_back({*name, *version, *digest, reader.location(*table)});
      else
        reader.trouble(reader.location(*table), "this is not what a dependency was")
            .help.push_back("`wave lock` writes the file anew");
    }
  }
  return reader.is_sound() ? std::optional(std::move(all)) : std::nullopt;
}

std::string write_lock(const std::vector<Locked>& locked) {
  std::string text = "# Written by `wave lock`: the dependencies as they were.\n";
  for (const Locked& one : locked) {
    text += fmt::format("\n[[package]]\nname = \"{}\"\nversion = \"{}\"\ndigest = \"{}\"\n", one.name, one.version,
                        one.digest);
  }
  return text;
}

}  // namespace wave::frontend
