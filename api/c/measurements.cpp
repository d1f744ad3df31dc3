// See measurements.h.
#include "api/c/measurements.h"

#include "analysis/parameter_headings.h"
#include "analysis/validation/parameter_fit.h"
#include "analysis/value_text.h"
#include "api/c/columns.h"
#include "frontend/format/quantities.h"
#include "frontend/source/csv.h"
#include "frontend/source/files.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace wave::api {
namespace {

using analysis::MeasuredQuestion;
using frontend::DiagnosticKind;
namespace item = frontend::item;
namespace types = frontend::types;

// Positions in a text have 32 bits.
constexpr std::size_t most_bytes_of_table = std::size_t{4000} << 20;

std::optional<frontend::Dimension> dimension_of_output(const item::Output& output) {
  if (!analysis::is_one_value(output)) return std::nullopt;
  if (std::holds_alternative<types::Int>(output.value->type->kind)) return frontend::Dimension{};
  const auto* const real = std::get_if<types::Real>(&output.value->type->kind);
  return real ? std::optional(real->dimension) : std::nullopt;
}

// What measurements in SI units are of: what the output of that name is, or the only quantity that the outputs are.
// Nothing where that is not clear.
std::optional<frontend::Dimension> dimension_measured(const frontend::Item& model, const std::string& name) {
  std::vector<frontend::Dimension> quantities;
  for (const auto& member : std::get<item::Model>(model.node).members) {
    const auto* const output = std::get_if<item::Output>(&member->node);
    const auto dimension = output ? dimension_of_output(*output) : std::nullopt;
    if (!dimension) continue;
    if (member->name.text == name) return dimension;
    const bool is_new = std::find(quantities.begin(), quantities.end(), *dimension) == quantities.end();
    if (!dimension->plain() && is_new) quantities.push_back(*dimension);
  }
  return quantities.size() == 1 ? std::optional(quantities.front()) : std::nullopt;
}

// Writes the caller's columns as a table, whose headings have the units that the caller left out.
class ColumnsText {
 public:
  ColumnsText(Model& model, const wave_measurements& measurements)
      : model_(model),
        given_(measurements),
        ignored_(texts_of(measurements.ignore, measurements.ignore_count, "measurements.ignore")),
        measured_(measurements.measured ? measurements.measured : only_unknown()) {}

  std::string write() {
    std::string text;
    for (std::size_t i = 0; i < given_.column_count; ++i)
      text += (i == 0 ? "" : ",") + frontend::csv_field(heading(given_.columns[i].name));
    for (std::size_t row = 0; row < given_.rows; ++row) {
      for (std::size_t i = 0; i < given_.column_count; ++i) {
        text += i == 0 ? '\n' : ',';
        if (!is_ignored(given_.columns[i].name))
          text += frontend::csv_field(cell_text(given_.columns[i], row, given_.skip_missing != 0));
      }
      if (text.size() > most_bytes_of_table || text.size() > model_.settings.memory_bytes / 2)
        fail(WAVE_LIMIT, DiagnosticKind::out_of_memory, "the measurements need more memory than the limit",
             "give fewer rows, or allow more");
    }
    return text + "\n";
  }

 private:
  static frontend::CsvHeading parts_of(const std::string& given) {
    return split_heading(frontend::CsvCell{given, 0, static_cast<std::uint32_t>(given.size())});
  }
  bool is_measured(const std::string& given) const {
    return frontend::read_heading(given).is_called(frontend::read_heading(measured_).name);
  }
  bool is_ignored(std::string_view name) const {
    return std::find(ignored_.begin(), ignored_.end(), name) != ignored_.end();
  }

  // The column that is no parameter, where there is but one.
  std::string only_unknown() const {
    std::vector<std::string> unknown;
    for (std::size_t i = 0; i < given_.column_count; ++i) {
      const std::string given = given_.columns[i].name;
      std::string name(parts_of(given).name);
      const analysis::ParameterHeadings known(model_.program->program(), model_.item, no_names_);
      if (!is_ignored(name) && !known.find(frontend::read_heading(given)).type) unknown.push_back(std::move(name));
    }
    return unknown.size() == 1 ? unknown.front() : "";
  }

  std::string heading(const std::string& given) const {
    const std::string name(parts_of(given).name);
    if (!parts_of(given).unit.empty() || is_ignored(name)) return given;
    const auto dimension = is_measured(given) ? of_measured(name) : analysis::dimension_of(type_of(name));
    // `wall_ms` and `time (s)` have units of their own.
    const auto own = frontend::read_heading(given);
    const auto& own_unit = own.unit.empty() ? own.name_unit : own.unit;
    const bool names_parameter = !is_measured(given) && type_of(name) == nullptr;
    if (names_parameter || (dimension && analysis::is_unit_of(own_unit, *dimension))) return given;
    return dimension ? analysis::heading(given, frontend::standard_scale(*dimension).unit) : given;
  }

  // Null: there is no parameter of that name.
  frontend::TypeRef type_of(const std::string& name) const {
    frontend::Diagnostics aside;
    return parameter_type(model_.program->program(), model_.item, name, {}, aside);
  }

  // An expression may be of any dimension, which a unit then has to say.
  std::optional<frontend::Dimension> of_measured(const std::string& name) const {
    if (!given_.show) return dimension_measured(model_.item, name);
    const auto& members = std::get<item::Model>(model_.item.node).members;
    const bool is_output = std::any_of(members.begin(), members.end(), [&](const auto& one) {
      return one->name.text == given_.show && std::holds_alternative<item::Output>(one->node);
    });
    return is_output ? dimension_measured(model_.item, given_.show) : std::nullopt;
  }

  Model& model_;
  const wave_measurements& given_;
  const std::vector<std::string> ignored_;
  const std::map<std::string, frontend::TypeRef> no_names_ = {};
  const std::string measured_;  // the column of measurements; empty where it is not clear
};

std::string text_of_file(const Model& model, const std::string& file) {
  const std::size_t most = std::min(most_bytes_of_table, model.settings.memory_bytes / 2);
  auto read = frontend::read_plain_file(file, most);
  if (!read.ok) fail(WAVE_FAILED, DiagnosticKind::cannot_read, fmt::format("cannot read `{}`: {}", file, read.text));
  return std::move(read.text);
}

}  // namespace

char decimal_of(const char* given, const char* argument) {
  const std::string_view text = given ? given : ".";
  if (text != "." && text != ",") throw Misuse{fmt::format("`{}.decimal` is neither `.` nor `,`", argument)};
  return text.front();
}

wave_measurements checked_measurements(const wave_measurements* given) {
  const auto measurements = read_structure(given, "measurements");
  if (!measurements.file && measurements.column_count == 0)
    throw Misuse{"`measurements` has neither a file nor columns"};
  if (measurements.file && measurements.column_count > 0)
    throw Misuse{"`measurements` has a file and columns, of which only one may be"};
  if (measurements.file && std::string(measurements.file) == "-")
    throw Misuse{"`measurements.file` is `-`: the library reads no standard input"};
  need_array(measurements.columns, measurements.column_count, "measurements.columns");
  for (std::size_t i = 0; i < measurements.column_count; ++i) check_column(measurements.columns[i], measurements.rows);
  return measurements;
}

MeasuredQuestion question_of(Model& model, const wave_measurements& measurements) {
  MeasuredQuestion question;
  question.name = measurements.file ? measurements.file : "the columns";
  question.columns.measured = measurements.measured ? measurements.measured : "";
  question.columns.ignored = texts_of(measurements.ignore, measurements.ignore_count, "measurements.ignore");
  question.columns.reading = {measurements.file ? decimal_of(measurements.decimal, "measurements") : '.',
                              measurements.skip_missing != 0};
  question.where = texts_of(measurements.where, measurements.where_count, "measurements.where");
  if (measurements.show) question.show.emplace_back(measurements.show);
  std::string text =
      measurements.file ? text_of_file(model, measurements.file) : ColumnsText(model, measurements).write();
  question.file = model.program->program().sources.add(question.name, std::move(text));
  return question;
}

analysis::GivenModel given_model(const Model& model, std::vector<std::string> given, const backend::Limits& limits) {
  return {model.program->program(),
          model.item,
          std::move(given),
          [settings = model.settings](const ir::System& system) { return engine_of(settings, system); },
          model.settings.options.threads,
          limits};
}

void while_others_read(std::unique_lock<std::mutex>& reading, const analysis::MeasuredModel& measured,
                       const std::function<void()>& work) {
  if (are_lowered_later(measured.points->variables())) return work();
  struct Unlocked {
    std::unique_lock<std::mutex>& lock;
    explicit Unlocked(std::unique_lock<std::mutex>& lock) : lock(lock) { lock.unlock(); }
    ~Unlocked() { lock.lock(); }
  };
  const Unlocked unlocked(reading);
  work();
}

bool is_absolute(int errors) {
  if (errors != WAVE_RELATIVE && errors != WAVE_ABSOLUTE)
    throw Misuse{"`options.errors` is " + std::to_string(errors) + ": WAVE_RELATIVE or WAVE_ABSOLUTE may be"};
  return errors == WAVE_ABSOLUTE;
}

double confidence_of(double given, double usual) {
  const double confidence = given == 0 ? usual : given;
  if (confidence >= analysis::least_confidence && confidence <= analysis::most_confidence) return confidence;
  throw Misuse{"`options.confidence` is no probability from 0.5 to 0.9999"};
}

Table configurations_table(const analysis::MeasuredData& data, const std::vector<MoreColumn>& more,
                           std::vector<analysis::FailedRows> failed) {
  analysis::ResultTable made = data.table_of_configurations();
  made.columns.back().name = "measured";
  const auto measured = made.columns.back();
  for (const auto& one : more) {
    auto column = measured;
    column.name = one.name;
    if (one.type) {
      column.type = one.type;
      column.unit.reset();
    }
    column.values = one.values;
    made.columns.push_back(std::move(column));
  }
  made.failed = std::move(failed);
  Table table = table_of(made);
  table.name = "configurations";
  TableColumn rows(head_of({"row", analysis::count_type(), {}})),
      repetitions(head_of({"repetitions", analysis::count_type(), {}}));
  for (const auto& one : data.configurations()) {
    rows.integers.push_back(static_cast<std::int64_t>(one.rows.front()));
    repetitions.integers.push_back(static_cast<std::int64_t>(one.rows.size()));
  }
  table.columns.insert(table.columns.begin(), std::move(rows));
  table.columns.push_back(std::move(repetitions));
  return table;
}

Table record_of(const std::string& name, const std::vector<std::pair<frontend::ColumnInfo, analysis::Cell>>& fields) {
  analysis::RowTable made{name, "", {}, {{}}};
  for (const auto& [info, cell] : fields) {
    made.columns.push_back({info.name, info.type, info.unit});
    made.rows.front().push_back(cell);
  }
  Table table = table_of(made);
  table.shape = frontend::RowsShape::record;
  return table;
}

std::shared_ptr<Error> remarks_of(const frontend::Sources& sources, const frontend::Diagnostics& diagnostics) {
  return diagnostics.all().empty() ? nullptr : std::make_shared<Error>(WAVE_OK, sources, diagnostics);
}

}  // namespace wave::api
