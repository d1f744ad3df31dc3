// See format.h.
#include "cli/formats/format.h"

#include "cli/formats/formats.h"
#include "cli/has_ending.h"

#include <algorithm>
#include <stdexcept>

namespace wave::cli {

const std::vector<const FormatInfo*>& Format::all() {
  static const std::vector<const FormatInfo*> formats{
#define FORMAT(name) &name##_format,
#include "cli/formats/formats.def"
#undef FORMAT
  };
  return formats;
}

Format::Format(std::string_view word) {
  for (const auto* one : all()) {
    if (one->word == word) {
      info_ = one;
      return;
    }
  }
  throw std::invalid_argument("no such format");
}

Format Format::first_that_takes(Takes what) {
  const auto& formats = all();
  const auto found = std::find_if(formats.begin(), formats.end(), [&](const auto* one) { return one->takes == what; });
  if (found == formats.end()) throw std::logic_error("no format takes this");
  return Format(*found);
}

Format Format::for_programs() { return first_that_takes(Takes::rows); }
Format Format::of_everything() { return first_that_takes(Takes::data); }

std::optional<Format> Format::of_file(std::string_view path) {
  for (const auto* one : all()) {
    if (has_ending(std::string(path), std::string(one->ending))) return Format(one);
  }
  return std::nullopt;
}

}  // namespace wave::cli
