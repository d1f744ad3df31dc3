// Markdown, as this project's documentation is written, as HTML: headings, paragraphs, lists, tables, fences, code,
// strong and emphasized words, links and pictures. HTML in it, other than comments, stays text.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace wave::analysis::pictures {

inline constexpr std::string_view markdown_ending = ".md";  // of a file's name

struct MarkdownLink {
  std::string address;
  std::string title = {};  // what a link shows whose words are the name of a file; empty: those
};

struct MarkdownPlaces {
  // Where a link leads from the page. Nothing: only the words of the link are shown.
  std::function<std::optional<MarkdownLink>(const std::string& target)> link;
  // The address of a picture. Nothing: its words are shown.
  std::function<std::optional<std::string>(const std::string& target)> picture;
  // Code in a language, "wave", as HTML.
  std::function<std::string(const std::string& language, const std::string& text)> code;
};

// A heading and what stands below it up to the next one.
struct MarkdownPart {
  int level = 0;        // 1 to 6; 0: before the first heading
  std::string heading;  // without marks
  std::string id;       // as GitHub makes it; no two of a document are the same
  std::string html;     // what stands below
  std::string text;     // the same without marks
};

std::vector<MarkdownPart> read_markdown(std::string_view text, const MarkdownPlaces& places);

}  // namespace wave::analysis::pictures
