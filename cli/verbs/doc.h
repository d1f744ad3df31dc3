// What `wave doc` shows of declarations, on a terminal and on pages.
#pragma once

#include "analysis/pictures/page.h"
#include "cli/module_list.h"

#include <functional>
#include <map>
#include <string>
#include <vector>

namespace wave::cli {

// What the modules of the library are called together.
inline constexpr std::string_view library_name = "std";

// What a user of the module meets; the rest only where its author documents it.
bool worth_showing(const frontend::Item& item);

// Where the pages of a site are, as seen from another page of it.
class SitePlaces {
 public:
  SitePlaces(const ModuleList& list, const std::vector<const frontend::Module*>& modules);

  const std::string& name(const frontend::Module& module) const { return names_.at(&module); }
  // Of a module, "module/std.comm.html", and of its text, as a file of the site.
  std::string page(const frontend::Module& module) const { return "module/" + files_.at(&module) + ".html"; }
  std::string text(const frontend::Module& module) const { return "source/" + files_.at(&module) + ".html"; }
  // Of a declaration on its page, and of a place in a text. Empty if the site has no page of it.
  std::string of(const frontend::Item& item) const;
  std::string of(const frontend::Sources& sources, Location place) const;

 private:
  std::map<const frontend::Module*, std::string> names_, files_;
  std::map<std::uint32_t, const frontend::Module*> by_file_;
};

// The text of a module, with names that lead to what they mean.
analysis::pictures::Page source_page(const frontend::Program& program, const frontend::Module& module,
                                     const SitePlaces& places);

// From a page of the site back to its root, "../" for "module/std.comm.html".
std::string up_from(const std::string& file);

// A text of a model as HTML, of which words, numbers and comments look different.
std::string coloured(std::string_view text);

// --- doc_documentation.cpp: the documentation that is in the program ---
// Pages by the names of their files, "docs/guide.html"; what a search finds on them is added to `search`. `module_text`
// has the file of a module's text, empty if the site has none.
using PagesByFile = std::map<std::string, analysis::pictures::Page>;
PagesByFile documentation_pages(const std::function<std::string(const std::string& module)>& module_text,
                                analysis::pictures::element::Search& search);
// To its pages, in the order of docs/README.md, from the root of the site.
analysis::pictures::element::Links documentation_links();

// --- doc_site.cpp ---
// `wave doc --html`: pages of all modules, in a folder; with those of the documentation if the list is the library's.
int write_site(const ModuleList& list, const std::string& folder, Session& session);

}  // namespace wave::cli
