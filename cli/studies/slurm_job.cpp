// See slurm_job.h. What is the same in all scripts is slurm_job.sh.
#include "cli/studies/slurm_job.h"

#include "base/plugin.h"
#include "cli/embedded.h"
#include "cli/files.h"
#include "cli/option_words.h"
#include "cli/progress.h"
#include "cli/text.h"

#include <fmt/format.h>

#include <charconv>
#include <filesystem>

namespace wave::cli {
namespace {

constexpr int most_parts = 1'000'000;

std::string list_of(const std::vector<std::string>& words) {
  std::string text;
  for (const auto& word : words) text += (text.empty() ? "" : " ") + shell_word(word);
  return "(" + text + ")";
}

// Empty if the folder is gone; paths then stay relative.
std::string current_folder() {
  std::error_code error;
  return std::filesystem::current_path(error).string();
}

}  // namespace

std::string job_script_of(const std::string& output) { return output + ".slurm"; }
std::string parts_folder_of(const std::string& output) { return output + ".parts"; }

namespace {

std::string text_of(const SlurmJob& job) {
  const std::string folder = program_folder(), here = current_folder();
  const std::string output = (std::filesystem::path(here) / job.output).lexically_normal().string();
  std::string text = "#!/bin/bash\n";
  text += fmt::format(
      "# A study of Wave in {} parts, as an array job of Slurm. `bash FILE --help` says how to submit it.\n",
      job.parts);
  text += "set -euo pipefail\n";
  const auto set = [&](const char* name, const std::string& value) { text += fmt::format("{}={}\n", name, value); };
  set("wave", shell_word(folder.empty() ? std::string("wave") : folder + "/wave"));
  set("folder", shell_word(here));
  set("study", list_of(job.study));
  set("parts", std::to_string(job.parts));
  set("output", shell_word(output));
  set("parts_folder", shell_word(parts_folder_of(output)));
  set("merging",
      list_of(job.format ? std::vector{fmt::format("--format={}", (*job.format)->word)} : std::vector<std::string>{}));
  set("script", shell_word(job_script_of(output)));
  return text + job_scripts().front().second;
}

}  // namespace

int write_job_script(const SlurmJob& job, std::uint64_t points, Console& console) {
  const auto parts = static_cast<std::uint64_t>(job.parts);
  if (parts > points) {
    return report_misuse(
        console, fmt::format("the study has {} points, which do not make {} parts", grouped(points), grouped(parts)),
        "give `--slurm` fewer parts");
  }
  const std::string script = job_script_of(job.output);
  if (const std::string trouble = replace_file(script, text_of(job)); !trouble.empty()) {
    return report_without_location(console, frontend::DiagnosticKind::cannot_write,
                                   fmt::format("`{}` cannot be written", script), trouble);
  }
  console.remark(fmt::format("`{}` computes {} points in {} parts; `bash {}` submits it, `--dry-run` shows how\n",
                             script, grouped(points), grouped(parts), shell_word(script)));
  return success;
}

void add_slurm(CLI::App& app, int& parts) {
  const auto read = [&parts](const std::string& text) {
    const char* const end = text.data() + text.size();
    const auto given = std::from_chars(text.data(), end, parts);
    if (given.ec != std::errc() || given.ptr != end || parts < 1 || parts > most_parts)
      refuse(fmt::format("`--slurm` takes how many parts there are to be, not `{}`", text),
             "for example `--slurm 16`: a job of sixteen tasks");
  };
  add_read(app, "--slurm", read, "N",
           "Evaluate nothing, but write a job for Slurm that does it in N parts: `bash results.csv.slurm` submits it");
}

}  // namespace wave::cli
