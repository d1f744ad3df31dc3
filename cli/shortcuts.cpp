// Which proved shortcuts an evaluation has used, from what its engine reports. See results.h.
#include "cli/results.h"

#include <algorithm>
#include <string_view>

namespace wave::cli {
namespace {

// How what a shortcut has done is told in the schedule of a report. It ends at a comma or semicolon.
constexpr std::string_view closed_form = "closed form: ";  // "closed form: equal paths, as an expression"
constexpr std::string_view certified = "certified ";       // "certified tiles: 28 of 8000 evaluated"

std::string up_to_separator(const std::string& schedule, std::size_t at) {
  return schedule.substr(at, schedule.find_first_of(",;", at) - at);
}

std::vector<Shortcut> shortcuts_in(const backend::EventReport& report) {
  std::vector<Shortcut> found;
  const std::string& schedule = report.schedule;
  if (const auto at = schedule.find(closed_form); at != std::string::npos) {
    const std::string text = up_to_separator(schedule, at);
    found.push_back({report.event, text.substr(closed_form.size()), text, report.cells});
  }
  for (auto at = schedule.find(certified); at != std::string::npos; at = schedule.find(certified, at + 1)) {
    const std::string text = up_to_separator(schedule, at);
    found.push_back({report.event, text.substr(0, text.find(':')), text, report.cells});
  }
  return found;
}

}  // namespace

std::vector<Shortcut> shortcuts_of(const Results& results) {
  std::vector<Shortcut> shortcuts;
  for (const auto& report : results.reports) {
    for (Shortcut& found : shortcuts_in(report)) {
      const auto same = [&](const Shortcut& one) { return one.of == found.of && one.text == found.text; };
      const auto known = std::find_if(shortcuts.begin(), shortcuts.end(), same);
      if (known == shortcuts.end())
        shortcuts.push_back(std::move(found));
      else
        known->cells += found.cells;
    }
  }
  return shortcuts;
}

}  // namespace wave::cli
