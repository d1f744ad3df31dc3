// Plots as tests ask for them.
#pragma once

#include "analysis/pictures/table_plots.h"

#include <catch2/catch.hpp>

#include <algorithm>
#include <string>
#include <variant>
#include <vector>

namespace wave::test {

inline analysis::pictures::PlotChoice over(const std::string& y, const std::string& x) {
  return {y, x, std::nullopt, std::nullopt, std::nullopt};
}

inline analysis::pictures::Plot made(std::variant<analysis::pictures::Plot, std::string> plot) {
  if (auto* const why = std::get_if<std::string>(&plot)) FAIL(*why);
  return std::get<analysis::pictures::Plot>(std::move(plot));
}

inline bool mentions(const std::vector<std::string>& notes, const std::string& text) {
  return std::any_of(notes.begin(), notes.end(),
                     [&](const std::string& note) { return note.find(text) != std::string::npos; });
}

}  // namespace wave::test
