// See page.h. Everything that comes from a model goes through `escaped`, or stands as JSON in a block of data. A policy
// lets nothing run but the scripts of this page, which it names by their digests.
#include "analysis/pictures/page.h"

#include "analysis/pictures/assets.h"
#include "analysis/pictures/vega_lite.h"
#include "base/digest.h"
#include "base/utf8.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstdint>

namespace wave::analysis::pictures {

namespace {

constexpr std::size_t most_rows_below_a_picture = 500;

class Renderer {
 public:
  explicit Renderer(const Page& page) : page_(page) {}

  std::string render() {
    std::string body;
    for (std::size_t i = 0; i < page_.sections.size(); ++i) body += section(page_.sections[i], i + 1);
    const std::string style =
        colour_variables() + asset("page.css") + (page_.stands_alone ? std::string() : asset("site.css"));
    const std::string vega = asset("vega.min") + "\n" + asset("vega-lite.min") + "\n" + asset("vega-interpreter");
    const std::string& script = page_.stands_alone ? asset("page.js") : has_search_ ? asset("search.js") : no_script;
    std::string sources = script.empty() ? "'none'" : policy_source(script);
    if (has_pictures()) sources += " " + policy_source(vega);
    std::string text = fmt::format(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
        "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; script-src {}; style-src {}; "
        "img-src data:; "
        "base-uri 'none'; form-action 'none'\">\n"
        "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<meta name=\"color-scheme\" "
        "content=\"light dark\">\n"
        "<meta name=\"generator\" content=\"{}\">\n<link rel=\"icon\" "
        "href=\"data:,\">\n<title>{}</title>\n<style>{}</style>\n</head>\n",
        sources, policy_source(style), escaped(page_.generator), escaped(page_.title), style);
    text += fmt::format("<body>\n<a class=\"skip\" href=\"#contents\">To the contents</a>\n<header>\n{}<h1>{}</h1>\n",
                        links(page_.links), escaped(page_.title));
    if (!page_.subtitle.empty()) text += fmt::format("<p class=\"subtitle\">{}</p>\n", escaped(page_.subtitle));
    text += "</header>\n" + navigation() + "<main id=\"contents\" tabindex=\"-1\">\n" + body + "</main>\n";
    text += fmt::format("<footer>\n<p>Made by {}.</p>\n", escaped(page_.generator));
    if (has_pictures()) {
      text += "<details>\n<summary>Licences of what draws the pictures</summary>\n<pre>" + escaped(asset("licences")) +
              "</pre>\n</details>\n";
    }
    text += "</footer>\n";
    if (page_.stands_alone) text += "<script type=\"application/json\" id=\"pictures\">[" + pictures_ + "]</script>\n";
    if (has_pictures()) text += "<script>" + vega + "</script>\n";
    if (!script.empty()) text += "<script>" + script + "</script>\n";
    return text + "</body>\n</html>\n";
  }

 private:
  bool has_pictures() const { return count_ > 0 && !asset("vega.min").empty(); }
  inline static const std::string no_script;

  static std::string id_of(const PageSection& section, std::size_t number) {
    return section.id.empty() ? fmt::format("section-{}", number) : escaped(section.id);
  }

  std::string navigation() const {
    if (page_.sections.size() < 2 && !page_.stands_alone) return "";
    std::string text = "<nav aria-label=\"Contents\">\n<ul>\n";
    for (std::size_t i = 0; i < page_.sections.size(); ++i) {
      if (page_.sections[i].heading.empty()) continue;
      text += fmt::format("<li><a href=\"#{}\">{}</a></li>\n", id_of(page_.sections[i], i + 1),
                          escaped(page_.sections[i].heading));
    }
    return text + "</ul>\n</nav>\n";
  }

  std::string section(const PageSection& section, std::size_t number) {
    if (section.heading.empty()) return "<section>\n" + links(section.links) + elements_of(section) + "</section>\n";
    const std::string head =
        fmt::format("<section id=\"{2}\" aria-labelledby=\"heading-{0}\">\n<h2 id=\"heading-{0}\">{1}</h2>\n{3}",
                    number, escaped(section.heading), id_of(section, number), links(section.links));
    return head + elements_of(section) + "</section>\n";
  }

  std::string elements_of(const PageSection& section) {
    std::string text;
    for (const PageElement& element : section.elements)
      text += std::visit([&](const auto& one) { return render(one); }, element);
    return text;
  }

  static std::string render(const element::Markup& markup) { return markup.html; }

  std::string render(const element::Words& words) {
    std::string text;
    for (std::size_t begin = 0; begin < words.text.size();) {
      const std::size_t end = std::min(words.text.find("\n\n", begin), words.text.size());
      if (end > begin) text += paragraph(words.text.substr(begin, end - begin));
      begin = end + 2;
    }
    return text;
  }

  // Lines that begin with `- `, and those that go on with them, are items of a list.
  static std::string paragraph(const std::string& text) {
    const std::size_t first = text.starts_with("- ") ? 0 : text.find("\n- ");
    if (first == std::string::npos) return fmt::format("<p>{}</p>\n", prose(text));
    std::string result = first == 0 ? "" : fmt::format("<p>{}</p>\n", prose(text.substr(0, first)));
    result += "<ul>\n";
    std::size_t begin = text.find("- ", first) + 2;
    while (begin < text.size()) {
      const std::size_t end = std::min(text.find("\n- ", begin), text.size());
      result += fmt::format("<li>{}</li>\n", prose(text.substr(begin, end - begin)));
      begin = end + 3;
    }
    return result + "</ul>\n";
  }

  std::string render(const element::Facts& facts) {
    std::string text = "<dl>\n";
    for (const auto& [name, value] : facts.of) {
      text += fmt::format("<div><dt>{}</dt><dd>{}</dd></div>\n", escaped(name), escaped(value));
    }
    return text + "</dl>\n";
  }

  std::string render(const element::Code& code) {
    return fmt::format("<pre tabindex=\"0\"><code>{}</code></pre>\n", escaped(code.text));
  }

  std::string render(const element::Remarks& remarks) {
    std::string text = "<ul class=\"remarks\">\n";
    for (const std::string& line : remarks.lines) text += fmt::format("<li>{}</li>\n", prose(line));
    return text + "</ul>\n";
  }

  std::string render(const element::Numbers& numbers) {
    const std::string text = table(numbers.table);
    if (!numbers.folded) return text;
    return fmt::format("<details class=\"in-print\">\n<summary>{}</summary>\n{}</details>\n",
                       prose(numbers.table.caption), text);
  }

  std::string table(const PageTable& table) {
    const std::size_t number = ++tables_;
    std::string text = fmt::format(
        "<div class=\"scroll\" role=\"group\" aria-labelledby=\"table-{0}\" tabindex=\"0\">\n<table>\n"
        "<caption id=\"table-{0}\">{1}</caption>\n<thead><tr>",
        number, prose(table.caption));
    for (const auto& column : table.columns) {
      const std::string words = column.words.empty() ? "" : fmt::format(" title=\"{}\"", escaped(column.words));
      text += fmt::format("<th scope=\"col\"{}{}>{}</th>", column.is_number ? " class=\"n\"" : "", words,
                          escaped(column.heading));
    }
    text += "</tr></thead>\n<tbody>\n";
    for (const auto& row : table.rows) {
      text += "<tr>";
      for (std::size_t i = 0; i < row.size(); ++i) {
        const bool is_number = i < table.columns.size() && table.columns[i].is_number;
        const bool is_prose = i < table.columns.size() && table.columns[i].is_prose;
        text +=
            fmt::format("<td{}>{}</td>", is_number ? " class=\"n\"" : "", is_prose ? prose(row[i]) : escaped(row[i]));
      }
      text += "</tr>\n";
    }
    text += "</tbody>\n</table>\n</div>\n";
    if (!table.note.empty()) text += fmt::format("<p class=\"note\">{}</p>\n", escaped(table.note));
    return text;
  }

  std::string render(const element::Picture& picture) {
    const Plot& plot = picture.plot;
    if (count_ > 0) pictures_ += ",\n";
    pictures_ += json_in_script(vega_lite(plot, Medium::page));
    std::string text = fmt::format("<figure>\n<figcaption>{}</figcaption>\n", escaped(plot.title));
    std::vector<std::string> remarks;
    if (const std::string key = key_to_signs(plot); !key.empty()) remarks.push_back(key);
    remarks.insert(remarks.end(), plot.notes.begin(), plot.notes.end());
    text += fmt::format("<div class=\"picture\" role=\"img\" data-picture=\"{}\" aria-label=\"{}\"></div>\n", count_++,
                        escaped(plot.words));
    for (const std::string& remark : remarks) text += fmt::format("<p class=\"note\">{}</p>\n", escaped(remark));
    PageTable numbers = page_table(plot, most_rows_below_a_picture);
    text += fmt::format(
        "<details>\n<summary>In words and numbers<span class=\"unseen\">: "
        "{}</span></summary>\n<p>{}</p>\n{}</details>\n</figure>\n",
        escaped(plot.title), escaped(plot.words), table(numbers));
    return text;
  }

  static std::string links(const std::vector<Link>& all) {
    std::string text;
    for (const Link& one : all)
      text += fmt::format("{}<a href=\"{}\">{}</a>", text.empty() ? "" : " ", escaped(one.address), escaped(one.text));
    return text.empty() ? "" : "<p class=\"links\">" + text + "</p>\n";
  }

  std::string render(const element::Links& links) {
    std::string text = "<dl class=\"list\">\n";
    for (const Link& one : links.of) {
      text += fmt::format("<div><dt><a href=\"{}\">{}</a></dt><dd>{}</dd></div>\n", escaped(one.address),
                          escaped(one.text), prose(one.words));
    }
    return text + "</dl>\n";
  }

  std::string render(const element::Drawing& drawing) {
    return fmt::format(
        "<figure>\n<figcaption>{}</figcaption>\n<div class=\"picture scroll\" role=\"img\" aria-label=\"{}\" "
        "tabindex=\"0\"><div aria-hidden=\"true\">{}</div></div>\n</figure>\n",
        escaped(drawing.title), escaped(drawing.words), drawing.svg);
  }

  std::string render(const element::Listing& listing) {
    std::string text = "<pre class=\"listing\" tabindex=\"0\"><code>";
    for (std::size_t i = 0; i < listing.lines.size(); ++i) {
      text += fmt::format("<span class=\"line\" id=\"L{}\">", i + 1);
      for (const auto& [words, kind, address] : listing.lines[i]) {
        std::string piece = escaped(words);
        if (!kind.empty()) piece = fmt::format("<span class=\"{}\">{}</span>", escaped(kind), piece);
        if (!address.empty()) piece = fmt::format("<a href=\"{}\">{}</a>", escaped(address), piece);
        text += piece;
      }
      text += "</span>\n";
    }
    return text + "</code></pre>\n";
  }

  std::string render(const element::Search& search) {
    has_search_ = true;
    nlohmann::json all = nlohmann::json::array();
    for (const auto& one : search.entries) all.push_back({one.name, one.kind, one.place, one.words, one.address});
    const auto replace = nlohmann::json::error_handler_t::replace;
    return "<div id=\"search\" hidden>\n<label for=\"wanted\" class=\"unseen\">Search</label>\n<input id=\"wanted\" "
           "type=\"search\" "
           "autocomplete=\"off\" spellcheck=\"false\">\n<p id=\"count\" class=\"note\" role=\"status\"></p>\n"
           "<dl id=\"found\" class=\"list\"></dl>\n</div>\n"
           "<script type=\"application/json\" id=\"index\">" +
           json_in_script(all.dump(-1, ' ', false, replace)) + "</script>\n";
  }

  const Page& page_;
  bool has_search_ = false;
  std::string pictures_;  // specifications, between commas
  std::size_t count_ = 0, tables_ = 0;
};

}  // namespace

std::string render_page(const Page& page) { return Renderer(page).render(); }

std::string escaped(std::string_view text) {
  std::string result;
  while (!text.empty()) {
    const auto [c, length] = first_code_point(text);
    const std::string_view character = text.substr(0, length);
    text.remove_prefix(length == 0 ? 1 : length);
    if (length == 0 || (is_control(c) && c != '\n' && c != '\t')) {
      result += replacement_character;
    } else if (c == '&') {
      result += "&amp;";
    } else if (c == '<') {
      result += "&lt;";
    } else if (c == '>') {
      result += "&gt;";
    } else if (c == '"') {
      result += "&quot;";
    } else if (c == '\'') {
      result += "&#39;";
    } else {
      result += character;
    }
  }
  return result;
}

std::string prose(std::string_view text) {
  std::string words(text);
  std::replace(words.begin(), words.end(), '\n', ' ');
  std::string result;
  for (std::size_t at = 0; at < words.size();) {
    const std::size_t open = words.find('`', at), close = open == words.npos ? open : words.find('`', open + 1);
    result += escaped(std::string_view(words).substr(at, close == words.npos ? words.npos : open - at));
    if (close == words.npos) break;
    result += "<code>" + escaped(std::string_view(words).substr(open + 1, close - open - 1)) + "</code>";
    at = close + 1;
  }
  return result;
}

std::string json_in_script(std::string_view json) {
  std::string result;
  for (const char c : json) {
    // In JSON these stand only within strings, where an escape means the same.
    if (c == '<' || c == '>' || c == '&')
      result += fmt::format("\\u{:04x}", static_cast<int>(c));
    else
      result += c;
  }
  // Scripts take these for ends of lines, though JSON does not.
  for (const auto& [mark, escape] :
       {std::pair<std::string_view, const char*>{"\xE2\x80\xA8", "\\u2028"}, {"\xE2\x80\xA9", "\\u2029"}}) {
    for (std::size_t at = 0; (at = result.find(mark, at)) != std::string::npos;)
      result.replace(at, mark.size(), escape);
  }
  return result;
}

std::string base64(std::string_view bytes) {
  static constexpr char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    const auto byte = [&](std::size_t at) {
      return at < bytes.size() ? std::uint32_t{static_cast<std::uint8_t>(bytes[at])} : 0;
    };
    const std::uint32_t group = byte(i) << 16 | byte(i + 1) << 8 | byte(i + 2);
    for (int part = 0; part < 4; ++part) {
      const bool is_there = i + static_cast<std::size_t>(part) <= bytes.size();
      text += is_there ? letters[group >> (18 - 6 * part) & 63] : '=';
    }
  }
  return text;
}

std::string policy_source(std::string_view text) {
  const Digest bytes = digest(text);
  return "'sha256-" + base64(std::string(bytes.begin(), bytes.end())) + "'";
}

}  // namespace wave::analysis::pictures
