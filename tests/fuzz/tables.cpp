// Reads any text as a table in CSV: of parameter values, of measurements, and as the data file of a `table`.
#include "analysis/validation/measured_data.h"
#include "frontend/lower/lower.h"
#include "tests/folder.h"
#include "tests/fuzz/promise.h"

using namespace wave;
using fuzz::promise;

namespace {

constexpr const char* model_text = R"(wave 1
machine Net { param L: time = 1 us; param G: time/data = 1 us/B; protocol p(s: data) { sender { emit payload after L + s * G }; receiver { await payload } } }
model M {
  param net: Net = Net()
  param n: int
  param m: int = 1
  param Wg: time = 1 us
  param mode: fast | slow = fast
  param f: real = 1
  param on: bool = true
  param title: string = "x"
  output total = n * m * Wg
}
)";

// Texts are added to a program and stay in it, so it is made anew now and then.
class Reader {
 public:
  Reader() {
    const std::string text = model_text;
    program_ = frontend::load("<fuzz>", {}, diagnostics_, &text);
    model_ = frontend::find_item(*program_, "M", diagnostics_);
    promise(!diagnostics_.has_errors() && model_ != nullptr, "the model of this target has no errors");
  }
  bool is_used_up() const { return uses_ > 1000; }

  void read(const std::string& text) {
    ++uses_;
    const std::uint32_t file = program_->sources.add("table.csv", text);
    read_values(file);
    read_measured(file);
  }

 private:
  void read_values(std::uint32_t file) {
    frontend::Diagnostics diagnostics;
    std::vector<std::string> words;
    analysis::ValueTable table(*program_, *model_, file, diagnostics);
    if (diagnostics.has_errors()) return;
    table.read_rows(words);
    if (diagnostics.has_errors()) return;
    for (const auto& column : table.columns())
      promise(analysis::length(column.values) == table.rows().size(), "a column has a value for each row");
  }

  void read_measured(std::uint32_t file) {
    frontend::Diagnostics diagnostics;
    const analysis::MeasuredData data(*program_, *model_, file, {}, diagnostics);
    if (diagnostics.has_errors()) return;
    std::size_t rows = 0;
    for (const auto& one : data.configurations()) rows += one.rows.size();
    promise(rows == data.rows(), "each row belongs to one configuration");
    for (const double time : data.measured()) promise(time > 0, "what was measured is positive");
    promise(data.table().rows == data.rows(), "pictures show all rows");
  }

  frontend::Diagnostics diagnostics_;
  std::unique_ptr<frontend::Program> program_;
  const frontend::Item* model_ = nullptr;
  int uses_ = 0;
};

// A model that reads a data file by its first two columns, whatever these are called.
void read_data_file(const std::string& text) {
  static const test::Folder folder;
  static const std::string path = folder.write("data.csv", "");
  static const std::string model = "wave 1\nmodel M { let t = table \"data.csv\" by n: time\n output total = t(2) }\n";
  test::write_file(path, text);
  frontend::Diagnostics diagnostics;
  const auto program = frontend::load((folder.path() / "m.wave").string(), {}, diagnostics, &model);
  const auto* const found = frontend::find_item(*program, "M", diagnostics);
  if (!diagnostics.has_errors()) frontend::lower_model(*program, *found, {}, diagnostics);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static std::unique_ptr<Reader> reader;
  if (reader == nullptr || reader->is_used_up()) reader = std::make_unique<Reader>();
  const std::string text = fuzz::text_of(data, size);
  reader->read(text);
  read_data_file(text);
  return 0;
}
