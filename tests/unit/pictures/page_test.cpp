// Pages are complete and reproducible, and text from a model stays text.
#include "analysis/pictures/page.h"

#include "analysis/pictures/table_plots.h"
#include "tests/unit/pictures/count.h"
#include "tests/unit/pictures/tables.h"

#include <catch2/catch.hpp>

#include <algorithm>

using namespace wave;
using namespace wave::analysis::pictures;
using namespace wave::test;

namespace {

Page page_named(const std::string& name) {
  auto table = scaling_table();
  table.columns[2].name = name;
  table.columns[0].labels[0] = name;
  Page page{name, name, "wave", {}};
  PageSection section{name, {}};
  section.elements.push_back(element::Words{name});
  section.elements.push_back(element::Facts{{{name, name}}});
  section.elements.push_back(element::Code{name});
  section.elements.push_back(element::Remarks{{name}});
  for (const Plot& plot : usual_plots(table)) section.elements.push_back(element::Picture{plot});
  PageTable texts = page_table(table, 10);
  texts.caption = name;
  section.elements.push_back(element::Numbers{texts, true});
  page.sections.push_back(section);
  return page;
}

}  // namespace

TEST_CASE("text is escaped wherever it may stand") {
  CHECK(escaped("<img src=x onerror=\"a('b')\"> & more") ==
        "&lt;img src=x onerror=&quot;a(&#39;b&#39;)&quot;&gt; &amp; more");
  CHECK(escaped("µs, größer") == "µs, größer");
  CHECK(escaped("a\xFF\xC0\xAF\xED\xA0\x80z") ==
        "a\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBDz");
  CHECK(escaped(std::string_view("a\0b\x1b[2Jc", 8)) ==
        "a\xEF\xBF\xBD"
        "b\xEF\xBF\xBD[2Jc");
  // U+202E reverses the text that follows it.
  CHECK(escaped("a\xE2\x80\xAE"
                "b") ==
        "a\xEF\xBF\xBD"
        "b");
}

TEST_CASE("documentation has code and paragraphs, and is text otherwise") {
  CHECK(prose("the time of\n`send & <b>`, say") == "the time of <code>send &amp; &lt;b&gt;</code>, say");
  CHECK(prose("`a` and `b") == "<code>a</code> and `b");
  CHECK(prose("<code>x</code>") == "&lt;code&gt;x&lt;/code&gt;");
  Page page{"M", "", "", {{"Outputs", {element::Words{"first\nline of `n`\n\nsecond"}}}}};
  PageTable table{"", {{"name", "", false, false}, {"what", "", false, false, true}}, {{"`x`", "of\n`n`"}}, ""};
  page.sections[0].elements.push_back(element::Numbers{table, false});
  const std::string text = render_page(page);
  CHECK(text.find("<p>first line of <code>n</code></p>\n<p>second</p>") != std::string::npos);
  CHECK(text.find("<td>`x`</td><td>of <code>n</code></td>") != std::string::npos);
}

TEST_CASE("JSON in a page ends no script and begins no comment") {
  const std::string json = json_in_script("[\"</script><!-- & \xE2\x80\xA8\xE2\x80\xA9\"]");
  CHECK(json == "[\"\\u003c/script\\u003e\\u003c!-- \\u0026 \\u2028\\u2029\"]");
}

TEST_CASE("a policy names a script by its digest") {
  // The digest of the empty text, in base 64 as RFC 4648 defines it.
  CHECK(policy_source("") == "'sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU='");
  CHECK(policy_source("abc") == "'sha256-ungWv48Bz+pBQUDeXa4iI7ADYaOWF3qctBD/YfIAFa0='");
}

TEST_CASE("nothing that a model says becomes an element or a script") {
  const std::string page = render_page(page_named("</script><script>alert(1)</script><img src=x onerror=alert(2)>\"'"));
  const std::string harmless = render_page(page_named("a name"));
  for (const char* const tag : {"<script", "</script", "<img", "<style", "<div", "<details", "<!--"}) {
    INFO(tag);
    CHECK(count(page, tag) == count(harmless, tag));
  }
  // Long titles of axes go on in a second line, perhaps within the element.
  CHECK(count(page, "onerror=") ==
        count(harmless, "onerror=") + count(page, "onerror=alert(2)&gt;") + count(page, "onerror=alert(2)\\u003e"));
}

TEST_CASE("the same contents give the same page, with no address in it that anything is fetched from") {
  const std::string page = render_page(page_named("a name"));
  CHECK(page == render_page(page_named("a name")));
  CHECK(page.find("default-src 'none'") != std::string::npos);
  CHECK(page.find("unsafe") > page.find("</head>"));
  const std::string head = page.substr(0, page.find("<body>"));
  CHECK(head.find("http://") == std::string::npos);
  CHECK(head.find("https://") == std::string::npos);
  CHECK(count(head, "<script src") == 0);
}

TEST_CASE("every picture has words and a table of its numbers") {
  const std::string page = render_page(page_named("a name"));
  CHECK(count(page, "role=\"img\"") == 1);
  CHECK(count(page, "aria-label=\"Lines of a name") == 1);
  CHECK(count(page, "<caption") == 2);
}

TEST_CASE("lines of documentation that begin with a dash are a list") {
  Page page{"M", "", "", {{"Outputs", {element::Words{"what `n` is:\n- one\n  and more\n- two"}}}}};
  CHECK(render_page(page).find("<p>what <code>n</code> is:</p>\n<ul>\n<li>one   and more</li>\n<li>two</li>\n</ul>") !=
        std::string::npos);
  page.sections[0].elements = {element::Words{"a\n\n- one"}};
  CHECK(render_page(page).find("<p>a</p>\n<ul>\n<li>one</li>\n</ul>") != std::string::npos);
}

TEST_CASE("one of several pages has links and anchors of its own, and no script but what it needs") {
  const std::string evil = "<b a=\"'>&";
  Page page{evil,          "", "", {{evil, {element::Links{{{evil, evil, evil}}}}, "name-x", {{evil, evil}}}}, false,
            {{evil, evil}}};
  page.sections[0].elements.push_back(element::Listing{{{{evil, evil, evil}}, {}}});
  page.sections[0].elements.push_back(element::Drawing{evil, evil, "<svg></svg>"});
  const std::string plain = render_page(page);
  CHECK(plain.find("<b a") == std::string::npos);
  CHECK(plain.find("<section id=\"name-x\"") != std::string::npos);
  CHECK(plain.find("id=\"L2\"") != std::string::npos);
  CHECK(plain.find("<script") == std::string::npos);
  CHECK(plain.find("script-src 'none'") != std::string::npos);
  page.sections[0].elements.push_back(element::Search{{{evil, "</script>", evil, evil, evil}}});
  const std::string searched = render_page(page);
  CHECK(searched.find("<b a") == std::string::npos);
  CHECK(count(searched, "</script>") == 2);
}
