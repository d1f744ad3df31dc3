// `wave record`: runs an MPI program with the library that records its calls. It runs on each rank, in place of the
// program: `mpirun -n 8 wave record --library ./recorder.so -o run ./program`.
#include "cli/embedded.h"
#include "cli/needed_libraries.h"
#include "cli/option_words.h"
#include "cli/text.h"
#include "cli/verb.h"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <unistd.h>

namespace wave::cli {
namespace {

namespace fs = std::filesystem;

struct RecordCommand {
  std::string folder = "recorded", library;
  bool shows_source = false;
  std::vector<std::string> program;
};

void declare(CLI::App& verb, RecordCommand& command, CommonOptions&) {
  add_text(verb, "-o,--out,--output", command.folder, "FOLDER",
           "Write a file for each rank into this folder (default: recorded); behind the options comes the program with "
           "its arguments");
  add_text(verb, "--library", command.library, "FILE",
           "The library that records, made from --source by the mpicc of the program's MPI");
  add_flag(verb, "--source", command.shows_source, "Print the source of that library instead");
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

// Whether there is a whole recording. Other ranks of this run may be writing already; their library writes over
// nothing.
bool has_recording(const std::string& folder) {
  std::error_code trouble;
  for (fs::directory_iterator at(folder, trouble), end; !trouble && at != end; at.increment(trouble)) {
    if (at->path().extension() == ".txt" && at->path().filename().string().front() == 'r') return true;
  }
  return false;
}

int execute(const RecordCommand& command, const CommonOptions&, Console& console) {
  if (command.shows_source) {
    console.print(recorders().front().second, Printed::data);
    return success;
  }
  if (command.program.empty())
    return report_misuse(console, "`wave record` needs a program to run",
                         "as in `mpirun -n 8 wave record -o run ./program`");
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
  const char* const before = std::getenv("LD_PRELOAD");
  setenv("LD_PRELOAD", before != nullptr && *before != 0 ? (library + " " + before).c_str() : library.c_str(), 1);
  setenv("WAVE_RECORD", folder.c_str(), 1);
  std::vector<char*> words;
  for (const std::string& word : command.program) words.push_back(const_cast<char*>(word.c_str()));
  words.push_back(nullptr);
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
