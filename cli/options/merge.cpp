// `wave merge`.
#include "cli/options/options.h"

namespace wave::cli {

void declare_merge(CLI::App& app, MergeCommand& command, CommonOptions& common) {
  auto& verb = *app.add_subcommand("merge", "Put the parts of a divided study together");
  verb.add_option("PART", command.parts, "Parts that `wave sweep --shard` has written")->type_name("")->required();
  add_file(verb, "-o,--out,--output", command.output, {".csv", ".jsonl", ".json"},
           "Into this file: results.csv, .jsonl, .json (default: standard output)", HeldBy::format);
  add_format(verb, command.format);
  add_limits(verb, common, TimeLimit::none);
  add_common(verb, common);
}

}  // namespace wave::cli
