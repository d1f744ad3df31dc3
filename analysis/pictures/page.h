// Pages in HTML: a report, which needs nothing else, neither a network nor files, or one of several that lead to each
// other. They have no date, so the same contents give the same bytes.
#pragma once

#include "analysis/pictures/page_table.h"
#include "analysis/pictures/plot.h"

#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace wave::analysis::pictures {

struct Link {
  std::string text, address;
  std::string words = {};  // documentation of what is there
};

namespace element {
// Paragraphs, between empty lines.
struct Words {
  std::string text;
};
// Names and what they are.
struct Facts {
  std::vector<std::pair<std::string, std::string>> of;
};
struct Numbers {
  PageTable table;
  bool folded = false;  // opened by whoever wants to see it
};
struct Picture {
  Plot plot;
};
// HTML that the program has made itself: nothing of a model is in it but text that went through escaped().
struct Markup {
  std::string html;
};
// As it is written.
struct Code {
  std::string text;
};
// What is wrong or left out.
struct Remarks {
  std::vector<std::string> lines;
};
struct Links {
  std::vector<Link> of;
};
// A picture that is drawn already, in SVG by the program's own drawing module.
struct Drawing {
  std::string title, words;
  std::string svg;
};
// The lines of a text with numbers, which addresses name (`#L12`), in pieces.
struct Listing {
  struct Piece {
    std::string text;
    std::string kind = {};     // "keyword": how it looks
    std::string address = {};  // where it leads
  };
  std::vector<std::vector<Piece>> lines;
};
// A field that finds what the other pages have.
struct Search {
  struct Entry {
    std::string name, kind, place;  // "SP2", "machine", "std.machines.ibm_sp2"
    std::string words;
    std::string address;
  };
  std::vector<Entry> entries;
};
}  // namespace element
using PageElement =
    std::variant<element::Words, element::Markup, element::Facts, element::Numbers, element::Picture, element::Code,
                 element::Remarks, element::Links, element::Drawing, element::Listing, element::Search>;

struct PageSection {
  std::string heading;  // empty: it has none
  std::vector<PageElement> elements;
  std::string id = {};           // what addresses call it; empty: by its number
  std::vector<Link> links = {};  // below its heading
};

struct Page {
  std::string title;
  std::string subtitle;
  std::string generator;  // "wave 0.1.0"
  std::vector<PageSection> sections;
  bool stands_alone = true;      // false: one of several
  std::vector<Link> links = {};  // to the others, above the title
};

// The page as one HTML file, which needs no other.
std::string render_page(const Page& page);

// --- text of a model in a page: it stays text, whatever it holds ---

// Text for the contents of HTML elements and for attributes in double quotes. Bytes that are no UTF-8, and control
// characters, become marks of replacement.
std::string escaped(std::string_view text);

// A paragraph of documentation as the contents of an HTML element. Lines are joined, `code` becomes code, and all else
// is text.
std::string prose(std::string_view text);

// JSON for a `<script type="application/json">`. Nothing in it ends the element or begins a comment.
std::string json_in_script(std::string_view json);

// Bytes as text, as addresses with data have them.
std::string base64(std::string_view bytes);

// What a Content-Security-Policy calls a script or a style sheet of this text: 'sha256-...'.
std::string policy_source(std::string_view text);

}  // namespace wave::analysis::pictures
