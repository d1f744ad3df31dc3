// The pages of the documentation in a site. Their files lie as their texts do in the repository, so that most links
// stay.
#include "analysis/pictures/markdown.h"
#include "analysis/pictures/page.h"
#include "cli/embedded.h"
#include "cli/verbs/doc.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <set>
#include <utility>

namespace wave::cli {
namespace {

using namespace analysis::pictures;
namespace fs = std::filesystem;

constexpr std::string_view list_of_pages = "docs/README.md";
constexpr std::string_view folder_of_diagnostics = "docs/diagnostics/";

// All texts, by their paths.
const std::map<std::string, std::string>& texts() {
  static const std::map<std::string, std::string> all = [] {
    std::map<std::string, std::string> found(documentation().begin(), documentation().end());
    for (const auto& [code, text] : diagnostic_pages())
      found.emplace(std::string(folder_of_diagnostics) + code + std::string(markdown_ending), text);
    return found;
  }();
  return all;
}

bool is_page(const std::string& path) { return path.ends_with(markdown_ending) && texts().count(path) > 0; }
bool is_diagnostic(const std::string& path) { return path.starts_with(std::string(folder_of_diagnostics) + "E"); }

std::string file_of(const std::string& path) { return path.substr(0, path.size() - markdown_ending.size()) + ".html"; }

// The path that a link of a text means, and what follows `#` with it.
struct LinkTarget {
  std::string path, fragment;
};
LinkTarget resolve(const std::string& from, const std::string& link) {
  const std::size_t mark = std::min(link.find('#'), link.size());
  const std::string path = link.substr(0, mark), fragment = link.substr(mark);
  if (path.empty()) return {from, fragment};
  return {(fs::path(from).parent_path() / path).lexically_normal().generic_string(), fragment};
}

// `stdlib/std/machines/ibm_sp2.wave` is the text of `std.machines.ibm_sp2`; empty for anything else.
std::string module_of(const std::string& path) {
  constexpr std::string_view folder = "stdlib/", extension = ".wave";
  if (!path.starts_with(folder) || !path.ends_with(extension)) return "";
  std::string name = path.substr(folder.size(), path.size() - folder.size() - extension.size());
  std::replace(name.begin(), name.end(), '/', '.');
  return name;
}

// Of a page, which begins with `# `.
std::string title_of(const std::string& text) { return text.substr(2, text.find('\n') - 2); }

std::string in_one_line(const std::string& text) {
  std::string words;
  for (const char c : text) {
    const bool is_space = c == ' ' || c == '\n';
    if (!is_space || (!words.empty() && words.back() != ' ')) words += is_space ? ' ' : c;
  }
  return words;
}

using ModuleText = std::function<std::string(const std::string&)>;

MarkdownPlaces places_on(const std::string& path, const ModuleText& module_text) {
  const std::string up = up_from(path);
  MarkdownPlaces places;
  places.link = [path, up, module_text](const std::string& link) -> std::optional<MarkdownLink> {
    if (link.starts_with("https://") || link.starts_with("http://")) return MarkdownLink{link};
    const auto [target, fragment] = resolve(path, link);
    if (target == path) return MarkdownLink{fragment};
    if (is_page(target)) return MarkdownLink{up + file_of(target) + fragment, title_of(texts().at(target))};
    const std::string text = module_text(module_of(target));
    return text.empty() ? std::nullopt : std::optional(MarkdownLink{up + text});
  };
  places.picture = [path](const std::string& link) -> std::optional<std::string> {
    const auto svg = texts().find(resolve(path, link).path);
    if (svg == texts().end()) return std::nullopt;
    return "data:image/svg+xml;base64," + base64(svg->second);
  };
  places.code = [](const std::string& language, const std::string& text) {
    return language == "wave" || language.starts_with("wave ") ? coloured(text) : escaped(text);
  };
  return places;
}

// A second title begins a section.
std::vector<MarkdownPart> parts_of(const std::string& text, const MarkdownPlaces& places) {
  std::vector<MarkdownPart> parts = read_markdown(text, places);
  bool has_title = false;
  for (MarkdownPart& part : parts) {
    if (part.level == 1 && std::exchange(has_title, true)) part.level = 2;
  }
  return parts;
}

// The heading of the page, sections of the second level, and all that stands below them.
Page page_of(const std::vector<MarkdownPart>& parts) {
  Page page;
  for (const MarkdownPart& part : parts) {
    if (part.level == 1) page.title = part.heading;
    if (part.level == 2 || page.sections.empty())
      page.sections.push_back({part.level == 2 ? part.heading : "", {}, part.level == 2 ? part.id : ""});
    std::string html = part.html;
    if (part.level > 2)
      html = fmt::format("<h{0} id=\"{1}\">{2}</h{0}>\n", part.level, escaped(part.id), escaped(part.heading)) + html;
    if (!html.empty()) page.sections.back().elements.push_back(element::Markup{std::move(html)});
  }
  std::erase_if(page.sections, [](const PageSection& one) { return one.heading.empty() && one.elements.empty(); });
  return page;
}

void add_to(element::Search& search, const std::string& path, const std::string& title,
            const std::vector<MarkdownPart>& parts) {
  for (const MarkdownPart& part : parts) {
    if (part.level == 0 && part.text.empty()) continue;
    const bool is_section = part.level > 1;
    const std::string kind = is_section ? "section" : is_diagnostic(path) ? "diagnostic" : "page";
    search.entries.push_back({is_section ? part.heading : title, kind, is_section ? title : "", in_one_line(part.text),
                              file_of(path) + (is_section ? "#" + part.id : "")});
  }
}

// All codes, below what is said of them.
PageSection diagnostics_section() {
  element::Links links;
  for (const auto& [code, text] : diagnostic_pages()) {
    const std::string title = title_of(text);
    links.of.push_back({code, code + ".html", title.substr(std::min(title.find(": ") + 2, title.size()))});
  }
  return {"All codes", {std::move(links)}, "all-codes"};
}

// What the page says first.
std::string first_words(const std::string& path) {
  MarkdownPlaces places = places_on(path, [](const std::string&) { return ""; });
  for (const MarkdownPart& part : read_markdown(texts().at(path), places)) {
    if (!part.text.empty()) return first_sentence(part.text.substr(0, part.text.find('\n')));
  }
  return "";
}

}  // namespace

std::string up_from(const std::string& file) {
  std::string up;
  for (const char c : file) up += c == '/' ? "../" : "";
  return up;
}

PagesByFile documentation_pages(const ModuleText& module_text, element::Search& search) {
  PagesByFile pages;
  for (const auto& [path, text] : texts()) {
    if (!is_page(path)) continue;
    const auto parts = parts_of(text, places_on(path, module_text));
    Page page = page_of(parts);
    add_to(search, path, page.title, parts);
    if (path == std::string(folder_of_diagnostics) + "README.md") page.sections.push_back(diagnostics_section());
    pages.emplace(file_of(path), std::move(page));
  }
  return pages;
}

element::Links documentation_links() {
  std::vector<std::string> paths{"README.md"};
  std::set<std::string> seen(paths.begin(), paths.end());
  MarkdownPlaces places = places_on(std::string(list_of_pages), [](const std::string&) { return ""; });
  places.link = [&](const std::string& link) -> std::optional<MarkdownLink> {
    const std::string path = resolve(std::string(list_of_pages), link).path;
    if (is_page(path) && seen.insert(path).second) paths.push_back(path);
    return std::nullopt;
  };
  read_markdown(texts().at(std::string(list_of_pages)), places);
  for (const auto& [path, text] : texts()) {
    if (is_page(path) && !is_diagnostic(path) && path != list_of_pages && seen.insert(path).second)
      paths.push_back(path);
  }
  element::Links links;
  for (const std::string& path : paths) {
    links.of.push_back({title_of(texts().at(path)), file_of(path), first_words(path)});
  }
  return links;
}

}  // namespace wave::cli
