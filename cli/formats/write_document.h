// Where documents go.
#pragma once

#include "cli/console.h"
#include "cli/formats/document.h"

namespace wave::cli {

// To the file, or to standard output where none is named; what a format of rows has no place for to standard error.
// What the verb returns.
int write_document(const Document& document, Format format, const std::string& file, Console& console);

}  // namespace wave::cli
