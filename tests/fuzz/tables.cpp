// Reads any text as a table, in CSV, JSON or Extra-P's text: of parameter values, and of measurements.
#include "analysis/validation/measured_data.h"
#include "frontend/lower/lower.h"
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
    read_measured(file, {});
    read_measured(file, {"total", {"n"}, {"w=x"}, {}, analysis::TableReading{',', true}});
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

  void read_measured(std::uint32_t file, const analysis::MeasuredColumns& columns) {
    frontend::Diagnostics diagnostics;
    const analysis::MeasuredData data(*program_, *model_, file, columns, diagnostics);
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

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static std::unique_ptr<Reader> reader;
  if (reader == nullptr || reader->is_used_up()) reader = std::make_unique<Reader>();
  reader->read(fuzz::text_of(data, size));
  return 0;
}
