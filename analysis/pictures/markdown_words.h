// The words of a paragraph of Markdown.
#pragma once

#include "analysis/pictures/markdown.h"

namespace wave::analysis::pictures {

// As HTML: code, strong and emphasized words, links, pictures; all else is text.
std::string markdown_words(std::string_view text, const MarkdownPlaces& places);

// HTML that the reader of Markdown has written, without its elements.
std::string without_elements(std::string_view html);

}  // namespace wave::analysis::pictures
