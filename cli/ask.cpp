// See ask.h.
#include "cli/ask.h"

#include "backend/limits.h"
#include "base/text.h"
#include "cli/formats/document.h"
#include "cli/limits.h"
#include "cli/text.h"
#include "frontend/source/diagnostics.h"
#include "frontend/source/files.h"
#include "frontend/source/patience.h"

#include <fmt/format.h>

#include <algorithm>

namespace wave::cli {

bool is_called(const std::string& option, std::string given) {
  std::replace(given.begin(), given.end(), '_', '-');
  return option == given;
}

std::vector<std::string> verbs_that_answer() {
  std::vector<std::string> names;
  for (const Verb& one : verbs()) {
    if (one.answers) names.push_back(one.name);
  }
  return names;
}

const Verb* find_question(const std::string& verb) {
  const auto found =
      std::find_if(verbs().begin(), verbs().end(), [&](const Verb& one) { return one.answers && one.name == verb; });
  return found == verbs().end() ? nullptr : &*found;
}

namespace {

bool is_given(const std::vector<GivenOption>& options, const std::vector<std::string>& names) {
  return std::any_of(options.begin(), options.end(), [&](const GivenOption& one) {
    return std::find(names.begin(), names.end(), one.name) != names.end();
  });
}

// Evaluations keep the limit of time by themselves, and say more. A model that is still being read is given up some
// time later.
double longest_reading(const CommonOptions& common, const std::vector<GivenOption>& options) {
  double seconds = common.time_limit_seconds;
  for (const auto& [name, value] : options) {
    if (is_called("time-limit", name)) seconds = parse_seconds(value).value_or(seconds);
  }
  constexpr double grace = 5;
  return 1.25 * seconds + grace;
}

}  // namespace

std::optional<Misuse> ask(const Question& question, Client& client) {
  const Verb* const verb = find_question(question.verb);
  if (verb == nullptr) {
    const auto names = verbs_that_answer();
    const std::string near = frontend::nearest(question.verb, names);
    return Misuse{fmt::format("there is no question `{}`", question.verb),
                  near.empty() ? fmt::format("there are {}", join_texts(names, ", ")) : frontend::did_you_mean({near})};
  }
  frontend::written_files() = {};
  auto options = question.options;
  // A program takes all of an answer, not the part of it that a page has room for.
  const bool names_format = is_given(options, {"format", "o", "out", "output"});
  if (!names_format && has_option(*verb, "format"))
    options.push_back({"format", std::string(Format(Takes::data)->word)});
  auto parsed = parse_question(*verb, options);
  if (auto* const wrong = std::get_if<Misuse>(&parsed)) return std::move(*wrong);
  auto& request = std::get<RequestedVerb>(parsed);
  request.common.client = &client;
  request.common.colour = ColourChoice::never;
  backend::Limits reading;
  backend::set_time_limit(reading, longest_reading(request.common, question.options), request.common.begin);
  reading.stop = &client.is_stopped();
  const frontend::Patience patience([&] { return backend::is_over(reading); });
  Console console(request.common);
  request.execute(request.common, console);
  return std::nullopt;
}

}  // namespace wave::cli
