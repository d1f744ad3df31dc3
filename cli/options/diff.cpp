// `wave diff`.
#include "cli/options/options.h"

namespace wave::cli {

void declare_diff(CLI::App& app, DiffCommand& command, CommonOptions& common) {
  auto& verb = *app.add_subcommand("diff", "Say which parameters explain the change between two results");
  verb.add_option("BEFORE", command.before, "A result as JSON")->type_name("")->required();
  verb.add_option("AFTER", command.after, "Another")->type_name("")->required();
  verb.add_option("--file", command.file, "The model (default: the file that the results name)")->type_name("FILE");
  add_seed(verb, command.seed, "Of the orders in which more than ten changes are made (default 1)");
  add_format(verb, command.format);
  add_engine(verb, command.engine);
  add_search(verb, common);
  add_limits(verb, common);
  add_common(verb, common);
}

}  // namespace wave::cli
