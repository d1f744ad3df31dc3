// `same_bits WAVE FILE.wave...`: each model of each file gives the values that `wave run --format json` prints, to the
// bit.
#include "api/include/wave/wave.h"

#include <nlohmann/json.hpp>

#include <array>
#include <cstdio>
#include <cstring>
#include <iostream>
#include <memory>
#include <sstream>
#include <string>

namespace {

using nlohmann::json;

int differences = 0, values = 0;

void differ(const std::string& where, const std::string& what) {
  std::cout << where << ": " << what << "\n";
  ++differences;
}

std::string printed(const std::string& command) {
  std::string text;
  const std::unique_ptr<FILE, int (*)(FILE*)> pipe(popen(command.c_str(), "r"), pclose);
  std::array<char, 4096> part{};
  while (const std::size_t count = fread(part.data(), 1, part.size(), pipe.get())) text.append(part.data(), count);
  return text;
}

bool is_same(const wave_result* result, std::size_t output, std::size_t column, std::size_t row, const json& wanted) {
  wave_column_info info{};
  info.size = sizeof info;
  if (wave_result_column(result, output, column, &info, nullptr) != WAVE_OK) return false;
  ++values;
  const int cell = info.cell == WAVE_BOOLEAN ? WAVE_INTEGER : info.cell;
  const void* cells = nullptr;
  std::size_t count = 0;
  if (wave_result_cells(result, output, column, cell, WAVE_ASKED, &cells, &count, nullptr) != WAVE_OK || row >= count)
    return false;
  if (cell == WAVE_TEXT)
    return wanted.is_string() && wanted.get<std::string>() == static_cast<const char* const*>(cells)[row];
  if (cell == WAVE_REAL) {
    const double real = static_cast<const double*>(cells)[row];
    if (wanted.is_null()) return !(real - real == 0);
    const double other = wanted.get<double>();
    return std::memcmp(&other, &real, sizeof other) == 0;
  }
  const std::int64_t integer = static_cast<const std::int64_t*>(cells)[row];
  return wanted.is_boolean() ? wanted.get<bool>() == (integer != 0) : wanted.get<std::int64_t>() == integer;
}

void compare(const wave_result* result, const std::string& name, const json& wanted, const std::string& where) {
  std::size_t at = 0;
  if (wave_result_find(result, name.c_str(), &at, nullptr) != WAVE_OK) return differ(where, "no output " + name);
  wave_output_info info{};
  info.size = sizeof info;
  wave_result_output(result, at, &info, nullptr);
  const bool is_whole = wanted["status"] == "evaluated";
  if (is_whole != (*info.failed == 0)) return differ(where, name + " failed: " + info.failed);
  if (!is_whole) return;
  const auto check = [&](std::size_t column, std::size_t row, const json& value) {
    if (!is_same(result, at, column, row, value))
      differ(where, name + ", column " + std::to_string(column) + ", row " + std::to_string(row));
  };
  if (wanted.contains("value")) return check(0, 0, wanted["value"]);
  std::size_t column = 0;
  if (wanted.contains("fields")) {
    for (std::size_t i = 0; i < info.columns; ++i) {
      wave_column_info field{};
      field.size = sizeof field;
      wave_result_column(result, at, i, &field, nullptr);
      check(i, 0, wanted["fields"][field.name]["value"]);
    }
    return;
  }
  std::size_t row = 0;
  for (const json& cells : wanted["rows"]) {
    column = 0;
    for (const json& cell : cells) check(column++, row, cell);
    ++row;
  }
  if (row != info.rows) differ(where, name + " has another number of rows");
}

void compare_model(const std::string& wave, wave_program* program, const std::string& file, const char* name) {
  const std::string where = file + ", " + name;
  wave_model* model = nullptr;
  wave_result* result = nullptr;
  wave_error* error = nullptr;
  if (wave_model_open(program, name, &model, nullptr) != WAVE_OK) return differ(where, "cannot be opened");
  const wave_status status = wave_model_run(model, &result, &error);
  const std::string text =
      printed("'" + wave + "' run '" + file + "' --model '" + name + "' --format json 2>/dev/null");
  const json run = json::parse(text, nullptr, false);
  if (run.is_discarded()) {
    if (status == WAVE_OK) differ(where, "the program fails, the library does not");
  } else if (!result) {
    const char* why = "";
    wave_error_text(error, WAVE_ERROR_PLAIN, &why);
    bool any = false;
    for (const auto& [output, value] : run["tables"].items()) any |= value["status"] == "evaluated";
    if (any) differ(where, std::string("the library fails, the program does not: ") + why);
  } else {
    for (const auto& [output, value] : run["tables"].items()) compare(result, output, value, where);
  }
  if (result) wave_close(result);
  if (error) wave_close(error);
  wave_close(model);
}

}  // namespace

int main(int argc, char** argv) {
  wave_context* context = nullptr;
  wave_context_create(&context, nullptr);
  for (int i = 2; i < argc; ++i) {
    wave_program* program = nullptr;
    wave_error* error = nullptr;
    if (wave_program_load(context, argv[i], nullptr, nullptr, 0, &program, &error) != WAVE_OK) {
      const char* why = "";
      wave_error_text(error, WAVE_ERROR_PLAIN, &why);
      differ(argv[i], why);
      continue;
    }
    wave_program_info info{};
    info.size = sizeof info;
    if (wave_program_describe(program, &info, nullptr) != WAVE_OK) differ(argv[i], "has no description");
    std::istringstream names(info.models ? info.models : "");
    for (std::string name; std::getline(names, name);) compare_model(argv[1], program, argv[i], name.c_str());
    wave_close(program);
  }
  wave_close(context);
  std::cout << values << " values compared, " << differences << " differences\n";
  return differences != 0 || values == 0;
}
