// Reads any text as `wave.toml` and as `wave.lock`: what is wrong has a place in the text, and a lock that was read can
// be written and read again.
#include "frontend/project/manifest.h"
#include "tests/fuzz/promise.h"

using namespace wave::frontend;
using wave::fuzz::promise;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text = wave::fuzz::text_of(data, size);
  Sources sources;
  const std::uint32_t file = sources.add("wave.toml", text);
  Diagnostics diagnostics;
  const auto manifest = read_manifest(sources, file, diagnostics);
  promise(manifest.has_value() != diagnostics.has_errors(), "what is refused has a reason");
  if (manifest) promise(parse_version(to_string(manifest->version)) == manifest->version, "a version stays what it is");
  const auto locked = read_lock(sources, file, diagnostics);
  for (const Diagnostic& one : diagnostics.all()) {
    for (const Label& label : one.labels) {
      const bool is_inside = label.location.begin <= label.location.end && label.location.end <= text.size();
      promise(!label.location.known() || is_inside, "places lie in the text");
    }
  }
  if (!locked) return 0;
  const auto again = read_lock(sources, sources.add("wave.lock", write_lock(*locked)), diagnostics);
  promise(again.has_value() && again->size() == locked->size(), "what was read can be written and read again");
  return 0;
}
