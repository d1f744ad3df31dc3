// See launched_part.h.
#include "cli/studies/launched_part.h"

#include "cli/files.h"
#include "cli/progress.h"
#include "cli/studies/slurm_job.h"
#include "cli/studies/study_results.h"
#include "cli/text.h"

#include <fmt/format.h>

#include <cstdlib>
#include <filesystem>

namespace wave::cli {

std::optional<analysis::Launch> launch_of_several() {
  const auto launch = analysis::find_launch([](const char* name) { return std::getenv(name); });
  return launch && launch->size > 1 ? launch : std::nullopt;
}

std::string part_of_launch(const analysis::Launch& launch, const std::string& output, std::string& trouble) {
  const std::string folder = parts_folder_of(output);
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (error) trouble = error.message();
  return fmt::format("{}/{}.part", folder, launch.rank + 1);
}

std::optional<int> refuse_shared_output(const analysis::Launch& launch, const std::string& output, Console& console) {
  if (!output.empty() && !is_part_name(output) && !is_written_through(output)) return std::nullopt;
  return report_misuse(
      console, fmt::format("{} started {} programs, which cannot write one table", launch.launcher, launch.size),
      "`--out results.csv` has each compute a part, for `wave merge`; `--shard 1/1` has each compute everything");
}

std::optional<int> refuse_standard_input(const analysis::Launch& launch, const StudyChoice& choice, Console& console) {
  if (choice.file != "-" && choice.columns != "-") return std::nullopt;
  return report_misuse(
      console,
      fmt::format("{} started {} programs, which cannot all read standard input", launch.launcher, launch.size),
      "name a file");
}

int refuse_shared_job(const analysis::Launch& launch, Console& console) {
  return report_misuse(
      console, fmt::format("{} started {} programs, and `--slurm` writes one job", launch.launcher, launch.size),
      "start it once, without the launcher");
}

void remark_on_merging(const analysis::Launch& launch, const std::string& output, std::optional<Format> format,
                       Console& console) {
  if (launch.rank != 0) return;
  const std::string formatted = format ? fmt::format(" --format={}", (*format)->word) : "";
  console.remark(fmt::format("{} programs compute a part each; when all have ended: wave merge {}/*.part{} --out {}\n",
                             grouped(static_cast<std::uint64_t>(launch.size)), shell_word(parts_folder_of(output)),
                             formatted, shell_word(output)));
}

}  // namespace wave::cli
