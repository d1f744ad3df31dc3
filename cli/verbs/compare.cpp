// `wave compare`: a model with other parameters beside itself.
#include "cli/limits.h"
#include "cli/option_words.h"
#include "cli/options.h"
#include "cli/studies/comparison.h"
#include "cli/verb.h"

#include <fmt/format.h>

namespace wave::cli {
namespace {

using frontend::DiagnosticKind;

struct CompareCommand {
  Comparison asked;
  std::vector<std::string> with;  // one side each: "net=XT4(), mk=5"
  std::string crossover;          // "n", or "n=1..1024"
};

void declare(CLI::App& verb, CompareCommand& command, CommonOptions& common) {
  Comparison& asked = command.asked;
  add_study_choice(verb, asked.of, Points::varied, common);
  add_list(verb, "--with", command.with, "NAME=EXPR,...",
           "One side: --with net=A --with \"net=B, mk=5\"; with one only, the other is the model as it is")
      .required();
  add_text(verb, "--crossover", command.crossover, "NAME[=LIST]",
           "Where one side overtakes the other: --crossover \"n=1..65536\"");
  add_flag(verb, "--no-breakdown", asked.no_breakdown, "Do not look for where the difference arises");
  add_seed(verb, asked.seed, "Of the orders in which more than ten changes are made (default 1)");
  add_format(verb, asked.format);
  add_search(verb, common);
  add_limits(verb, common, TimeLimit::none);
}

// Longer than that a heading is no heading.
constexpr std::size_t longest_name = 24;

std::string list_of(const Side& side) {
  std::string text;
  for (const auto& one : side.given) text += (text.empty() ? "" : ", ") + one.path + " = " + one.expression;
  return text.empty() ? "as it is" : text;
}

// As the user named it; what it gives, where that is short; else a letter.
void name_sides(TwoSides& sides, const CompareCommand& command) {
  const auto name = [](Side& side, const std::string& with, const char* letter) {
    if (side.name.empty()) side.name = with.size() <= longest_name ? with : letter;
  };
  const bool is_one = command.with.size() == 1;
  name(sides.first, is_one ? "as it is" : command.with.front(), "A");
  name(sides.second, command.with.back(), "B");
  if (sides.first.name == sides.second.name) {
    sides.first.name = "A";
    sides.second.name = "B";
  }
}

std::optional<TwoSides> read_sides(Session& session, const CompareCommand& command) {
  const bool is_one = command.with.size() == 1;
  auto first = read_side(session, is_one ? "" : command.with.front(), command.asked.of.overrides);
  auto second = read_side(session, command.with.back(), command.asked.of.overrides);
  if (!first || !second) return std::nullopt;
  TwoSides sides{std::move(*first), std::move(*second)};
  name_sides(sides, command);
  if (!changes_between(sides.first, sides.second).empty()) return sides;
  session.diagnostics()
      .add(DiagnosticKind::sides_alike, {}, fmt::format("both sides are the same: {}", list_of(sides.first)))
      .help.push_back(
          "each `--with` says what one side has: `--with \"net=SP2()\" --with \"net=XT4()\"`; with one alone, the "
          "other is the model as it is");
  return std::nullopt;
}

void add_sides(const TwoSides& sides, Results& results) {
  results.add_table("sides", {{"side", text_type(), {}}, {"with", text_type(), {}}}, "");
  for (const auto* side : {&sides.first, &sides.second}) results.add_row({side->name, list_of(*side)});
}

int execute(const CompareCommand& command, const CommonOptions& options, Console& console) {
  if (command.with.size() > 2)
    return report_misuse(console,
                         fmt::format("`--with` is given {} times: two sides are compared", command.with.size()),
                         "compare them two at a time");
  const bool has_points = !command.asked.of.vary.empty() || !command.asked.of.study.empty();
  if (!command.asked.of.where.empty() && !command.crossover.empty())
    return report_misuse(console, "`--where` leaves out points, `--crossover` looks between them",
                         "give `--crossover` the values between which it is to look");
  if (!command.asked.of.where.empty() && !has_points)
    return report_misuse(console, "`--where` leaves out points, and nothing varies",
                         "say what varies: `--vary \"n=1..64 by *2\"`");
  Session session(console, options);
  const auto fail = [&] {
    session.settle();
    return failure;
  };
  if (!session.load(command.asked.of.file)) return failure;
  const auto sides = read_sides(session, command);
  if (!sides) return fail();
  watch_given_limit();
  Results results;
  results.file = session.name();
  add_sides(*sides, results);
  bool is_done = false;
  if (!command.crossover.empty()) {
    is_done = find_crossover(session, command.asked, command.crossover, *sides, results);
  } else if (has_points) {
    is_done = compare_points(session, command.asked, *sides, results);
  } else {
    const auto* model = choose_model(session, command.asked.of.model);
    if (model == nullptr) return fail();
    results.model = model->name.text;
    is_done = compare_values(session, *model, command.asked, *sides, results);
  }
  const bool clear = session.settle();
  if (is_done) console.print(written(document_of(results), command.asked.format), Printed::data);
  return clear && is_done ? success : failure;
}

}  // namespace

Verb compare_verb() {
  return make_verb<CompareCommand>(
      "compare", "Compare a model with itself under other parameters",
      {{"Compare a model with itself on a larger grid", "wave compare examples/sweep3d/sweep3d.wave --with n=8"},
       {"Compare two sides at several points",
        "wave compare examples/halo/halo.wave --with nx=64 --with nx=32 --vary \"m=8..64 by *2\""},
       {"Find where one overtakes the other",
        "wave compare examples/halo/halo.wave --with \"nx=64\" --with \"nx=32, n=16\" --crossover \"m=1..64\""}},
      declare, execute);
}

}  // namespace wave::cli
