// Reads any text as the data file of a `table`, in which the model looks for a column of numbers and one of times.
#include "frontend/lower/lower.h"
#include "tests/folder.h"
#include "tests/fuzz/promise.h"

using namespace wave;
using fuzz::promise;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const test::Folder folder;
  static const std::string path = folder.write("data.csv", "");
  static const std::string model = "wave 1\nmodel M { let t = table \"data.csv\" by n: time\n output total = t(2) }\n";
  test::write_file(path, fuzz::text_of(data, size));
  frontend::Diagnostics diagnostics;
  const auto program = frontend::load((folder.path() / "m.wave").string(), {}, diagnostics, &model);
  const auto* const found = frontend::find_item(*program, "M", diagnostics);
  promise(found != nullptr, "whatever the data file, the model is there");
  if (!diagnostics.has_errors()) frontend::lower_model(*program, *found, {}, diagnostics);
  return 0;
}
