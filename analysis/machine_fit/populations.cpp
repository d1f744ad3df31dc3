// Whatever line is fitted to two tables, their residuals at one size differ by the ratio of their times there. So the
// times are compared directly, between two measured sizes on the straight line, and no fit is needed. What tables say
// of how they were measured is compared first. See timings.h.
#include "analysis/machine_fit/regression.h"
#include "analysis/machine_fit/segments.h"
#include "analysis/machine_fit/timings.h"
#include "base/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <optional>
#include <set>
#include <tuple>

namespace wave::analysis::machine_fit {
namespace {

// The times of one table for one number of processes and of pairs, in one place.
struct Curve {
  std::uint32_t table = 0;
  frontend::Location location;       // of the first of them
  std::vector<TimedSize> medians{};  // by size
};

using Circumstances = std::tuple<int, int, std::string>;  // processes, pairs, place
Circumstances circumstances_of(const Sample& sample) { return {sample.processes, sample.pairs, sample.place}; }

// By circumstances, in the order in which they were read.
std::map<Circumstances, std::vector<Curve>> curves_of(const Series& series) {
  std::map<Circumstances, std::map<std::uint32_t, std::map<double, std::vector<double>>>> times;
  std::map<Circumstances, std::vector<Curve>> curves;
  for (const auto& one : series.samples) {
    const Circumstances key = circumstances_of(one);
    auto& of_table = times[key];
    if (!of_table.contains(one.table)) curves[key].push_back({one.table, one.location});
    of_table[one.table][one.size].push_back(one.time);
  }
  for (auto& [key, those] : curves) {
    for (auto& curve : those) {
      for (auto& [size, values] : times[key][curve.table])
        curve.medians.push_back({size, median(std::move(values)), 0});
    }
  }
  return curves;
}

// The logarithms of the ratios of the times in two tables, at the sizes of the first that lie within those of the
// second.
std::vector<double> ratios_of(const Curve& a, const Curve& b) {
  std::vector<double> ratios;
  for (const auto& point : a.medians) {
    const auto above = std::lower_bound(b.medians.begin(), b.medians.end(), point.size,
                                        [](const TimedSize& one, double size) { return one.size < size; });
    if (above == b.medians.end() || (above == b.medians.begin() && above->size > point.size)) continue;
    double time = above->time;
    if (above->size > point.size) {
      const TimedSize& below = *std::prev(above);
      time = below.time + (time - below.time) * (point.size - below.size) / (above->size - below.size);
    }
    ratios.push_back(std::log(point.time / time));
  }
  return ratios;
}

struct Apart {
  std::size_t sizes = 0, of = 0;
  double ratio = 1;  // above 1: the first table's times are the longer ones
};

// Nothing if the two may be of one kind. Noise does not lie on one side only.
std::optional<Apart> hold_against(const Curve& a, const Curve& b) {
  constexpr double noticeable = 1.25;
  const std::vector<double> ratios = ratios_of(a, b);
  if (ratios.size() < fewest_sizes) return std::nullopt;
  const auto beyond = [&](double sign) {
    return static_cast<std::size_t>(
        std::count_if(ratios.begin(), ratios.end(), [&](double r) { return sign * r > std::log(noticeable); }));
  };
  const std::size_t longer = beyond(1), shorter = beyond(-1), most = std::max(longer, shorter);
  if (2 * most < ratios.size()) return std::nullopt;
  std::vector<double> those;
  for (const double r : ratios) {
    if ((longer >= shorter ? r : -r) > std::log(noticeable)) those.push_back(r);
  }
  return Apart{most, ratios.size(), std::exp(median(std::move(those)))};
}

// What tables say of how they were measured.
struct Property {
  std::string_view name;
  std::string LogTable::* value;
};
constexpr std::array<Property, 3> decisive = {
    {{"buffers", &LogTable::buffers}, {"mapping", &LogTable::mapping}, {"place", &LogTable::placement}}};
constexpr std::array<Property, 3> further = {
    {{"test", &LogTable::test}, {"library", &LogTable::library}, {"version", &LogTable::version}}};

// Buffers are in the memory of the host unless the benchmark says otherwise.
std::string value_of(const LogTable& table, const Property& property) {
  const std::string& value = table.*property.value;
  if (property.name == "buffers" && value.empty() && table.tool != Tool::csv) return "host to host";
  return value;
}

bool differ(const LogTable& a, const LogTable& b, const Property& property) {
  const std::string first = value_of(a, property), second = value_of(b, property);
  return first != second && !first.empty() && !second.empty();
}

class Populations {
 public:
  Populations(const Timings& timings, const std::string& command, const frontend::Sources& sources,
              frontend::Diagnostics& diagnostics)
      : timings_(timings), command_(command), sources_(sources), diagnostics_(diagnostics) {}

  void compare() {
    if (refuse_stated()) return;
    for (const auto& series : timings_.series) {
      for (const auto& [key, curves] : curves_of(series)) {
        std::vector<std::vector<const Curve*>> populations;
        for (const auto& curve : curves) {
          const auto own = std::find_if(populations.begin(), populations.end(),
                                        [&](const auto& one) { return !hold_against(curve, *one.front()); });
          if (own != populations.end())
            own->push_back(&curve);
          else
            populations.push_back({&curve});
        }
        if (populations.size() < 2) continue;
        warn(populations);
        return;  // the other pairs would say the same about the same tables
      }
    }
  }

 private:
  const LogTable& table(std::uint32_t number) const { return timings_.tables[number]; }

  std::size_t tables_used_of(std::uint32_t file) const {
    return static_cast<std::size_t>(std::count_if(timings_.tables.begin(), timings_.tables.end(),
                                                  [&](const auto& one) { return one.file == file && one.is_used(); }));
  }

  // A file has one name, and tables of a file that has several have their lines.
  std::string name_of(std::uint32_t number) const {
    const LogTable& one = table(number);
    const std::string& file = sources_.name(one.file);
    if (tables_used_of(one.file) < 2) return fmt::format("`{}`", file);
    return fmt::format("`{}`, lines {} to {},", file, one.first_line, one.last_line);
  }

  std::string names_of(const std::vector<const Curve*>& population) const {
    std::vector<std::string> names;
    for (const auto* one : population) names.push_back(name_of(one->table));
    std::string text = join_texts(names, ", ");
    if (text.ends_with(',')) text.pop_back();
    return text;
  }

  // The command that takes some of the tables.
  std::string command_for(const std::vector<std::uint32_t>& tables) const {
    std::vector<std::uint32_t> files;
    for (const std::uint32_t number : tables) {
      const std::uint32_t file = table(number).file;
      if (std::find(files.begin(), files.end(), file) == files.end()) files.push_back(file);
    }
    const bool is_whole =
        std::all_of(files.begin(), files.end(), [&](std::uint32_t file) { return tables_used_of(file) == 1; });
    std::string text = command_;
    if (is_whole) {
      for (const std::uint32_t file : files) text += " " + sources_.name(file);
      return text;
    }
    // Numbers are those of the whole command line.
    std::vector<std::uint32_t> all;
    for (const auto& one : timings_.tables) {
      if (std::find(all.begin(), all.end(), one.file) == all.end()) all.push_back(one.file);
    }
    for (const std::uint32_t file : all) text += " " + sources_.name(file);
    std::vector<std::size_t> numbers;
    for (const std::uint32_t number : tables) numbers.push_back(number + std::size_t{1});
    return text + " --tables " + join_texts(numbers, ",");
  }

  // Tables of messages between the same numbers of pairs, or of one operation. Where processes are placed may differ
  // with their number; where buffers are may not.
  bool refuse_stated() {
    struct Source {
      std::uint32_t table;
      std::string of;
      Circumstances how;
    };
    std::vector<Source> known;
    std::set<std::tuple<std::uint32_t, std::string, Circumstances>> seen;
    for (const auto& series : timings_.series) {
      const bool is_collective = series.measure == BenchmarkMeasure::collective;
      for (const auto& sample : series.samples) {
        if (sample.table >= timings_.tables.size() || table(sample.table).tool == Tool::csv) continue;
        Source source{sample.table, is_collective ? series.operation : "messages", circumstances_of(sample)};
        if (!seen.insert({source.table, source.of, source.how}).second) continue;
        for (const auto& other : known) {
          if (other.of != source.of || other.table == source.table) continue;
          for (const auto& property : decisive) {
            const bool is_comparable = other.how == source.how || (property.name == "buffers" &&
                                                                   std::get<2>(other.how) == std::get<2>(source.how));
            const bool is_settled = property.name != "buffers" && table(other.table).is_placed &&
                                    table(source.table).is_placed;  // by `--within`
            if (!is_comparable || is_settled || !differ(table(other.table), table(source.table), property)) continue;
            refuse(other.table, source.table, is_collective);
            return true;
          }
        }
        known.push_back(std::move(source));
      }
    }
    return false;
  }

  void refuse(std::uint32_t a, std::uint32_t b, bool is_collective) {
    auto& d = diagnostics_.add(frontend::DiagnosticKind::mixed_benchmarks, table(a).heading,
                               "two tables of the same thing were not measured alike", "one of them");
    d.labels.push_back({table(b).heading, "and the other"});
    add_differences(d, table(a), table(b));
    d.notes.push_back("one line is fitted to all of them, and describes none");
    d.help.push_back(fmt::format("fit a machine to what was measured alike: `{}`", command_for(alike(a))));
    d.help.push_back(fmt::format("fit a machine to what was measured alike: `{}`", command_for(alike(b))));
    const bool is_of_levels = !is_collective && level_of(a) != level_of(b);
    if (const auto command = is_of_levels ? command_with_levels() : std::nullopt)
      d.help.push_back(
          fmt::format("or one machine to all: say what both ends of their messages share: `{}`", *command));
  }

  // What both ends share, where words say it.
  std::optional<std::string> level_of(std::uint32_t number) const {
    const std::string& placement = table(number).placement;
    for (const auto& [words, level] : {std::pair{"on one socket", "socket"},
                                       {"between sockets", "node"},
                                       {"on one node", "node"},
                                       {"between nodes", "none"}}) {
      if (placement.find(words) != std::string::npos) return level;
    }
    return std::nullopt;
  }

  // The command that takes all tables; nothing where words do not say the levels of all.
  std::optional<std::string> command_with_levels() const {
    std::map<std::uint32_t, std::vector<std::string>> levels;  // of the tables of messages of each file
    for (std::uint32_t i = 0; i < timings_.tables.size(); ++i) {
      if (!table(i).is_used() || table(i).has_collectives()) continue;
      const auto level = level_of(i);
      if (!level) return std::nullopt;
      levels[table(i).file].push_back(*level);
    }
    std::string text = command_;
    for (auto& [file, those] : levels) {
      if (std::all_of(those.begin(), those.end(), [&](const auto& one) { return one == those.front(); }))
        those.resize(1);
      text += fmt::format(" --within {} {}", join_texts(those, ","), sources_.name(file));
    }
    return text;
  }

  // The used tables that say the same as this one.
  std::vector<std::uint32_t> alike(std::uint32_t number) const {
    std::vector<std::uint32_t> those;
    for (std::uint32_t i = 0; i < timings_.tables.size(); ++i) {
      const bool is_other = std::any_of(decisive.begin(), decisive.end(), [&](const Property& property) {
        return differ(table(i), table(number), property);
      });
      if (table(i).is_used() && !is_other) those.push_back(i);
    }
    return those;
  }

  static void add_differences(frontend::Diagnostic& d, const LogTable& a, const LogTable& b) {
    for (const auto* const properties : {&decisive, &further}) {
      for (const auto& property : *properties) {
        if (differ(a, b, property))
          d.notes.push_back(
              fmt::format("{}: `{}` and `{}`", property.name, value_of(a, property), value_of(b, property)));
      }
    }
    if (a.window != b.window && a.window > 0 && b.window > 0)
      d.notes.push_back(fmt::format("window size: {} and {}", a.window, b.window));
  }

  void warn(const std::vector<std::vector<const Curve*>>& populations) {
    const Curve& first = *populations[0].front();
    auto& d = diagnostics_.add(
        frontend::DiagnosticKind::mixed_benchmarks, first.location,
        fmt::format("the times of {} lie apart from those of {}", names_of(populations[0]), names_of(populations[1])),
        "measured here", frontend::Severity::warning);
    for (std::size_t k = 1; k < populations.size(); ++k) {
      const Curve& other = *populations[k].front();
      const auto apart = hold_against(other, first);
      if (!apart) continue;
      d.labels.push_back({other.location, "and here"});
      const bool is_longer = apart->ratio > 1;
      d.notes.push_back(fmt::format("at {} of {} sizes a time in {} is {:.2g} times that in {}", apart->sizes,
                                    apart->of, names_of({is_longer ? &other : &first}),
                                    is_longer ? apart->ratio : 1 / apart->ratio,
                                    names_of({is_longer ? &first : &other})));
      add_differences(d, table(first.table), table(other.table));
    }
    d.notes.push_back("one line is fitted to all of them, and describes none");
    for (const auto& population : populations) {
      std::vector<std::uint32_t> tables;
      for (const auto* one : population) tables.push_back(one->table);
      d.help.push_back(fmt::format("fit a machine to what was measured alike: `{}`", command_for(tables)));
    }
  }

  const Timings& timings_;
  const std::string& command_;
  const frontend::Sources& sources_;
  frontend::Diagnostics& diagnostics_;
};

}  // namespace

void compare_populations(const Timings& timings, const std::string& command, const frontend::Sources& sources,
                         frontend::Diagnostics& diagnostics) {
  if (timings.tables.size() > 1) Populations(timings, command, sources, diagnostics).compare();
}

}  // namespace wave::analysis::machine_fit
