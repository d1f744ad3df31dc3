// See description.h.
#include "analysis/study/description.h"

#include "base/bytes.h"
#include "base/text.h"
#include "frontend/ast/walk.h"
#include "frontend/check/members.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <map>
#include <utility>

namespace wave::analysis {
namespace {

void write_column(ByteWriter& writer, const Column& column) {
  writer.text(column.name).text(column.doc).number(static_cast<std::uint8_t>(column.kind)).text(column.unit);
  writer.number(column.multiplier).number(column.divisor).texts(column.words);
  writer.number(column.dimension.time).number(column.dimension.data).number(column.dimension.work);
  writer.number(static_cast<std::uint8_t>(column.unit_was_asked ? 1 : 0));
  writer.number(static_cast<std::uint8_t>(column.listed ? 1 : 0));
  if (column.listed) write_values(writer, *column.listed);
}

std::optional<Column> read_column(ByteReader& reader) {
  Column column;
  column.name = reader.text();
  column.doc = reader.text();
  const auto kind = reader.number<std::uint8_t>();
  if (kind > static_cast<std::uint8_t>(CellKind::word)) return std::nullopt;
  column.kind = static_cast<CellKind>(kind);
  column.unit = reader.text();
  column.multiplier = reader.number<double>();
  column.divisor = reader.number<double>();
  column.words = reader.texts();
  column.dimension.time = reader.number<std::int8_t>();
  column.dimension.data = reader.number<std::int8_t>();
  column.dimension.work = reader.number<std::int8_t>();
  column.unit_was_asked = reader.number<std::uint8_t>() != 0;
  const bool is_listed = reader.number<std::uint8_t>() != 0;
  if (is_listed) column.listed = read_values(reader);
  if (!reader.ok() || is_listed != column.listed.has_value()) return std::nullopt;
  if (column.listed) {
    const bool is_real = std::holds_alternative<std::vector<double>>(*column.listed);
    if (is_real != (column.kind == CellKind::real)) return std::nullopt;
  }
  return column;
}

void write_measured(ByteWriter& writer, const MeasuredColumn& measured) {
  write_column(writer, measured.column);
  writer.numbers(measured.keys).number(static_cast<std::uint64_t>(measured.values.size()));
  for (const auto& [where, value] : measured.values) writer.number(where).number(value);
}

std::optional<MeasuredColumn> read_measured(ByteReader& reader, std::size_t varied) {
  auto column = read_column(reader);
  if (!column || column->listed || column->kind != CellKind::real) return std::nullopt;
  MeasuredColumn measured;
  measured.column = std::move(*column);
  measured.keys = reader.numbers<std::uint32_t>();
  for (const std::uint32_t key : measured.keys) {
    if (key >= varied) return std::nullopt;
  }
  const auto count = reader.number<std::uint64_t>();
  for (std::uint64_t i = 0; i < count && reader.ok(); ++i) {
    const auto where = reader.number<std::uint64_t>();
    measured.values[where] = reader.number<double>();
  }
  return measured;
}

// Bits of the number that begins a selection; 0 is a whole product.
constexpr std::uint8_t some_of_them = 1, rows = 2;

void write_selection(ByteWriter& writer, const Selection& selection) {
  writer.number(static_cast<std::uint8_t>((selection.is_all() ? 0 : some_of_them) | (selection.of_rows() ? rows : 0)));
  if (selection.is_all()) return;
  std::vector<std::uint64_t> ends;  // of each run its first place, and how many there are
  for (const auto& run : selection.runs()) {
    ends.push_back(run.place);
    ends.push_back(selection.run_length(run.point));
  }
  writer.numbers(ends);
}

std::optional<Selection> read_selection(ByteReader& reader, std::uint64_t points) {
  const auto kind = reader.number<std::uint8_t>();
  if (kind > (some_of_them | rows)) return std::nullopt;
  const Selection all = (kind & rows) != 0 ? Selection::all_rows() : Selection();
  if ((kind & some_of_them) == 0) return all;
  const auto ends = reader.numbers<std::uint64_t>();
  if (ends.size() % 2 != 0) return std::nullopt;
  Selection selection = all.emptied();
  for (std::size_t i = 0; i < ends.size(); i += 2) {
    const std::uint64_t first = ends[i], count = ends[i + 1];
    const bool rises = i == 0 || first > ends[i - 2] + ends[i - 1];
    // A selection that says many points in few bytes is not counted one by one.
    if (!rises || count == 0 || count > points - selection.size() || first + count < first) return std::nullopt;
    selection.add(first, count);
  }
  return selection;
}

// What varies stands first, and makes so many points.
bool is_consistent(const StudyDescription& study) {
  if (study.selection.of_rows() && !study.measured.empty()) return false;  // measurements lie beside products only
  const std::size_t varied = study.varied();
  std::uint64_t points = study.selection.of_rows() && varied > 0 ? length(*study.columns.front().listed) : 1;
  for (std::size_t i = 0; i < study.columns.size(); ++i) {
    const auto& listed = study.columns[i].listed;
    if (i >= varied) {
      if (listed) return false;
    } else if (study.selection.of_rows()) {
      if (length(*listed) != points) return false;
    } else if (__builtin_mul_overflow(points, length(*listed), &points)) {
      return false;
    }
  }
  if (study.selection.is_all()) return points == study.points;
  return study.selection.size() == study.points &&
         (study.points == 0 || study.selection.place(study.points - 1) < points);
}

bool is_among(const std::vector<StudyInput>& inputs, const std::string& what) {
  return std::any_of(inputs.begin(), inputs.end(), [&](const StudyInput& one) { return one.what == what; });
}

std::string listing(const std::vector<std::string>& names) { return join_texts(names, ", "); }

std::vector<std::string> names_of(const StudyDescription& study) {
  std::vector<std::string> names;
  for (const auto& column : study.columns) names.push_back(heading(column.name, column.unit));
  return names;
}

}  // namespace

std::size_t StudyDescription::varied() const {
  const auto is_found = [](const Column& column) { return !column.listed; };
  return static_cast<std::size_t>(std::find_if(columns.begin(), columns.end(), is_found) - columns.begin());
}

bool has_columns_of(const StudyDescription& study, const Chunk& chunk) {
  const std::size_t varied = study.varied();
  if (chunk.columns.size() != study.columns.size() - varied) return false;
  for (std::size_t i = 0; i < chunk.columns.size(); ++i) {
    const bool is_real = std::holds_alternative<std::vector<double>>(chunk.columns[i].values);
    if (is_real != (study.columns[varied + i].kind == CellKind::real)) return false;
  }
  return true;
}

std::string encode(const StudyDescription& study) {
  ByteWriter writer;
  writer.text(study.version).text(study.file).text(study.model).text(study.study).texts(study.arguments);
  writer.number(static_cast<std::uint32_t>(study.inputs.size()));
  for (const auto& input : study.inputs) writer.text(input.what).text(input.value);
  writer.number(static_cast<std::uint32_t>(study.columns.size()));
  for (const auto& column : study.columns) write_column(writer, column);
  writer.number(static_cast<std::uint32_t>(study.measured.size()));
  for (const auto& measured : study.measured) write_measured(writer, measured);
  writer.number(study.points);
  write_selection(writer, study.selection);
  if (!study.reductions.empty()) writer.texts(study.reductions);
  return writer.take();
}

std::optional<StudyDescription> decode_description(std::string_view contents) {
  ByteReader reader(contents);
  StudyDescription study;
  study.version = reader.text();
  study.file = reader.text();
  study.model = reader.text();
  study.study = reader.text();
  study.arguments = reader.texts();
  const auto inputs = reader.number<std::uint32_t>();
  for (std::uint32_t i = 0; i < inputs && reader.ok(); ++i) {
    StudyInput input;
    input.what = reader.text();
    input.value = reader.text();
    study.inputs.push_back(std::move(input));
  }
  const auto columns = reader.number<std::uint32_t>();
  for (std::uint32_t i = 0; i < columns; ++i) {
    auto column = read_column(reader);
    if (!column) return std::nullopt;
    study.columns.push_back(std::move(*column));
  }
  const auto measured = reader.number<std::uint32_t>();
  for (std::uint32_t i = 0; i < measured; ++i) {
    auto column = read_measured(reader, study.varied());
    if (!column) return std::nullopt;
    study.measured.push_back(std::move(*column));
  }
  study.points = reader.number<std::uint64_t>();
  auto selection = read_selection(reader, study.points);
  if (!selection) return std::nullopt;
  study.selection = std::move(*selection);
  if (!reader.at_end()) study.reductions = reader.texts();
  if (!reader.ok() || !reader.at_end() || !is_consistent(study)) return std::nullopt;
  return study;
}

StudyId id_of(const StudyDescription& study) { return digest(encode(study)); }

std::vector<std::string> differences(const StudyDescription& before, const StudyDescription& now) {
  std::vector<std::string> all;
  if (before.version != now.version)
    all.push_back(fmt::format("it is of version {} of the program, this is {}", before.version, now.version));
  for (const auto& input : now.inputs) {
    // Two modules may have one name, in different folders.
    if (std::find(before.inputs.begin(), before.inputs.end(), input) != before.inputs.end()) continue;
    const char* const what = is_among(before.inputs, input.what) ? "has changed" : "is new";
    all.push_back(fmt::format("{} {}", input.what, what));
  }
  for (const auto& input : before.inputs) {
    if (!is_among(now.inputs, input.what)) all.push_back(fmt::format("{} is no longer there", input.what));
  }
  if (before.model != now.model)
    all.push_back(fmt::format("it is of the model `{}`, not of `{}`", before.model, now.model));
  if (before.study != now.study) {
    const auto named = [](const std::string& study) {
      return study.empty() ? std::string("one without a name") : "`" + study + "`";
    };
    all.push_back(fmt::format("it is of the study {}, not of {}", named(before.study), named(now.study)));
  }
  if (all.empty() && names_of(before) != names_of(now)) {
    all.push_back(fmt::format("its columns are {}, not {}", listing(names_of(before)), listing(names_of(now))));
  }
  if (all.empty() && before.points == now.points && before.selection != now.selection)
    all.emplace_back("its points are others");
  if (all.empty() && before.points != now.points)
    all.push_back(fmt::format("it has {} points, not {}", before.points, now.points));
  if (all.empty() && before.file != now.file)
    all.push_back(fmt::format("it is of the file `{}`, not of `{}`", before.file, now.file));
  if (all.empty() && before.arguments != now.arguments) all.emplace_back("the command was written in another way");
  if (all.empty() && id_of(before) != id_of(now)) all.emplace_back("what its columns mean has changed");
  return all;
}

StudyPoints::StudyPoints(const StudyDescription& study)
    : variables_(study.varied()),
      product_(
          [&]() -> const std::vector<Variable>& {
            for (std::size_t i = 0; i < variables_.size(); ++i) variables_[i].listed = study.columns[i].listed;
            return variables_;
          }(),
          study.selection) {}

namespace {

std::vector<std::uint64_t> lengths_of(const StudyDescription& study) {
  std::vector<std::uint64_t> lengths;
  for (std::size_t i = 0; i < study.varied(); ++i) lengths.push_back(length(*study.columns[i].listed));
  return lengths;
}

}  // namespace

MeasuredPoints::MeasuredPoints(const StudyDescription& study, const MeasuredColumn& column)
    : column_(column), selection_(study.selection), combinations_(lengths_of(study), column.keys) {}

double MeasuredPoints::at(std::uint64_t point) const {
  const auto found = column_.values.find(combinations_.at(selection_.place(point)));
  return found == column_.values.end() ? std::nan("") : found->second;
}

// From a program and its model to the description of a study. See description.h.

namespace {

constexpr std::string_view library_prefix = "std.";

std::string digits_of(std::string_view text) { return hexadecimal(digest(text)); }

void add_data_files(const frontend::Expr& e, std::map<std::string, std::string>& files) {
  if (const auto* table = std::get_if<frontend::expr::TableFile>(&e.node))
    files[table->path.text] += digits_of(table->text);
  for_each_child(e, [&](const frontend::Expr& child) { add_data_files(child, files); });
}

void add_data_files(const frontend::Item& item, std::map<std::string, std::string>& files) {
  for_each_expression(item, [&](const frontend::Expr& e) { add_data_files(e, files); });
  if (const auto* members = frontend::check::members_of(item)) {
    for (const auto& member : *members) add_data_files(*member, files);
  }
}

// `-D n=8` as an input of its own, so that a change of it can be named.
void add_clauses(std::vector<StudyInput>& inputs, const char* option, const std::vector<std::string>& clauses) {
  for (const auto& clause : clauses) {
    const auto equals = clause.find('=');
    inputs.push_back({fmt::format("`{} {}`", option, clause.substr(0, equals)),
                      equals == std::string::npos ? std::string() : clause.substr(equals + 1)});
  }
}

}  // namespace

StudyInput input_of_file(const std::string& name, std::string_view text) {
  return {fmt::format("the data file `{}`", name), digits_of(text)};
}

std::vector<StudyInput> inputs_of(const frontend::Program& program) {
  std::vector<StudyInput> inputs;
  std::map<std::string, std::string> library, files;
  for (const auto& module : program.modules) {
    const std::string text(program.sources.text(module->file));
    const std::string name = std::filesystem::path(module->name).filename().string();
    if (module->name.rfind(library_prefix, 0) == 0 && module.get() != &program.main())
      library[module->name] = text;
    else if (module.get() == &program.main())
      inputs.push_back({"the model file", digits_of(text)});
    else
      inputs.push_back({fmt::format("the module `{}`", name), digits_of(text)});
    for (const auto& item : module->items) add_data_files(*item, files);
  }
  std::string all;
  for (const auto& [name, text] : library) all += name + " " + digits_of(text) + "\n";
  inputs.push_back({"the library", digits_of(all)});
  for (const auto& [name, digits] : files) inputs.push_back(input_of_file(name, digits));
  std::sort(inputs.begin(), inputs.end(), [](const StudyInput& a, const StudyInput& b) {
    return std::tie(a.what, a.value) < std::tie(b.what, b.value);
  });
  return inputs;
}

std::vector<Column> columns_of(const StudyModel& model) {
  std::vector<Column> columns;
  for (const auto& variable : model.variables()) {
    columns.push_back(make_column(variable.name, variable.doc, variable.type, variable.unit, variable.labels));
    columns.back().listed = variable.listed;
  }
  for (const auto& shown : model.shown())
    columns.push_back(make_column(shown.name, shown.doc, shown.type, shown.unit, {}));
  return columns;
}

std::vector<std::string> StudyCommand::arguments() const {
  std::vector<std::string> all{verb, file};
  const auto add = [&](const char* option, const std::string& value) {
    all.emplace_back(option);
    all.push_back(value);
  };
  if (!model.empty()) add("--model", model);
  if (!study.empty()) add("--study", study);
  for (const auto& one : overrides) add("-D", one);
  if (!columns.empty()) add("--columns", columns);
  for (const auto& of : lists_of_clauses) {
    for (const auto& one : this->*of.texts) add((std::string("--") + of.option).c_str(), one);
  }
  for (const auto& one : folders) add("-I", one);
  if (sampling.samples > 0) {
    add("--samples", std::to_string(sampling.samples));
    add("--seed", std::to_string(sampling.seed));
  }
  return all;
}

StudyDescription describe(const StudyCommand& command, const std::string& file, const frontend::Program& program,
                          const frontend::Item& model, const frontend::Item* declared, const StudyModel& points,
                          std::string_view table) {
  StudyDescription description;
  description.version = WAVE_VERSION;
  description.file = file;
  description.model = model.name.text;
  if (declared != nullptr) description.study = declared->name.text;
  description.arguments = command.arguments();
  description.inputs = inputs_of(program);
  add_clauses(description.inputs, "-D", command.overrides);
  add_clauses(description.inputs, "--vary", command.vary);
  for (const auto& of : lists_of_clauses) {
    if (of.texts == &StudyClauses::vary) continue;
    for (const auto& one : command.*of.texts)
      description.inputs.push_back({fmt::format("`--{} {}`", of.option, one), ""});
  }
  description.reductions = command.reduce;
  if (command.sampling.samples > 0) {
    description.inputs.push_back(
        {fmt::format("`--samples {} --seed {}`", command.sampling.samples, command.sampling.seed), ""});
  }
  if (!command.columns.empty()) description.inputs.push_back(input_of_file(command.columns, table));
  description.columns = columns_of(points);
  description.selection = points.selection();
  description.points = Product(points).size();
  return description;
}

}  // namespace wave::analysis
