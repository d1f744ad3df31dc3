// Which proved shortcuts an evaluation has used, from what its engine reports. See results.h.
#include "cli/results.h"

#include <algorithm>
#include <string_view>

namespace wave::cli {
namespace {

// How the schedule of a report begins, or goes on after a semicolon, where a shortcut has been used.
constexpr std::string_view marks[] = {"closed form: ", "certified: "};

// Without a text: none.
Shortcut shortcut_of(const backend::EventReport& report) {
  for (const std::string_view mark : marks) {
    const auto at = report.schedule.find(mark);
    if (at == std::string::npos) continue;
    const std::string text = report.schedule.substr(at, report.schedule.find(';', at) - at);
    return {report.event, text.substr(mark.size()), text, report.cells};
  }
  return {};
}

}  // namespace

std::vector<Shortcut> shortcuts_of(const Results& results) {
  std::vector<Shortcut> shortcuts;
  for (const auto& report : results.reports) {
    Shortcut found = shortcut_of(report);
    if (found.text.empty()) continue;
    const auto same = [&](const Shortcut& one) { return one.of == found.of && one.text == found.text; };
    const auto known = std::find_if(shortcuts.begin(), shortcuts.end(), same);
    if (known == shortcuts.end()) shortcuts.push_back(std::move(found));
    else known->cells += found.cells;
  }
  return shortcuts;
}

}  // namespace wave::cli
