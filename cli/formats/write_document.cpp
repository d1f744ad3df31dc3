// See write_document.h.
#include "cli/formats/write_document.h"

#include "cli/display.h"

#include <fmt/format.h>

namespace wave::cli {

int write_document(const Document& document, Format format, const std::string& file, Console& console) {
  if (format->takes == Takes::rows && !document.remarks.empty())
    console.remark(sanitize(fmt::format("{}\n", fmt::join(document.remarks, "\n"))));
  return write_result(file, written(document, format), console);
}

}  // namespace wave::cli
