// See lines.h.
#include "analysis/inferred/lines.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <functional>
#include <map>
#include <numeric>

namespace wave::analysis::inferred {

namespace {

std::size_t lines_of(const Line& line) { return line.body.empty() ? 1 : 2 + count_of(line.body); }

// A row of lines that stands at several places.
struct Repeated {
  std::vector<Line> lines;
  std::size_t saved = 0;
};

void for_each_body(std::vector<Line>& lines, const std::function<void(std::vector<Line>&)>& visit) {
  visit(lines);
  for (Line& line : lines) {
    if (!line.body.empty()) for_each_body(line.body, visit);
  }
}

bool stands_at(const std::vector<Line>& in, std::size_t at, const std::vector<Line>& what) {
  return at + what.size() <= in.size() &&
         std::equal(what.begin(), what.end(), in.begin() + static_cast<std::ptrdiff_t>(at));
}

std::size_t times_in(std::vector<Line>& lines, const std::vector<Line>& what) {
  std::size_t times = 0;
  for_each_body(lines, [&](std::vector<Line>& body) {
    for (std::size_t at = 0; at < body.size();) {
      const bool is_here = stands_at(body, at, what);
      times += is_here;
      at += is_here ? what.size() : 1;
    }
  });
  return times;
}

void replace(std::vector<Line>& lines, const std::vector<Line>& what, const std::string& call, Works& works) {
  for_each_body(lines, [&](std::vector<Line>& body) {
    for (std::size_t at = 0; at < body.size(); ++at) {
      if (!stands_at(body, at, what)) continue;
      const auto begin = body.begin() + static_cast<std::ptrdiff_t>(at);
      for (std::size_t i = 0; i < what.size(); ++i) works.unite(what[i], body[at + i]);
      *begin = Line{call, {}};
      body.erase(begin + 1, begin + static_cast<std::ptrdiff_t>(what.size()));
    }
  });
}

constexpr std::array<const char*, 3> loop_words{"upwind ", "downwind ", turn_variable};

// The words behind `as` and `wait`, in the order of the text.
void find_handles(const std::vector<Line>& lines, std::map<std::string, std::pair<bool, bool>>& handles) {
  for (const Line& line : lines) {
    for (const bool is_wait : {false, true}) {
      const std::string before = is_wait ? "wait " : " as ";
      for (std::size_t at = line.text.find(before); at != std::string::npos; at = line.text.find(before, at + 1)) {
        const std::size_t begin = at + before.size();
        const std::string name = line.text.substr(begin, line.text.find_first_of(" ;}", begin) - begin);
        // Whether the first of them begins an operation, and the last is a wait.
        const auto [found, is_new] = handles.try_emplace(name, !is_wait, is_wait);
        if (!is_new) found->second.second = is_wait;
      }
    }
    find_handles(line.body, handles);
  }
}

// Whether a line has what only the loop or sweep around it has.
bool needs_loop(const Line& line) {
  return std::any_of(loop_words.begin(), loop_words.end(),
                     [&](const char* word) { return line.text.find(word) != std::string::npos; });
}

// A name belongs to the body in which it is written, so a procedure must have all that has it.
bool can_be_taken_out(const std::vector<Line>& lines) {
  if (std::any_of(lines.begin(), lines.end(), [](const Line& line) { return line.body.empty() && needs_loop(line); }))
    return false;
  std::map<std::string, std::pair<bool, bool>> handles;
  find_handles(lines, handles);
  return std::all_of(handles.begin(), handles.end(),
                     [](const auto& handle) { return handle.second.first && handle.second.second; });
}

// Rows of lines in one body, the longest first, that come twice at least.
Repeated best_of(std::vector<Line>& lines) {
  constexpr std::size_t of_a_procedure = 2, of_a_call = 1, most_lines = 200;
  Repeated best;
  std::vector<std::vector<Line>*> bodies;
  for_each_body(lines, [&](std::vector<Line>& body) { bodies.push_back(&body); });
  for (const auto* const body : bodies) {
    for (std::size_t begin = 0; begin < body->size(); ++begin) {
      const std::size_t longest = std::min(body->size() - begin, most_lines);
      // The first line must stand elsewhere at least, and each longer row where the shorter one stood.
      for (std::size_t length = 1; length <= longest; ++length) {
        const std::vector<Line> row(body->begin() + static_cast<std::ptrdiff_t>(begin),
                                    body->begin() + static_cast<std::ptrdiff_t>(begin + length));
        const std::size_t times = times_in(lines, row);
        if (times < 2) break;
        const std::size_t own = count_of(row), before = times * own, after = own + of_a_procedure + times * of_a_call;
        if (before > after && before - after > best.saved && can_be_taken_out(row)) best = {row, before - after};
      }
    }
  }
  return best;
}

}  // namespace

std::size_t Works::add() {
  same_.push_back(same_.size() + 1);
  return same_.size();
}

std::size_t Works::find(std::size_t work) const {
  while (same_[work - 1] != work) work = same_[work - 1];
  return work;
}

void Works::unite(const Line& one, const Line& other) {
  if (one.work > 0) {
    const std::size_t a = find(one.work), b = find(other.work);
    same_[std::max(a, b) - 1] = std::min(a, b);
  }
  for (std::size_t i = 0; i < one.body.size(); ++i) unite(one.body[i], other.body[i]);
}

std::size_t count_of(const std::vector<Line>& lines) {
  return std::accumulate(lines.begin(), lines.end(), std::size_t{0},
                         [](std::size_t sum, const Line& line) { return sum + lines_of(line); });
}

std::vector<Subprogram> take_out_procedures(std::vector<Line>& lines, Works& works,
                                            const std::function<std::string(const std::string&)>& take) {
  constexpr std::size_t worth_it = 3, most_procedures = 30;
  // What was taken out stands behind the process, as a line of its own, so that it is looked at, too.
  std::vector<Line> all{{"", std::move(lines)}};
  while (all.size() <= most_procedures) {
    const Repeated best = best_of(all);
    if (best.saved < worth_it) break;
    const std::string name = take(fmt::format("part_{}", all.size()));
    replace(all, best.lines, name + "()", works);
    all.push_back({name, best.lines});
  }
  lines = std::move(all.front().body);
  std::vector<Subprogram> procedures;
  for (std::size_t k = 1; k < all.size(); ++k) procedures.push_back({all[k].text, std::move(all[k].body)});
  return procedures;
}

}  // namespace wave::analysis::inferred
