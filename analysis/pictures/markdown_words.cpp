// See markdown_words.h.
#include "analysis/pictures/markdown_words.h"

#include "analysis/pictures/page.h"

#include <fmt/format.h>

#include <array>
#include <cctype>
#include <utility>

namespace wave::analysis::pictures {
namespace {

constexpr std::size_t nowhere = std::string_view::npos;

bool is_space_of_words(char c) { return c == ' ' || c == '\n' || c == '\t'; }
bool is_letter_of_words(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) || static_cast<signed char>(c) < 0;
}

class Words {
 public:
  Words(std::string_view text, const MarkdownPlaces& places, int depth) : text_(text), places_(places), depth_(depth) {}

  std::string read() {
    while (at_ < text_.size()) {
      const bool is_read = escape() || code() || link() || strong() || emphasis();
      if (!is_read) plain_ += text_[at_++];
    }
    flush();
    return std::move(html_);
  }

 private:
  static constexpr int deepest = 20;

  void flush() {
    html_ += escaped(plain_);
    plain_.clear();
  }
  void add(const std::string& html, std::size_t next) {
    flush();
    html_ += html;
    at_ = next;
  }
  std::string inner(std::string_view text) const { return Words(text, places_, depth_ + 1).read(); }
  std::string_view rest() const { return text_.substr(at_); }

  bool escape() {
    const bool is_one =
        text_[at_] == '\\' && at_ + 1 < text_.size() && std::ispunct(static_cast<unsigned char>(text_[at_ + 1]));
    if (!is_one) return false;
    plain_ += text_[at_ + 1];
    at_ += 2;
    return true;
  }

  // As many marks end it as begin it.
  bool code() {
    if (text_[at_] != '`') return false;
    std::size_t marks = 0;
    while (at_ + marks < text_.size() && text_[at_ + marks] == '`') ++marks;
    const std::size_t begin = at_ + marks;
    for (std::size_t end = begin; (end = text_.find('`', end)) != nowhere;) {
      std::size_t closing = 0;
      while (end + closing < text_.size() && text_[end + closing] == '`') ++closing;
      if (closing == marks) {
        std::string words(text_.substr(begin, end - begin));
        const bool is_padded = marks > 1 && words.size() > 2 && words.front() == ' ' && words.back() == ' ';
        if (is_padded) words = words.substr(1, words.size() - 2);
        for (char& c : words) c = c == '\n' ? ' ' : c;
        add("<code>" + escaped(words) + "</code>", end + marks);
        return true;
      }
      end += closing;
    }
    plain_ += text_.substr(at_, marks);
    at_ = begin;
    return true;
  }

  // The bracket that closes the one at an offset, past code.
  std::size_t closing(std::size_t open) const {
    int depth = 0;
    bool in_code = false;
    for (std::size_t i = open; i < text_.size(); ++i) {
      if (text_[i] == '`') in_code = !in_code;
      if (in_code) continue;
      if (text_[i] == '[') ++depth;
      if (text_[i] == ']' && --depth == 0) return i;
    }
    return nowhere;
  }

  bool link() {
    const bool is_picture = rest().starts_with("![");
    if (!is_picture && text_[at_] != '[') return false;
    const std::size_t open = at_ + (is_picture ? 1 : 0), close = closing(open);
    if (close == nowhere || close + 1 >= text_.size() || text_[close + 1] != '(' || depth_ > deepest) return false;
    const std::size_t end = text_.find(')', close);
    if (end == nowhere) return false;
    const std::string target(text_.substr(close + 2, end - close - 2));
    const std::string words = inner(text_.substr(open + 1, close - open - 1));
    add(is_picture ? picture(target, words) : linked(target, words), end + 1);
    return true;
  }

  std::string picture(const std::string& target, const std::string& words) const {
    const auto address = places_.picture(target);
    if (!address) return words;
    return fmt::format("<img src=\"{}\" alt=\"{}\">", escaped(*address), escaped(without_elements(words)));
  }

  std::string linked(const std::string& target, const std::string& words) const {
    const auto link = places_.link(target);
    if (!link) return words;
    const bool names_file = words.find(' ') == std::string::npos && without_elements(words).ends_with(markdown_ending);
    const std::string shown = names_file && !link->title.empty() ? escaped(link->title) : words;
    return fmt::format("<a href=\"{}\">{}</a>", escaped(link->address), shown);
  }

  bool strong() {
    if (!rest().starts_with("**") || depth_ > deepest) return false;
    const std::size_t end = text_.find("**", at_ + 2);
    if (end == nowhere || end == at_ + 2) return false;
    add("<strong>" + inner(text_.substr(at_ + 2, end - at_ - 2)) + "</strong>", end + 2);
    return true;
  }

  // A star between blanks or between letters is a sign of arithmetic.
  bool emphasis() {
    const bool begins = text_[at_] == '*' && at_ + 1 < text_.size() && !is_space_of_words(text_[at_ + 1]) &&
                        (at_ == 0 || !is_letter_of_words(text_[at_ - 1])) && depth_ <= deepest;
    if (!begins) return false;
    for (std::size_t end = at_ + 1; (end = text_.find('*', end + 1)) != nowhere;) {
      const bool ends =
          !is_space_of_words(text_[end - 1]) && (end + 1 == text_.size() || !is_letter_of_words(text_[end + 1]));
      if (!ends) continue;
      add("<em>" + inner(text_.substr(at_ + 1, end - at_ - 1)) + "</em>", end + 1);
      return true;
    }
    return false;
  }

  std::string_view text_;
  const MarkdownPlaces& places_;
  int depth_;
  std::size_t at_ = 0;
  std::string plain_, html_;
};

}  // namespace

std::string markdown_words(std::string_view text, const MarkdownPlaces& places) {
  return Words(text, places, 0).read();
}

std::string without_elements(std::string_view html) {
  static constexpr std::array<std::pair<std::string_view, char>, 5> names{
      {{"&amp;", '&'}, {"&lt;", '<'}, {"&gt;", '>'}, {"&quot;", '"'}, {"&#39;", '\''}}};
  std::string text;
  for (std::size_t i = 0; i < html.size();) {
    if (html[i] == '<') {
      const std::size_t end = html.find('>', i);
      i = end == nowhere ? html.size() : end + 1;
      continue;
    }
    std::size_t length = 1;
    char c = html[i];
    for (const auto& [name, meant] : names) {
      if (html.substr(i).starts_with(name)) c = meant, length = name.size();
    }
    text += c;
    i += length;
  }
  return text;
}

}  // namespace wave::analysis::pictures
