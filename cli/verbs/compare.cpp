// `wave compare`: a model with other parameters beside itself.
#include "cli/limits.h"
#include "cli/option_words.h"
#include "cli/options.h"
#include "cli/studies/comparison.h"
#include "cli/verb.h"

#include <fmt/format.h>

#include <algorithm>

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
           "One side: --with net=A --with \"net=B, mk=5\"; others are compared with the first; with one only, the "
           "model as it is is the first")
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

constexpr std::size_t most_sides = 26;  // letters

// As the user named it; what it gives, where that is short and no other's name; else a letter.
void name_sides(std::vector<Side>& sides, const std::vector<std::string>& with) {
  const auto letter = [](std::size_t i) { return std::string(1, static_cast<char>('A' + i)); };
  for (std::size_t i = 0; i < sides.size(); ++i) {
    if (!sides[i].name.empty()) continue;
    sides[i].name = with[i].empty() ? "as it is" : with[i].size() <= longest_name ? with[i] : letter(i);
  }
  for (std::size_t i = 0; i < sides.size(); ++i) {
    const auto is_same = [&](const Side& other) { return other.name == sides[i].name; };
    if (std::ranges::count_if(sides, is_same) < 2) continue;
    for (std::size_t k = 0; k < sides.size(); ++k) sides[k].name = letter(k);
    return;
  }
}

// False, reported, where two of them are the same.
bool check_different(Session& session, const ComparedSides& sides) {
  for (std::size_t i = 0; i < sides.all.size(); ++i) {
    for (std::size_t k = i + 1; k < sides.all.size(); ++k) {
      if (!changes_between(sides.all[i], sides.all[k]).empty()) continue;
      const std::string which =
          sides.are_two() ? "both sides" : fmt::format("the sides {} and {}", sides.all[i].name, sides.all[k].name);
      session.diagnostics()
          .add(DiagnosticKind::sides_alike, {}, fmt::format("{} are the same: {}", which, list_of(sides.all[i])))
          .help.push_back(
              "each `--with` says what one side has: `--with \"net=SP2()\" --with \"net=XT4()\"`; with one alone, "
              "the other is the model as it is");
      return false;
    }
  }
  return true;
}

std::optional<ComparedSides> read_sides(Session& session, const CompareCommand& command) {
  std::vector<std::string> with = command.with;
  if (with.size() == 1) with.insert(with.begin(), "");
  ComparedSides sides;
  for (const std::string& one : with) {
    auto side = read_side(session, one, command.asked.of.overrides);
    if (!side) return std::nullopt;
    sides.all.push_back(std::move(*side));
  }
  name_sides(sides.all, with);
  return check_different(session, sides) ? std::optional(std::move(sides)) : std::nullopt;
}

void add_sides(const ComparedSides& sides, Results& results) {
  results.add_table("sides", {{"side", text_type(), {}}, {"with", text_type(), {}}}, "");
  for (const Side& side : sides.all) results.add_row({side.name, list_of(side)});
}

int execute(const CompareCommand& command, const CommonOptions& options, Console& console) {
  if (command.with.size() > most_sides)
    return report_misuse(console, fmt::format("`--with` is given {} times", command.with.size()),
                         fmt::format("{} sides at most are shown beside each other", most_sides));
  if (command.with.size() > 2 && !command.crossover.empty())
    return report_misuse(console,
                         fmt::format("a crossover is of two sides, and `--with` gives {}", command.with.size()),
                         "ask for it with each two of them");
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
    is_done = find_crossover(session, command.asked, command.crossover, sides->with(1), results);
  } else if (has_points) {
    is_done = compare_points(session, command.asked, *sides, results);
  } else {
    const auto* model = choose_model(session, command.asked.of.model);
    if (model == nullptr) return fail();
    results.model = model->name.text;
    is_done = compare_values(session, *model, command.asked, *sides, results);
  }
  const bool clear = session.settle();
  if (is_done) write_document(document_of(results), command.asked.format, "", console);
  return clear && is_done ? success : failure;
}

}  // namespace

Verb compare_verb() {
  return make_verb<CompareCommand>(
      "compare", "Compare a model with itself under other parameters",
      {{"Compare a model with itself on a larger grid", "wave compare examples/sweep3d/sweep3d.wave --with n=8"},
       {"Compare three sides at several points, each with the first",
        "wave compare examples/halo/halo.wave --with nx=64 --with nx=32 --with nx=16 --vary \"m=8..64 by *2\""},
       {"Find where one overtakes the other",
        "wave compare examples/halo/halo.wave --with \"nx=64\" --with \"nx=32, n=16\" --crossover \"m=1..64\""}},
      declare, execute);
}

}  // namespace wave::cli
