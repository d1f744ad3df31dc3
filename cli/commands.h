// What was asked for: the verbs and their options, as plain structs.
#pragma once

#include "cli/formats/format.h"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace wave::cli {

enum class ColourChoice { automatic, always, never };
enum class DiagnosticFormat { text, json };
enum class Dump { ast, typed, system, schedule, llvm };
enum class EngineChoice { interpreter, jit, automatic };

inline constexpr double default_time_limit_seconds = 60;
inline constexpr std::size_t most_samples = 10'000'000;
inline constexpr std::size_t default_memory_limit = std::size_t{8} << 30;

// Options of every verb.
struct CommonOptions {
  ColourChoice colour = ColourChoice::automatic;
  DiagnosticFormat diagnostics = DiagnosticFormat::text;
  std::vector<std::string> search;                         // -I
  double time_limit_seconds = default_time_limit_seconds;  // infinite: none
  std::size_t memory_limit = default_memory_limit;
};

// How models are evaluated. None of it changes a result.
struct EngineSettings {
  EngineChoice choice = EngineChoice::automatic;
  int threads = 0;  // 0: as many as the machine has
  std::string cpu;  // empty: the machine's own
  bool no_shortcuts = false;
  bool no_cache = false;
};

struct RunCommand {
  std::string file;
  std::string model;                   // empty: the only one, or `main`
  std::vector<std::string> overrides;  // "name=expr"
  Format format = Format::table;
  EngineSettings engine;
  bool verbose = false;
  bool breakdown = false;
  bool unused = false;                   // only the parameters that change nothing
  std::vector<std::string> sensitivity;  // paths of parameters
  std::optional<std::size_t> samples;    // of what is written with `±`
  std::uint64_t seed = 1;
  std::optional<Dump> dump;
};
struct CheckCommand {
  std::vector<std::string> files;
};
struct TestCommand {
  std::vector<std::string> files;
  EngineSettings engine;
};
struct FmtCommand {
  std::vector<std::string> files;
  bool check = false;
};
struct DocCommand {
  std::string what;
};  // a file, a module, a declaration of one; empty: the modules of std
struct ExplainCommand {
  std::string code;
};  // empty: the list of all
struct CostCommand {
  std::string machine;  // "std.machines.ibm_sp2.SP2" or "file.wave:SP2"
  std::string sizes;
  std::vector<std::string> overrides;
  Format format = Format::table;
  EngineSettings engine;
  bool local = false;
};

struct BatchCommand {
  std::string file;
  std::string model;              // empty: the only one, or `main`
  std::string columns;            // a CSV file, or "-"
  std::vector<std::string> show;  // names of outputs; empty: all that are single values
  std::vector<std::string> overrides;
  Format format = Format::csv;  // csv or json
  std::string output;           // empty: standard output
  EngineSettings engine;
  bool verbose = false;
  std::optional<Dump> dump;  // Dump::llvm
};

// Which processes of a model.
struct ProcessChoice {
  std::string file;
  std::string model;    // empty: the only one, or `main`
  std::string process;  // empty: all
  std::vector<std::string> overrides;
};
struct CountCommand {
  ProcessChoice of;
  Format format = Format::table;
};

struct FlopsCommand {
  std::string file;
  std::string model;  // empty: all of the file
  std::vector<std::string> overrides;
  Format format = Format::table;
};

struct TraceCommand {
  ProcessChoice of;
  std::string ranks;   // "0-3,8"; empty: all
  std::string output;  // empty: standard output
  bool goal = false;
};

// Which points of which model: what all verbs that ask about many points take.
struct StudyChoice {
  std::string file;
  std::string model;              // empty: the only one, or `main`
  std::string study;              // of the file; empty: the only one, or what `vary` asks for
  std::vector<std::string> vary;  // "n=1..1024 by *2"
  std::vector<std::string>
      show;  // "total", "speedup = total[n = 1] / total"; empty: all outputs that are single values
  std::vector<std::string> where;      // "n * m <= 1024": what holds at each of the points
  std::vector<std::string> overrides;  // "name=expr"
  EngineSettings engine;
};

// Pictures of a study's points, beside its results.
struct Drawing {
  std::string svg, png;  // files; empty: none
  bool in_terminal = false;
  std::string of;  // "total vs n by net on log, log"; empty: what the study plots, or what suits it
  bool any() const { return !svg.empty() || !png.empty() || in_terminal; }
};

enum class MpiChoice { automatic, always, never };
struct SweepCommand {
  StudyChoice of;
  std::string output;            // empty: standard output
  std::optional<Format> format;  // none: as the name of the output says
  bool resume = false, restart = false;
  bool yes = false;  // also where it is very many points
  unsigned shard = 1, shards = 1;
  MpiChoice mpi = MpiChoice::automatic;  // where this program is one of several
  double point_limit_seconds = default_time_limit_seconds;
  bool verbose = false;
  Drawing drawing;
};
struct MergeCommand {
  std::vector<std::string> parts;
  std::string output;  // empty: standard output
  std::optional<Format> format;
};
// Measured run times, as a table of parameter values with a column of measurements.
struct Measurements {
  std::string data;                  // a CSV file, or "-"
  std::string measured;              // the column of measurements; empty: the only one that is no parameter
  std::vector<std::string> ignored;  // columns that are passed over
  std::string where;                 // what must hold of a row; empty: all are taken
};
enum class Minimize { relative, absolute };
// `wave fit FILE --data CSV --params ...`
struct ModelFit {
  StudyChoice of;
  Measurements data;
  std::vector<std::string> params;  // "Wg", "net.L"; also several, separated by commas
  std::vector<std::string> bounds;  // "Wg=0.1 us..2 us"
  Minimize minimize = Minimize::relative;
  bool robust = false;
  double confidence = 0.95;
  int starts = 8;
  bool in_place = false;  // the model's own file takes the fitted values
  Format format = Format::table;
};
// `wave fit osu|imb|netgauge|csv FILE...` fits a machine, `wave fit FILE --data CSV` parameters of a model.
struct FitCommand {
  std::vector<std::string> files;        // the kind of benchmark and its files, or a model
  std::string output;                    // empty: nothing is written
  std::string name;                      // of the machine; empty: after the output
  std::string protocols;                 // "eager,eager,rendezvous"; empty: found
  int segments = 0;                      // 0: as many as a criterion finds
  std::vector<std::string> assumptions;  // "o=23us"
  std::vector<int> processes;            // of each file
  bool keep_outliers = false;
  std::string operation;  // of a collective, where no file says
  std::string sizes;      // "1 KiB..64 KiB"; empty: all
  ModelFit of_model;
};
struct ValidateCommand {
  StudyChoice of;
  Measurements data;
  std::optional<double> within;       // the largest error that is taken: 0.1
  std::optional<double> mean_within;  // and of their mean
  bool same_ranking = false;          // the ranking has to be right
  Format format = Format::table;
  std::string output;  // empty: standard output
};
enum class OptimizeMethod { automatic, exhaustive, bounds, search };
struct OptimizeCommand {
  StudyChoice of;  // `vary` is what `--over` says
  std::vector<std::string> minimize, maximize;
  std::vector<std::string> subject_to;
  std::size_t top = 10;
  OptimizeMethod method = OptimizeMethod::automatic;
  double budget_seconds = 60;     // infinite: until the best is proved
  std::uint64_t most_points = 0;  // evaluated; 0: as many as there is time for
  std::uint64_t seed = 1;
  double point_limit_seconds = default_time_limit_seconds;
  Format format = Format::table;
  std::string output;  // empty: standard output
};
struct FindCommand {
  StudyChoice of;  // `vary` is what `--over` says
  std::vector<std::string> where;
  bool first = false;  // stop at the first that is found
  bool all = false;    // print every one
  double point_limit_seconds = default_time_limit_seconds;
  Format format = Format::table;
  std::string output;  // empty: standard output
};
struct CompareCommand {
  StudyChoice of;
  std::vector<std::string> with;  // one side each: "net=XT4(), mk=5"
  std::string crossover;          // "n", or "n=1..1024"
  bool no_breakdown = false;
  std::uint64_t seed = 1;  // of orders of many changes
  Format format = Format::table;
};
struct DiffCommand {
  std::string before, after;
  std::string file;  // the model; empty: as the results name it
  std::uint64_t seed = 1;
  EngineSettings engine;
  Format format = Format::table;
};
struct ReportCommand {
  StudyChoice of;     // without a study and `vary`: all studies of the model
  Measurements data;  // to be shown over the predictions; no file: those that the studies name
  bool no_breakdown = false;
  std::string output;
};

}  // namespace wave::cli
