// Words of MPI and of other languages are answered.
#include "frontend/source/foreign_words.h"

#include "tests/unit/frontend_check/checked.h"

#include <catch2/catch.hpp>

#include <fstream>
#include <set>
#include <sstream>

namespace wave::frontend {

TEST_CASE("every foreign word is written as it is looked up, once, and says something") {
  std::set<std::string_view> seen;
  for (const ForeignWord& one : foreign_words()) {
    CAPTURE(one.word);
    CHECK(plain_word(one.word) == one.word);
    CHECK(seen.insert(one.word).second);
    CHECK((!one.answer.empty() || !one.names.empty()));
    CHECK(find_foreign_word("MPI_" + std::string(one.word)) == &one);
  }
}

TEST_CASE("every foreign word is answered where it is a value and where it is called", "[long]") {
  for (const ForeignWord& one : foreign_words()) {
    const std::string word(one.word);
    for (const std::string& text : {"let x = " + word + " + 1",
                                    "import std.machines.ibm_sp2 { SP2 }\nmodel M { grid P[i: 4]\nprocess p on P "
                                    "using SP2() { " +
                                        word + "(8 B) } }"}) {
      CAPTURE(text);
      const Checked checked = check_text(text);
      for (const Diagnostic& d : checked.diagnostics.all()) {
        CAPTURE(d.message);
        const bool is_answered = !one.answer.empty() || text.rfind("import", 0) == 0;
        if (d.kind == DiagnosticKind::unknown_name && is_answered) CHECK_FALSE(d.help.empty());
      }
      CHECK(checked.diagnostics.has_errors());
    }
  }
}

TEST_CASE("every foreign word stands in the program that shows what is said of it") {
  std::ifstream file(std::string(WAVE_PROGRAMS) + "/errors/words_of_others.wave");
  std::stringstream text;
  text << file.rdbuf();
  std::set<std::string> shown;
  for (std::string word; text >> word;) shown.insert(plain_word(word.substr(0, word.find('('))));
  for (const ForeignWord& one : foreign_words()) {
    CAPTURE(one.word);
    CHECK(shown.count(std::string(one.word)) == 1);
  }
}

}  // namespace wave::frontend
