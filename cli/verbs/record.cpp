// `wave record`: runs an MPI program with the library that records its calls. It runs on each rank, in place of the
// program: `mpirun -n 8 wave record --library ./recorder.so -o run ./program`.
#include "base/text.h"
#include "cli/embedded.h"
#include "cli/inherited.h"
#include "cli/limits.h"
#include "cli/needed_libraries.h"
#include "cli/option_words.h"
#include "cli/text.h"
#include "cli/verb.h"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <map>
#include <unistd.h>

namespace wave::cli {
namespace {

namespace fs = std::filesystem;

struct RecordCommand {
  std::string folder = "recorded", library;
  std::size_t memory = std::size_t{16} << 20;
  std::vector<std::string> parameters;
  bool shows_source = false, shows_header = false, is_raw = false;
  int frames = 0;
  std::vector<std::string> program;
};

const std::map<std::string, int> frames{{"0", 0}, {"1", 1}};

void declare(CLI::App& verb, RecordCommand& command, CommonOptions& common) {
  add_text(verb, "-o,--out,--output", command.folder, "FOLDER",
           "Write a file for each rank into this folder (default: recorded); behind the options comes the program with "
           "its arguments");
  add_text(verb, "--library", command.library, "FILE",
           "The library that records, made from --source by the mpicc of the program's MPI");
  add_list(verb, "--param", command.parameters, "NAME=VALUE",
           "What this run was given, written into each file; as often as needed");
  add_flag(verb, "--raw", command.is_raw, "Write a line for each call, rather than fold what is repeated");
  add_choice(verb, "--frames", command.frames, frames,
             "Tell calls apart by where the program makes them (1), or not (0, the default)");
  add_amount(verb, "--memory", command.memory, parse_bytes, "16MB",
             "What calls of a rank may take in memory before sizes and tags that keep them from folding are given up "
             "(default 16MB)");
  add_flag(verb, "--source", command.shows_source, "Print the source of that library instead");
  add_flag(verb, "--header", command.shows_header, "Print the header by which a program in C names its phases");
  add_limits(verb, common, TimeLimit::none);
  add_program(verb, command.program);
}

// Where the shell would find it; empty: nowhere.
std::string path_of(const std::string& program) {
  if (program.find('/') != std::string::npos) return program;
  const char* const given = std::getenv("PATH");
  std::string path = given != nullptr ? given : "";
  for (std::size_t at = 0; at <= path.size();) {
    const std::size_t end = std::min(path.find(':', at), path.size());
    const std::string file = (end > at ? path.substr(at, end - at) : ".") + "/" + program;
    if (access(file.c_str(), X_OK) == 0) return file;
    at = end + 1;
  }
  return "";
}

// The library of MPI that a file names as its own: "libmpi.so.40" is Open MPI's, "libmpich.so.12" MPICH's.
std::string mpi_of(const std::string& file) {
  for (const std::string& name : needed_libraries(file)) {
    if (name.rfind("libmpi.so", 0) == 0 || name.rfind("libmpich.so", 0) == 0) return name;
  }
  return "";
}
// MPICH and all that share its binary interface.
std::string family_of(const std::string& library) { return library == "libmpi.so.12" ? "libmpich.so.12" : library; }

constexpr const char* how_to_make_it =
    "`wave record --source > recorder.c`, `mpicc -O2 -shared -fPIC -o recorder.so recorder.c`, and "
    "`--library ./recorder.so`";

// `r00012.txt`.
bool is_of_rank(const std::string& name) {
  const std::size_t digits = name.find_first_not_of("0123456789", 1);
  return name.front() == 'r' && digits > 1 && digits != std::string::npos && name.substr(digits) == ".txt";
}

// The rank that this process will have, as what starts it says. Nothing: it does not say.
std::optional<int> own_rank() {
  for (const char* const name : {"OMPI_COMM_WORLD_RANK", "PMIX_RANK", "PMI_RANK", "SLURM_PROCID"}) {
    const char* const text = std::getenv(name);
    if (text != nullptr && *text != 0 && std::string(text).find_first_not_of("0123456789") == std::string::npos)
      return std::atoi(text);
  }
  return std::nullopt;
}

// Whether there is a recording. Other ranks of this run may be writing already, so that of one that was cut off only
// the own rank's file tells.
bool has_recording(const std::string& folder) {
  std::error_code trouble;
  for (fs::directory_iterator at(folder, trouble), end; !trouble && at != end; at.increment(trouble)) {
    if (is_of_rank(at->path().filename().string())) return true;
  }
  const auto rank = own_rank();
  return rank && fs::exists(fmt::format("{}/r{:05}.txt.part", folder, *rank), trouble);
}

// The library's source, as one file.
std::string source() {
  constexpr std::string_view include = "#include \"folding.h\"\n";
  std::string text = recorders().at(0).second;
  return text.replace(text.find(include), include.size(), recorders().at(1).second);
}

// What is wrong with a parameter; empty: nothing is.
std::string trouble_of(const std::string& parameter) {
  const std::size_t equals = parameter.find('=');
  if (equals == std::string::npos || equals == 0 || parameter.find_first_of(" \t\n\r") < equals)
    return fmt::format("`{}` is no parameter of a run", sanitize(parameter));
  if (parameter.find_first_of("\n\r") != std::string::npos) return "a parameter of a run is one line";
  return "";
}

// What the library reads.
void set_environment(const RecordCommand& command, const std::string& library, const std::string& folder) {
  const char* const before = std::getenv("LD_PRELOAD");
  setenv("LD_PRELOAD", before != nullptr && *before != 0 ? (library + " " + before).c_str() : library.c_str(), 1);
  setenv("WAVE_RECORD", folder.c_str(), 1);
  setenv("WAVE_RECORD_PARAMETERS", join_texts(command.parameters, "\n").c_str(), 1);
  if (command.frames > 0) setenv("WAVE_RECORD_FRAMES", "1", 1);
  if (command.is_raw) setenv("WAVE_RECORD_RAW", "1", 1);
  setenv("WAVE_RECORD_MEMORY", std::to_string(command.memory).c_str(), 1);
}

int execute(const RecordCommand& command, const CommonOptions& common, Console& console) {
  if (command.shows_source) {
    console.print(source(), Printed::data);
    return success;
  }
  if (command.shows_header) {
    console.print(recorders().at(2).second, Printed::data);
    return success;
  }
  if (command.program.empty())
    return report_misuse(console, "`wave record` needs a program to run",
                         "as in `mpirun -n 8 wave record -o run ./program`");
  for (const std::string& parameter : command.parameters) {
    if (const std::string trouble = trouble_of(parameter); !trouble.empty())
      return report_misuse(console, trouble, "give a name and a value, as `--param n=64`");
  }
  if (command.library.empty())
    return report_misuse(console, "`wave record` needs the library that records", how_to_make_it);
  std::error_code trouble;
  const std::string library = fs::absolute(command.library, trouble).string();
  if (access(library.c_str(), R_OK) != 0)
    return report_misuse(console, fmt::format("there is no library {}", sanitize(command.library)), how_to_make_it);
  if (library.find_first_of(" :") != std::string::npos)
    return report_misuse(console,
                         fmt::format("{} cannot be loaded: its path has a blank or a colon", sanitize(library)),
                         "put it into a folder without them");
  const std::string program = path_of(command.program.front());
  const std::string of_program = mpi_of(program), of_library = mpi_of(library);
  if (of_library.empty())
    return report_misuse(console, fmt::format("{} is no library for MPI", sanitize(command.library)), how_to_make_it);
  if (!of_program.empty() && family_of(of_program) != family_of(of_library)) {
    return report_misuse(console,
                         fmt::format("{} is for another MPI: it needs {}, and {} needs {}", sanitize(command.library),
                                     of_library, sanitize(command.program.front()), of_program),
                         "make the library by the mpicc of the MPI that the program was compiled with");
  }
  const std::string folder = fs::absolute(command.folder, trouble).string();
  fs::create_directories(folder, trouble);
  if (trouble)
    return report_misuse(console, fmt::format("{} cannot be made: {}", sanitize(command.folder), trouble.message()),
                         "give another folder with `-o`");
  if (has_recording(folder))
    return report_misuse(console, fmt::format("{} has a recording already", sanitize(command.folder)),
                         "give another folder with `-o`, or remove it");
  set_environment(command, library, folder);
  std::vector<char*> words;
  for (const std::string& word : command.program) words.push_back(const_cast<char*>(word.c_str()));
  words.push_back(nullptr);
  watch_given_limit();
  restore_inherited();
  if (std::isfinite(common.time_limit_seconds)) std::signal(SIGALRM, SIG_DFL);  // the limit ends the program
  execvp(words.front(), words.data());
  return report_misuse(console,
                       fmt::format("{} cannot be run: {}", sanitize(command.program.front()), std::strerror(errno)),
                       "name the program as the shell would find it");
}

}  // namespace

Verb record_verb() {
  return make_verb<RecordCommand>(
      "record", "Record an MPI program: mpirun -n 8 wave record --library ./recorder.so ./program",
      {{"Make the library that records: print its source", "wave record --source > recorder.c"},
       {"and compile it, once for each MPI", "mpicc -O2 -shared -fPIC -o recorder.so recorder.c"}},
      declare, execute);
}

}  // namespace wave::cli
