// What was asked for: the verbs and their options, as plain structs. Only command_line.cpp knows CLI11.
#pragma once

#include <chrono>
#include <cstddef>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace wave::cli {

enum class ColourChoice { automatic, always, never };
enum class DiagnosticFormat { text, json };
enum class Format { table, json, csv };
enum class Dump { ast, typed, system, schedule, llvm };
enum class EngineChoice { interpreter, jit, automatic };

inline constexpr double default_time_limit_seconds = 60;
inline constexpr std::size_t default_memory_limit = std::size_t{8} << 30;

// Options of every verb.
struct CommonOptions {
  ColourChoice colour = ColourChoice::automatic;
  DiagnosticFormat diagnostics = DiagnosticFormat::text;
  std::vector<std::string> search;                           // -I
  double time_limit_seconds = default_time_limit_seconds;    // infinite: none
  std::size_t memory_limit = default_memory_limit;
};

// How models are evaluated. None of it changes a result.
struct EngineSettings {
  EngineChoice choice = EngineChoice::automatic;
  int threads = 0;                       // 0: as many as the machine has
  std::string cpu;                       // empty: the machine's own
  bool no_shortcuts = false;
  bool no_cache = false;
};

struct RunCommand {
  std::string file;
  std::string model;                     // empty: the only one, or `main`
  std::vector<std::string> overrides;    // "name=expr"
  Format format = Format::table;
  EngineSettings engine;
  bool verbose = false;
  bool breakdown = false;
  std::vector<std::string> sensitivity;  // paths of parameters
  std::optional<Dump> dump;
};
struct CheckCommand { std::vector<std::string> files; };
struct TestCommand {
  std::vector<std::string> files;
  EngineSettings engine;
};
struct FmtCommand { std::vector<std::string> files; bool check = false; };
struct DocCommand { std::string what; };                     // a file, a module, a declaration of one; empty: the modules of std
struct ExplainCommand { std::string code; };                 // empty: the list of all
struct CostCommand {
  std::string machine;                   // "std.machines.ibm_sp2.SP2" or "file.wave:SP2"
  std::string sizes;
  std::vector<std::string> overrides;
  Format format = Format::table;
  EngineSettings engine;
  bool local = false;
};

struct BatchCommand {
  std::string file;
  std::string model;                     // empty: the only one, or `main`
  std::string columns;                   // a CSV file, or "-"
  std::vector<std::string> show;         // names of outputs; empty: all that are single values
  std::vector<std::string> overrides;
  Format format = Format::csv;           // csv or json
  std::string output;                    // empty: standard output
  EngineSettings engine;
  bool verbose = false;
  std::optional<Dump> dump;              // Dump::llvm
};

// Which processes of a model.
struct ProcessChoice {
  std::string file;
  std::string model;                     // empty: the only one, or `main`
  std::string process;                   // empty: all
  std::vector<std::string> overrides;
};
struct CountCommand {
  ProcessChoice of;
  Format format = Format::table;
};

struct FlopsCommand {
  std::string file;
  std::string model;                     // empty: all of the file
  std::vector<std::string> overrides;
  Format format = Format::table;
};

struct TraceCommand {
  ProcessChoice of;
  std::string ranks;                     // "0-3,8"; empty: all
  std::string output;                    // empty: standard output
  bool goal = false;
};

using Command = std::variant<RunCommand, BatchCommand, CheckCommand, TestCommand, FmtCommand, DocCommand, ExplainCommand,
                             CostCommand, CountCommand, FlopsCommand, TraceCommand>;

struct Request { CommonOptions common; Command command; };
struct Information { std::string text; };                    // --help, --version
struct Misuse { std::string message; std::string help; DiagnosticFormat diagnostics = DiagnosticFormat::text; };

std::variant<Request, Information, Misuse> parse_command_line(int argc, const char* const* argv);

}  // namespace wave::cli
