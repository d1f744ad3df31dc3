// For people: prose, and columns of text beside each other.
#include "cli/text.h"

#include "cli/formats/document.h"
#include "cli/formats/readable.h"

namespace wave::cli {
namespace {

void write_text(const Document& document, const Sink& out) {
  std::string text;
  for (const auto& passage : document.page(document.tables)) {
    text += sanitize(passage.text);
    text += render(passage.table, passage.indent);
  }
  out(text);
}

}  // namespace

extern const FormatInfo text_format{"table", ".txt", Takes::page, write_text};

}  // namespace wave::cli
