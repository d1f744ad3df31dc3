// The options that verbs share, as structs, and the functions that declare them.
#pragma once

#include "analysis/pictures/style.h"
#include "analysis/study/clauses.h"
#include "analysis/study/points.h"
#include "analysis/table_reading.h"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace wave::cli {

class Client;
class Declared;
class Format;
struct PointForm;

// --- of every verb, and of every verb that reads programs ---

enum class ColourChoice { automatic, always, never };
enum class DiagnosticFormat { text, json };

inline constexpr double default_time_limit_seconds = 60;
inline constexpr std::size_t default_memory_limit = std::size_t{8} << 30;

struct CommonOptions {
  ColourChoice colour = ColourChoice::automatic;
  DiagnosticFormat diagnostics = DiagnosticFormat::text;
  std::vector<std::string> search;                         // -I
  double time_limit_seconds = default_time_limit_seconds;  // infinite: no limit
  // Of verbs that usually have none, for reading the model. Infinite: the user has given a limit, or none, for
  // everything.
  double reading_limit_seconds = default_time_limit_seconds;
  std::size_t memory_limit = default_memory_limit;
  std::vector<std::vector<std::string>*> given;  // of -D; files among them are read before the verb runs
  std::chrono::steady_clock::time_point begin = std::chrono::steady_clock::now();  // limits of time count from here
  std::string verb;                                                                // that runs
  Client* client = nullptr;  // who asks through the library; null: a command line
};

// What every verb has, after its own options: --color and --diagnostics, --time-limit and --memory-limit.
void add_common(CLI::App& app, CommonOptions& common);
// The value of --diagnostics in a command line that cannot be read.
DiagnosticFormat wanted_diagnostics(int argc, const char* const* argv);
// -I.
void add_search(CLI::App& app, CommonOptions& common);
// --time-limit and --memory-limit, of verbs with an unusual limit: unless the user gives one, that of a verb that
// usually runs for hours is none, and that of one that answers while somebody types is brief.
enum class TimeLimit { usual, none, brief };
void add_limits(CLI::App& app, CommonOptions& common, TimeLimit limit);

// --- which model is meant, with which parameters, and how it is evaluated ---

enum class EngineChoice { interpreter, jit, automatic };
// Stages of the compiler that can be printed.
enum class Dump { ast, typed, system, schedule, llvm };

// How models are evaluated. These options never change a result.
struct EngineSettings {
  EngineChoice choice = EngineChoice::automatic;
  int threads = 0;  // 0: as many as the machine has
  std::string cpu;  // empty: the machine's own
  bool no_shortcuts = false;
  bool no_cache = false;
};

// Which model to use, and its parameters.
struct ModelChoice {
  std::string file;
  std::string model;                   // empty: the only one, or `main`
  std::vector<std::string> overrides;  // "name=expr"
};

// Which processes of a model to use.
struct ProcessChoice : ModelChoice {
  std::string process;  // empty: all
};

// FILE..., also folders.
void add_files(CLI::App& app, std::vector<std::string>& files);
// FILE.
void add_model_file(CLI::App& app, std::string& file);
// --model.
void add_model_name(CLI::App& app, std::string& model);
// -D.
void add_overrides(CLI::App& app, std::vector<std::string>& overrides, CommonOptions& common);
// FILE, --model and -D.
void add_model(CLI::App& app, ModelChoice& choice, CommonOptions& common);
// --engine, --threads, --cpu, --no-shortcuts and --no-cache: of every verb that evaluates.
void add_engine(CLI::App& app, EngineSettings& engine);
// --samples and --seed.
void add_sampling(CLI::App& app, analysis::StudySampling& sampling);
void add_seed(CLI::App& app, std::uint64_t& seed, const std::string& description);

// --- many points: which of which model, how long one may take, measurements to compare with, and pictures ---

struct StudyChoice : ModelChoice, analysis::StudyClauses {
  EngineSettings engine;
};

// How pictures in files look.
struct PictureStyle {
  analysis::pictures::PictureTexts texts;
  analysis::pictures::PictureSize size;
  bool any() const { return texts.any() || has_size(); }
  bool has_size() const { return size.width > 0 || size.font_points != analysis::pictures::PictureSize().font_points; }
};

// What of points is drawn.
struct PlotsAsked {
  std::vector<std::string> of;  // "total vs n by net on log, log"; none: what the study plots, or the usual choice
  analysis::pictures::ErrorBars bars = analysis::pictures::ErrorBars::deviation;
};

// Pictures of a study's points, beside its results.
struct Drawing {
  std::string svg, png, pdf;  // files; empty: none
  bool all = false;           // every plot has a file, with its number in the name
  bool in_terminal = false;
  PlotsAsked asked;
  PictureStyle style;
  bool has_file() const { return !svg.empty() || !png.empty() || !pdf.empty(); }
  bool any() const { return has_file() || in_terminal; }
};

// Measured run times, as a table of parameter values with a column of measurements.
struct Measurements {
  std::string data;                  // a table, or "-"
  std::string measured;              // the column of measurements; empty: the only one that is no parameter
  std::vector<std::string> ignored;  // columns that are skipped
  std::vector<std::string> named;    // columns of parameters that they are not named after: "p=MPI ranks"
  std::vector<std::string> where;    // what must hold for a row; empty: all rows are taken
  analysis::TableReading reading = {};
};

// FILE, --model, -D, --show, and the options for evaluation. Also --vary, --where and --study, unless the verb has its
// own words for them.
enum class Points { varied, otherwise };
void add_study_choice(CLI::App& app, StudyChoice& choice, Points points, CommonOptions& common);
// --columns: a table of points.
Declared add_columns(CLI::App& app, std::string& columns);
// --shard.
void add_shard(CLI::App& app, std::optional<analysis::Shard>& shard);
// --point-limit.
void add_point_limit(CLI::App& app, double& seconds);
// --decimal and --skip-missing.
void add_reading(CLI::App& app, analysis::TableReading& reading);
// --data, --measured, --ignore, --where, --decimal, --skip-missing. With `required`, --data must be given.
void add_measurements(CLI::App& app, Measurements& measurements, bool required);
// --show, for the output that was measured.
void add_measured_output(CLI::App& app, std::vector<std::string>& show);
// "deviation".
std::string word_of(analysis::pictures::ErrorBars bars);
// --draw and --error-bars.
void add_plots_asked(CLI::App& app, PlotsAsked& asked);
// --title, --size and --font-size; of plots also --x-label and --y-label.
enum class PictureOf { plot, timeline };
void add_picture_style(CLI::App& app, PictureStyle& style, PictureOf of);
// All of these, --svg, --png, --pdf, --all-plots and --plot.
void add_drawing(CLI::App& app, Drawing& drawing);

// --- where results go, and in what form: `--format`, `-o` and other files that are written ---

void add_format(CLI::App& app, Format& format);
// For points. If the format is not given, it is not known yet.
void add_format(CLI::App& app, std::optional<Format>& format);
// The same where `npy` may be named as well, as the folder of a file for each column: then no format is given.
void add_format_of_points(CLI::App& app, PointForm& form);
// Results also go into such a folder if the name ends with a slash, which the name loses.
void choose_folder(std::string& output, PointForm& form);

// A file to be written, which no input and no other output may be. Its name shows what it holds: any other ending than
// these is refused, unless --format says what it holds. A name without an ending promises nothing.
enum class HeldBy { name, format };
Declared add_file(CLI::App& app, const std::string& names, std::string& file, const std::vector<std::string>& endings,
                  const std::string& description, HeldBy held = HeldBy::name);
// The endings of files that hold results.
std::vector<std::string> endings_of_results();
// -o, declared after --format: if that is not given, the end of the file's name decides.
void add_output(CLI::App& app, std::string& output, Format& format);

}  // namespace wave::cli
