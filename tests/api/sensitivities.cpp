// `sensitivities WAVE FOLDER`: for every pair of dimensions of an output and a parameter, the derivative that leaves
// the program in JSON, CSV, text and through the library is, with the unit that stands beside it, the difference of the
// outputs that leave it in the same way over that of the parameters.
#include "api/include/wave/wave.h"

#include <nlohmann/json.hpp>

#include <array>
#include <cctype>
#include <cmath>
#include <cstdio>
#include <fstream>
#include <functional>
#include <iostream>
#include <map>
#include <memory>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

namespace {

using nlohmann::json;

int differences = 0, compared = 0;

void differ(const std::string& where, const std::string& what) {
  std::cout << where << ": " << what << "\n";
  ++differences;
}

// --- units, read without the program's own table ---

const std::map<std::string, double> units{
    {"ps", 1e-12},   {"ns", 1e-9},    {"us", 1e-6}, {"ms", 1e-3},   {"s", 1},       {"min", 60},    {"h", 3600},
    {"B", 1},        {"kB", 1e3},     {"MB", 1e6},  {"GB", 1e9},    {"TB", 1e12},   {"KiB", 1024},  {"MiB", 1048576},
    {"GiB", 0x1p30}, {"TiB", 0x1p40}, {"flop", 1},  {"kflop", 1e3}, {"Mflop", 1e6}, {"Gflop", 1e9}, {"Tflop", 1e12},
    {"Pflop", 1e15}, {"Hz", 1},       {"kHz", 1e3}, {"MHz", 1e6},   {"GHz", 1e9}};

// In seconds, bytes and flop: "s/(GB/s)" is 1e-9.
class Unit {
 public:
  explicit Unit(std::string text) : text_(std::move(text)) {}
  double size() {
    const double size = text_.empty() ? 1 : product();
    if (at_ != text_.size()) differ(text_, "is no unit");
    return size;
  }

 private:
  double product() {
    double size = factor();
    while (at_ < text_.size() && (text_[at_] == '*' || text_[at_] == '/')) {
      const bool divides = text_[at_++] == '/';
      const double next = factor();
      size = divides ? size / next : size * next;
    }
    return size;
  }
  double factor() {
    if (at_ < text_.size() && text_[at_] == '(') {
      ++at_;
      const double size = product();
      if (at_ >= text_.size() || text_[at_++] != ')') differ(text_, "is no unit");
      return size;
    }
    std::string name;
    while (at_ < text_.size() && std::isalnum(static_cast<unsigned char>(text_[at_]))) name += text_[at_++];
    double size = 1;
    if (const auto known = units.find(name); known != units.end())
      size = known->second;
    else if (name != "1")
      differ(text_, "has an unknown unit " + name);
    if (at_ < text_.size() && text_[at_] == '^') {
      size = std::pow(size, text_[at_ + 1] - '0');
      at_ += 2;
    }
    return size;
  }

  std::string text_;
  std::size_t at_ = 0;
};

// --- the model: each output is made of all parameters, of half of them inversely ---

struct Dimension {
  std::string type, value;  // "data/time", "50 GB/s"
};

const std::vector<Dimension> dimensions{{"real", "3.0"},
                                        {"time", "7 us"},
                                        {"data", "5 MB"},
                                        {"work", "2 Gflop"},
                                        {"1/time", "1.5 GHz"},
                                        {"data/time", "50 GB/s"},
                                        {"work/time", "3 Gflop/s"},
                                        {"time/data", "2 ns/B"},
                                        {"time/work", "0.25 ns/flop"},
                                        {"data/work", "0.5 B/flop"},
                                        {"work/data", "4 flop/B"},
                                        {"1/data", "1 / (3 MB)"},
                                        {"time^2", "9 us^2"},
                                        {"data^2", "16 MB^2"},
                                        {"data*time", "3 MB*s"},
                                        {"data/time^2", "20 GB/s^2"},
                                        {"1/data/time", "1 / (3 MB * 2 ms)"},
                                        {"1/time^2", "5 MHz^2"}};

std::string name_of(const char* kind, std::size_t number) { return kind + std::to_string(number); }

std::string model_text() {
  std::string text = "wave 1\nmodel M {\n", sum;
  for (std::size_t i = 0; i < dimensions.size(); ++i) {
    const auto& [type, value] = dimensions[i];
    const std::string name = name_of("p", i);
    text += "  param " + name + ": " + type + " = " + value + "\n";
    const std::string whole = "(" + value + ")";
    sum += (i == 0 ? "" : " + ") + std::to_string(i + 1) + " * " +
           (i % 2 == 0 ? "(" + name + " / " + whole + ")" : "(" + whole + " / " + name + ")");
  }
  text += "  let all = " + sum + "\n";
  for (std::size_t i = 0; i < dimensions.size(); ++i)
    text += "  output " + name_of("y", i) + " = " + dimensions[i].value + " * all\n";
  return text + "}\n";
}

// --- what leaves: values in SI units, by name ---

struct Left {
  std::map<std::string, double> values;       // of outputs and, in JSON, of parameters
  std::map<std::string, double> derivatives;  // "y3 by p2"
};

std::string pair_name(const std::string& output, const std::string& table) {
  const std::string parameter = table.substr(std::string("sensitivity to ").size());
  return output + " by " + parameter.substr(0, parameter.find(','));
}

std::string printed(const std::string& command) {
  std::string text;
  const std::unique_ptr<FILE, int (*)(FILE*)> pipe(popen(command.c_str(), "r"), pclose);
  std::array<char, 4096> part{};
  while (const std::size_t count = fread(part.data(), 1, part.size(), pipe.get())) text.append(part.data(), count);
  return text;
}

double in_si(const json& of, const json& value) { return value.get<double>() * Unit(of.value("unit", "")).size(); }

Left read_json(const std::string& text) {
  Left left;
  const json document = json::parse(text);
  for (const auto& [name, one] : document["parameters"].items()) left.values[name] = in_si(one, one["value"]);
  for (const auto& [name, one] : document["tables"].items()) {
    if (one["shape"] == "single") left.values[name] = in_si(one, one["value"]);
    if (name.rfind("sensitivity", 0) != 0) continue;
    for (const auto& row : one["rows"]) left.derivatives[pair_name(row[0], name)] = in_si(one["columns"][1], row[1]);
  }
  return left;
}

std::vector<std::string> fields_of(const std::string& line) {
  std::vector<std::string> fields{""};
  bool quoted = false;
  for (const char c : line) {
    if (c == '"')
      quoted = !quoted;
    else if (c == ',' && !quoted)
      fields.emplace_back();
    else
      fields.back() += c;
  }
  return fields;
}

Left read_csv(const std::string& text) {
  Left left;
  std::istringstream lines(text);
  std::string line, output;
  std::getline(lines, line);  // output,row,column,value,unit,status
  while (std::getline(lines, line)) {
    const auto fields = fields_of(line);
    if (fields[0].rfind("sensitivity", 0) != 0)
      left.values[fields[0]] = std::stod(fields[3]) * Unit(fields[4]).size();
    else if (fields[2] == "output")
      output = fields[3];
    else if (fields[2] == "derivative")
      left.derivatives[pair_name(output, fields[0])] = std::stod(fields[3]) * Unit(fields[4]).size();
  }
  return left;
}

// Columns are apart by two blanks.
std::vector<std::string> cells_of(const std::string& line) {
  std::vector<std::string> cells;
  for (std::size_t at = line.find_first_not_of(' '); at != std::string::npos;) {
    const std::size_t end = line.find("  ", at);
    cells.push_back(line.substr(at, end == std::string::npos ? end : end - at));
    at = end == std::string::npos ? end : line.find_first_not_of(' ', end);
  }
  return cells;
}

Left read_page(const std::string& text) {
  Left left;
  std::istringstream lines(text);
  std::string line, table, unit;
  while (std::getline(lines, line)) {
    const auto cells = cells_of(line);
    if (cells.empty()) continue;
    if (cells[0].rfind("sensitivity", 0) == 0) {
      table = cells[0];
    } else if (cells[0] == "output") {
      const std::size_t begin = cells[1].find('[');
      unit = begin == std::string::npos ? "" : cells[1].substr(begin + 1, cells[1].size() - begin - 2);
    } else if (table.empty() && cells.size() >= 2) {
      const std::size_t blank = cells[1].find(' ');
      left.values[cells[0]] =
          std::stod(cells[1]) * Unit(blank == std::string::npos ? "" : cells[1].substr(blank + 1)).size();
    } else if (!table.empty()) {
      left.derivatives[pair_name(cells[0], table)] = std::stod(cells[1]) * Unit(unit).size();
    }
  }
  return left;
}

std::vector<double> reals(const wave_result* result, std::size_t output, std::size_t column, int unit) {
  const void* cells = nullptr;
  std::size_t count = 0;
  if (wave_result_cells(result, output, column, WAVE_REAL, unit, &cells, &count, nullptr) != WAVE_OK) return {};
  const auto* const values = static_cast<const double*>(cells);
  return {values, values + count};
}

// In both units that a result has.
Left read_library(const std::string& text, int unit) {
  Left left;
  wave_context* context = nullptr;
  wave_program* program = nullptr;
  wave_model* model = nullptr;
  wave_result* result = nullptr;
  wave_context_create(&context, nullptr);
  wave_program_load(context, "m.wave", text.c_str(), nullptr, 0, &program, nullptr);
  wave_model_open(program, "M", &model, nullptr);
  std::vector<std::string> names;
  std::vector<const char*> parameters;
  for (std::size_t i = 0; i < dimensions.size(); ++i) names.push_back(name_of("p", i));
  for (const std::string& name : names) parameters.push_back(name.c_str());
  if (wave_model_explain(model, WAVE_SENSITIVITIES, parameters.data(), parameters.size(), &result, nullptr) != WAVE_OK)
    differ("the library", "gives no sensitivities");
  wave_result_info tables{};
  tables.size = sizeof tables;
  wave_result_describe(result, &tables, nullptr);
  for (std::size_t i = 0; i < tables.outputs; ++i) {
    wave_output_info info{};
    info.size = sizeof info;
    wave_result_output(result, i, &info, nullptr);
    wave_column_info column{};
    column.size = sizeof column;
    wave_result_column(result, i, 1, &column, nullptr);
    const void* cells = nullptr;
    std::size_t rows = 0;
    wave_result_cells(result, i, 0, WAVE_TEXT, WAVE_SI, &cells, &rows, nullptr);
    const auto* const outputs = static_cast<const char* const*>(cells);
    const double size = Unit(unit == WAVE_SI ? column.unit : column.asked_unit).size();
    const auto values = reals(result, i, 1, unit);
    for (std::size_t row = 0; row < rows; ++row)
      left.derivatives[pair_name(outputs[row], info.name)] = values.at(row) * size;
  }
  wave_close(result);
  wave_close(model);
  wave_close(program);
  wave_close(context);
  return left;
}

// --- comparison ---

void compare(const std::string& where, double found, double expected, double tolerance) {
  ++compared;
  if (std::fabs(found - expected) <= tolerance * std::fabs(expected)) return;
  std::ostringstream text;
  text << found << ", but differences give " << expected;
  differ(where, text.str());
}

void compare_derivatives(const std::string& way, const Left& left, const std::map<std::string, double>& expected,
                         double tolerance) {
  for (const auto& [pair, value] : expected) {
    const auto found = left.derivatives.find(pair);
    if (found == left.derivatives.end())
      differ(way, "has no derivative of " + pair);
    else
      compare(way + ", " + pair, found->second, value, tolerance);
  }
}

}  // namespace

int main(int, char** arguments) {
  const std::string wave = arguments[1], file = std::string(arguments[2]) + "/dimensions.wave", text = model_text();
  std::ofstream(file) << text;
  std::string all;
  for (std::size_t i = 0; i < dimensions.size(); ++i) all += (i == 0 ? "" : ",") + name_of("p", i);
  const auto run = [&](const std::string& options) { return printed("'" + wave + "' run '" + file + "' " + options); };

  // From the values that are printed at two points.
  constexpr double step = 1e-5;
  std::map<std::string, double> expected;
  for (std::size_t p = 0; p < dimensions.size(); ++p) {
    std::array<Left, 2> at;
    const std::string name = name_of("p", p);
    for (const int side : {0, 1}) {
      const std::string factor = side == 0 ? "0.99999" : "1.00001";
      at[static_cast<std::size_t>(side)] =
          read_json(run("-D '" + name + "=" + factor + " * (" + dimensions[p].value + ")' --format json"));
    }
    const double change = at[1].values.at(name) - at[0].values.at(name);
    compare("the change of " + name, change, step * (at[1].values.at(name) + at[0].values.at(name)), 1e-6);
    for (std::size_t y = 0; y < dimensions.size(); ++y) {
      const std::string output = name_of("y", y);
      expected[output + " by " + name] = (at[1].values.at(output) - at[0].values.at(output)) / change;
    }
  }
  const Left in_json = read_json(run("--format json --sensitivity " + all));
  const Left in_csv = read_csv(run("--format csv --sensitivity " + all)),
             on_page = read_page(run("--sensitivity " + all));
  compare_derivatives("json", in_json, expected, 1e-6);
  compare_derivatives("csv", in_csv, expected, 1e-6);
  compare_derivatives("text", on_page, expected, 1e-3);
  compare_derivatives("library, SI", read_library(text, WAVE_SI), expected, 1e-6);
  compare_derivatives("library, as asked", read_library(text, WAVE_ASKED), expected, 1e-6);
  for (std::size_t y = 0; y < dimensions.size(); ++y) {
    const std::string output = name_of("y", y);
    compare("csv, " + output, in_csv.values.at(output), in_json.values.at(output), 1e-12);
    compare("text, " + output, on_page.values.at(output), in_json.values.at(output), 1e-3);
  }
  std::cout << compared << " compared, " << differences << " differ\n";
  return differences == 0 && compared > 0 ? 0 : 1;
}
