// `wave sweep`.
#include "cli/measures.h"
#include "cli/options/options.h"

#include <charconv>

namespace wave::cli {
namespace {

// "3/8".
std::optional<std::pair<unsigned, unsigned>> parse_shard(const std::string& text) {
  constexpr unsigned most = 1'000'000;
  unsigned index = 0, count = 0;
  const char* const end = text.data() + text.size();
  const auto first = std::from_chars(text.data(), end, index);
  if (first.ec != std::errc() || first.ptr == end || *first.ptr != '/') return std::nullopt;
  const auto second = std::from_chars(first.ptr + 1, end, count);
  if (second.ec != std::errc() || second.ptr != end || index < 1 || index > count || count > most) return std::nullopt;
  return std::pair(index, count);
}

void add_shard(CLI::App& verb, SweepCommand& command) {
  const auto set = [&command](const CLI::results_t& given) {
    const auto shard = parse_shard(given.front());
    if (!shard) {
      throw CLI::ValidationError(fmt::format(
          "`--shard` takes a part and how many there are, not `{}`\nfor example `--shard 3/8`, the third of eight",
          given.front()));
    }
    std::tie(command.shard, command.shards) = *shard;
    return true;
  };
  verb.add_option("--shard", set,
                  "Only this part of the points, into a file for `wave merge`: --shard 3/8 --out third.part")
      ->type_name("I/N")
      ->expected(1)
      ->take_last();
}

void add_point_limit(CLI::App& verb, SweepCommand& command) {
  const auto set = [&command](const CLI::results_t& given) {
    const auto seconds = parse_seconds(given.front());
    if (!seconds) {
      throw CLI::ValidationError(fmt::format(
          "`--point-limit` takes a positive amount with its unit, not `{}`\nfor example `--point-limit 10s`",
          given.front()));
    }
    command.point_limit_seconds = *seconds;
    return true;
  };
  verb.add_option("--point-limit", set, "Give up a point after this long; it is a row with that error (default 60s)")
      ->type_name("AMOUNT")
      ->expected(1)
      ->take_last();
}

}  // namespace

void add_format(CLI::App& verb, std::optional<Format>& format) {
  static const std::map<std::string, Format> formats{
      {"table", Format::table}, {"csv", Format::csv}, {"jsonl", Format::jsonl}, {"json", Format::json}};
  add_choice(verb, "--format", format, formats,
             "How results are written (default: as the file's name ends, else csv; a table on a terminal)");
}

void declare_sweep(CLI::App& app, SweepCommand& command, CommonOptions& common) {
  auto& verb = *app.add_subcommand("sweep", "Evaluate a model at many points");
  add_study_choice(verb, command.of, Points::varied);
  add_file(verb, "-o,--out,--output", command.output, {".csv", ".jsonl", ".json", ".part"},
           "Into this file: results.csv, .jsonl, .json (default: standard output)", HeldBy::format);
  add_format(verb, command.format);
  verb.add_flag("--resume", command.resume, "Go on where an interrupted run of the same study ended");
  verb.add_flag("--restart", command.restart, "Begin again, and forget what an interrupted run has found");
  add_shard(verb, command);
  auto* const mpi = verb.add_flag_callback(
      "--mpi", [&command] { command.mpi = MpiChoice::always; },
      "Divide the points between the ranks of MPI (default: where mpirun or srun started several)");
  verb.add_flag_callback(
          "--no-mpi", [&command] { command.mpi = MpiChoice::never; }, "Run alone, whoever started this program")
      ->excludes(mpi);
  verb.add_flag("--yes", command.yes, "Begin also a study of very many points");
  add_point_limit(verb, command);
  add_drawing(verb, command.drawing);
  verb.add_flag("--verbose", command.verbose, "Say how many points were evaluated, and how fast");
  add_search(verb, common);
  add_limits(verb, common, TimeLimit::none);
  add_common(verb, common);
}

}  // namespace wave::cli
