// Failures of an engine as diagnostics: what happened, where, and what to do about it.
#include "frontend/check/type_tools.h"
#include "frontend/format/quantities.h"
#include "frontend/lower/lower.h"
#include "ir/failure.h"
#include "ir/operations.h"

#include <fmt/format.h>

#include <cmath>

namespace wave::frontend {
namespace {

using ir::FailureKind;

struct Words {
  DiagnosticKind kind;
  std::string message;
  std::string label;
  std::string help;
};

// The value as a user would write it; empty if its type, and so its unit, is not known.
std::string text_of(ir::Scalar value, const TypeRef& type, const std::vector<std::string>& words) {
  if (value.type == ir::ScalarType::boolean) return value.boolean ? "true" : "false";
  if (value.type == ir::ScalarType::integer) {
    const std::vector<std::string>* names = nullptr;
    if (check::as<types::String>(type)) names = &words;
    if (const auto* choice = check::as<types::Choice>(type)) names = &choice->words;
    const auto number = static_cast<std::size_t>(value.integer);
    return names && number < names->size() ? (*names)[number] : fmt::format("{}", value.integer);
  }
  constexpr int digits = 6;
  if (const auto* real = check::as<types::Real>(type)) {
    return format_quantity(value.real, real->dimension, std::nullopt, digits);
  }
  return check::as<types::Int>(type) ? format_number(value.real, digits) : "";
}

// The operands, as far as they are known.
std::vector<std::string> operand_texts(const ir::Failure& failure, const SiteNote* note,
                                       const std::vector<std::string>& words) {
  std::vector<std::string> texts;
  const std::size_t count = std::max(failure.values.size(), note ? note->constants.size() : 0);
  for (std::size_t i = 0; i < count; ++i) {
    const bool here = i < failure.values.size();
    if (!here && !note->constants[i]) {
      texts.emplace_back();
      continue;
    }
    const TypeRef type = note && i < note->operands.size() ? note->operands[i] : nullptr;
    texts.push_back(text_of(here ? failure.values[i] : *note->constants[i], type, words));
  }
  return texts;
}

// The operand if it is an integer, which needs no unit.
std::string operand(const ir::Failure& failure, std::size_t at) {
  if (at >= failure.values.size() || failure.values[at].type != ir::ScalarType::integer) return "";
  return fmt::format(" {}", failure.values[at].integer);
}

// The point that was asked for, "[3, 0]".
std::string point_of(const ir::Failure& failure) {
  std::string text;
  for (const ir::Scalar& index : failure.values) text += fmt::format("{}{}", text.empty() ? "[" : ", ", index.integer);
  return text.empty() ? "" : text + "]";
}

// "the values here are 10 us and 0", for failures of what computes or compares.
std::string operands_of(const ir::Failure& failure, const std::vector<std::string>& operands) {
  const bool shown = failure.kind == FailureKind::integer_overflow || failure.kind == FailureKind::require_failed ||
                     failure.kind == FailureKind::division_by_zero || failure.kind == FailureKind::outside_domain ||
                     failure.kind == FailureKind::not_whole || failure.kind == FailureKind::not_representable ||
                     failure.kind == FailureKind::no_progress;
  if (!shown || operands.empty()) return "";
  std::string text;
  for (std::size_t i = 0; i < operands.size(); ++i) {
    if (operands[i].empty()) return "";
    text += (i == 0 ? "" : i + 1 == operands.size() ? " and " : ", ") + operands[i];
  }
  return (operands.size() == 1 ? "the value here is " : "the values here are ") + text;
}

// The first of a cycle, "a -> b -> a".
std::string first_of(const std::string& cycle) { return cycle.substr(0, cycle.find(" -> ")); }

std::string quoted(const std::string& text) { return text.empty() ? "" : " `" + text + "`"; }

// The way on, by what the processes that wait for each other are doing.
const char* way_out_of_deadlock(const ir::Failure& failure) {
  const std::int64_t at = failure.values.empty() ? ir::deadlock_at_send : failure.values.front().integer;
  if (at == ir::deadlock_at_send)
    return "let one of them receive first, or send with `isend` and `wait` after the receive";
  if (at == ir::deadlock_at_receive)
    return "let one of them send before it receives, or post the receive with `irecv` and `wait` for it after the send";
  return "what the others wait for must be sent, received or entered before this";
}

bool between_processes(FailureKind kind) {
  return kind == FailureKind::deadlock || kind == FailureKind::unmatched_message ||
         kind == FailureKind::size_mismatch || kind == FailureKind::levels_not_nested;
}

Words words_of(const ir::Failure& failure, const std::string& text) {
  switch (failure.kind) {
    // --- arithmetic ---
    case FailureKind::division_by_zero:
      return {DiagnosticKind::division_by_zero, "division by zero", "the divisor is zero here",
              "guard it with `if`, or `require` that the divisor is not zero"};
    case FailureKind::integer_overflow:
      return {DiagnosticKind::integer_overflow, "an integer does not fit 64 bits", "this overflows",
              "compute with reals where the numbers grow this large, as in `2.0 ^ 64`"};
    case FailureKind::negative_exponent:
      return {DiagnosticKind::negative_exponent,
              fmt::format("the exponent{} of an integer is negative", operand(failure, 1)), "`int ^ int` is an `int`",
              "write the base as a real, as in `2.0 ^ -1`"};
    case FailureKind::outside_domain:
      return {DiagnosticKind::outside_domain,
              text.empty() ? "this is not defined for its arguments" : fmt::format("`{}` is not defined here", text),
              text == ir::operation(ir::UnaryOp::normal_quantile).text
                  ? "probabilities are above 0 and below 1"
                  : "roots need numbers of at least 0, logarithms numbers above 0, and 0 has no negative power",
              ""};
    case FailureKind::not_representable:
      return {DiagnosticKind::not_representable, fmt::format("the result of{} does not fit an integer", quoted(text)),
              "the argument is too large, or no number", ""};
    case FailureKind::not_whole:
      return {DiagnosticKind::not_whole, "`int` takes whole numbers, this has a fraction", "not a whole number",
              "say how to round: `floor`, `ceil` or `round`"};
    // --- bounds ---
    case FailureKind::index_outside_list:
      return {DiagnosticKind::index_outside_list,
              operand(failure, 0).empty() ? "there is no such element" : "there is no element" + operand(failure, 0),
              text.empty() ? "lists count from 1 to their length" : text, ""};
    case FailureKind::index_off_grid:
      return {DiagnosticKind::index_off_grid, fmt::format("`{}{}` is off its grid", text, point_of(failure)),
              "no such point",
              "only neighbours off the grid are skipped: in a recurrence's own definition, and where a message goes to "
              "an offset as `[i-1]`"};
    case FailureKind::outside_table:
      return {DiagnosticKind::outside_table, "a table is read outside its range", "beyond its first or last key",
              "write `extend` after the table to go on beyond its ends"};
    case FailureKind::empty_reduction:
      return {DiagnosticKind::empty_reduction, "there is no extreme of nothing", "goes over no element at all",
              "ask first whether there is any, with `if` and `count`"};
    case FailureKind::no_progress:
      return {DiagnosticKind::no_progress, "this range makes no progress", "its step leads nowhere",
              "a step is not 0, a factor at least 2, and what is multiplied at least 1"};
    case FailureKind::all_absent:
      return {DiagnosticKind::all_absent, fmt::format("`{}` has no value at some point", text),
              "everything on its right side is off the grid there", "say what holds there with `else`"};
    case FailureKind::weight_not_finite:
      return {DiagnosticKind::weight_not_finite, fmt::format("a cost in `{}` is no finite number", text),
              "one of its summands is infinite, or no number", ""};
    case FailureKind::extent_not_positive:
      return {DiagnosticKind::extent_not_positive, fmt::format("axis `{}` has no points", text),
              fmt::format("runs from{} to{}", operand(failure, 0), operand(failure, 1)),
              "`require` that it is at least 1 to say so in your own words"};
    case FailureKind::cyclic_recurrence:
      return {DiagnosticKind::cyclic_recurrence,
              fmt::format("{} waits for itself", text.empty() ? "a recurrence" : "`" + text + "`"),
              "this needs its own value", ""};
    // --- what the program says ---
    case FailureKind::require_failed:
      return {DiagnosticKind::require_failed, text.empty() ? "a requirement is not met" : text, "this does not hold",
              ""};
    case FailureKind::error_called:
      return {DiagnosticKind::error_called, text.empty() ? "`error` is reached" : text, "reached here", ""};
    case FailureKind::outside_range:
      return {DiagnosticKind::outside_range, fmt::format("parameter `{}` is outside its range", text), "declared here",
              ""};
    case FailureKind::parameter_missing:
      return {DiagnosticKind::missing_parameter, fmt::format("parameter `{}` has no value", text),
              "declared without a default", fmt::format("say `-D {}=...`", text)};
    case FailureKind::cyclic_definition:
      return {DiagnosticKind::cyclic_definition, fmt::format("`{}` needs its own value", first_of(failure.detail)),
              "this leads back to itself", "give one of them a value that does not use the others"};
    case FailureKind::recursion_too_deep:
      return {DiagnosticKind::recursion_too_deep, fmt::format("the calls of `{}` go too deep", text),
              "calls inside calls", "a function that calls itself needs a case in which it does not"};
    case FailureKind::no_value:
      return {DiagnosticKind::not_expressible, fmt::format("`{}` has no value", text), "", ""};
    case FailureKind::time_limit:
      return {DiagnosticKind::out_of_time, "the evaluation takes longer than the time limit", "",
              "allow more with `--time-limit`, or ask for less"};
    case FailureKind::memory_limit:
      return {DiagnosticKind::out_of_memory, "the evaluation needs more memory than the limit", "",
              "allow more with `--memory-limit`, or ask for less"};
    // --- processes; `detail` says what the first statement has to do with it, and labels say it of others ---
    case FailureKind::negative_quantity: {
      const double value = failure.values.size() == 2 ? failure.values[1].real : 0;
      if (std::isnan(value))
        return {DiagnosticKind::weight_not_finite, fmt::format("{} is no number", text), "not a number", ""};
      return {DiagnosticKind::negative_quantity,
              fmt::format("{} is negative", text.empty() ? "the size of a message" : text), "less than nothing",
              "look for a difference in what it is computed from"};
    }
    case FailureKind::negative_count:
      return {DiagnosticKind::negative_count, fmt::format("there cannot be{} {}", operand(failure, 1), text),
              "this is how many there are", "`require` that it is not negative to say so in your own words"};
    case FailureKind::deadlock:
      return {DiagnosticKind::deadlock, "processes wait for each other", failure.detail, way_out_of_deadlock(failure)};
    case FailureKind::unmatched_message:
      return {DiagnosticKind::unmatched_message, "a message without its other end", failure.detail,
              "sends and receives meet in order: where the peers and tags are opposite, the k-th with the k-th"};
    case FailureKind::levels_not_nested:
      return {DiagnosticKind::levels_not_nested, failure.detail, "the inner level",
              "levels stand innermost first, and what shares one shares those after it"};
    case FailureKind::order_left_open:
      return {DiagnosticKind::order_left_open, "two tasks of a list send or receive here on one channel",
              "which of their messages comes first is left to time",
              "let each have its own tag, at both ends: `send s to [i+1] tag k`, `recv s from [i-1] tag k`"};
    case FailureKind::released_more:
      return {DiagnosticKind::released_more, fmt::format("more is released of \"{}\" than is held", text),
              "released here", "a process releases what it has held before, in the order of its own program"};
    case FailureKind::size_mismatch:
      return {DiagnosticKind::size_mismatch, "the two ends of a message disagree about its size", failure.detail,
              "leave out the size of the receive to take what is sent"};
  }
  return {DiagnosticKind::not_expressible, "this could not be evaluated", "", ""};
}

// For a parameter, shows its value at the location that gave it, and the bound that it breaks.
void explain_range(const ir::Site& site, const SiteNote& note, const std::vector<std::string>& operands,
                   Diagnostic& diagnostic) {
  const bool lower = note.bound == SiteNote::Bound::lower;
  const std::string bound = operands.size() == 2 ? operands[lower ? 0 : 1] : "";
  const std::string value = operands.size() == 2 ? operands[lower ? 1 : 0] : "";
  diagnostic.message = value.empty() ? fmt::format("parameter `{}` is outside its range", site.text)
                                     : fmt::format("parameter `{}` is {}, outside its range", site.text, value);
  diagnostic.labels.clear();
  const std::string what = value.empty() ? "the value" : value;
  switch (note.origin) {
    case SiteNote::Origin::default_value: diagnostic.labels.push_back({note.value, "its default, " + what}); break;
    case SiteNote::Origin::call:
    case SiteNote::Origin::command_line: diagnostic.labels.push_back({note.value, what + " is given here"}); break;
  }
  if (site.related.empty()) return;
  const std::string limit = bound.empty() ? "this" : bound;
  diagnostic.labels.push_back(
      {site.related.front(), fmt::format("its range {} {}", lower ? "begins at" : "ends at", limit)});
}

// "0.5 us is below the first key, 1 us".
std::string beyond(const ir::System& system, const ir::Failure& failure, const SiteNote& note,
                   const std::vector<std::string>& words) {
  if (!note.table.valid()) return "";
  const auto& keys = system[note.table].keys;
  for (std::size_t axis = 0; axis < failure.values.size() && axis < keys.size() && axis < note.operands.size();
       ++axis) {
    const double key = failure.values[axis].real;
    const bool below = key < keys[axis].front();
    if (!below && key <= keys[axis].back()) continue;
    const ir::Scalar end = ir::Scalar::of(below ? keys[axis].front() : keys[axis].back());
    const std::string is = text_of(failure.values[axis], note.operands[axis], words);
    const std::string limit = text_of(end, note.operands[axis], words);
    if (is.empty() || limit.empty()) return "";
    return fmt::format("{} is {} key, {}", is, below ? "below the first" : "above the last", limit);
  }
  return "";
}

// On a grid of several axes an engine tells which index is off it, and the bounds of its axis.
void explain_off_grid(const ir::Site& site, const SiteNote& note, const ir::Failure& failure, Diagnostic& diagnostic) {
  if (note.operands.size() < 2) return;
  diagnostic.message = fmt::format("`{}` is read off its grid", site.text);
  if (failure.values.size() != 3 || diagnostic.labels.empty()) return;
  diagnostic.labels.front().text = fmt::format("the index {} is outside {}..{}", failure.values[0].integer,
                                               failure.values[1].integer, failure.values[2].integer);
}

std::string indices_of(const ir::Failure& failure) {
  std::string text;
  for (const auto& [name, value] : failure.indices) {
    if (name.empty()) continue;
    text += fmt::format("{}`{} = {}`", text.empty() ? "" : ", ", name, value);
  }
  return text;
}

}  // namespace

void report(const ir::System& system, const std::vector<std::string>& words_of_program, const SiteNotes& notes,
            const ir::Failure& failure, Diagnostics& diagnostics) {
  const ir::Site* site = failure.site.valid() ? &system[failure.site] : nullptr;
  const auto found = failure.site.valid() ? notes.find(failure.site.index) : notes.end();
  const SiteNote* note = found == notes.end() ? nullptr : &found->second;
  Words words = words_of(failure, site ? site->text : "");
  if (note && note->page) {
    words.kind = note->page->kind;
    words.label = note->page->label;
  }
  const Location location = failure.location.known() || !site ? failure.location : site->location;
  Diagnostic& diagnostic = diagnostics.add(words.kind, location, words.message, words.label);
  const auto operands = operand_texts(failure, note, words_of_program);
  if (note && failure.kind == FailureKind::outside_range) explain_range(*site, *note, operands, diagnostic);
  if (note && failure.kind == FailureKind::index_off_grid) explain_off_grid(*site, *note, failure, diagnostic);
  if (note && words.kind == DiagnosticKind::negative_quantity && operands.size() == 2 && !operands[1].empty()) {
    diagnostic.message =
        fmt::format("{} is negative, {}", site->text.empty() ? "the size of a message" : site->text, operands[1]);
  }
  if (note && note->page) {
    for (const auto& [where, text] : note->page->labels) diagnostic.labels.push_back({where, text});
  }
  for (const auto& [where, text] : failure.labels) diagnostic.labels.push_back({where, text});
  if (between_processes(failure.kind)) {
    if (!words.help.empty()) diagnostic.help.push_back(words.help);
    return;  // the labels name the processes
  }
  if (note && failure.kind == FailureKind::outside_table && !diagnostic.labels.empty()) {
    const std::string text = beyond(system, failure, *note, words_of_program);
    if (!text.empty()) diagnostic.labels.front().text = text;
  }
  const std::string indices = indices_of(failure);
  if (!indices.empty()) diagnostic.notes.push_back("at " + indices);
  const std::string values = operands_of(failure, operands);
  if (!values.empty()) diagnostic.notes.push_back(values);
  if (!failure.detail.empty()) diagnostic.notes.push_back(failure.detail);
  if (!words.help.empty()) diagnostic.help.push_back(words.help);
  if (note && !note->help.empty()) diagnostic.help.push_back(note->help);
}

}  // namespace wave::frontend
