// From tables to series: what tables do not say themselves is taken from the options, and what sizes mean is settled.
// See timings.h.
#include "analysis/machine_fit/timings.h"
#include "base/text.h"
#include "frontend/format/quantities.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

namespace wave::analysis::machine_fit {

bool LogTable::has_collectives() const {
  return std::any_of(kinds.begin(), kinds.end(),
                     [](const MeasuredKind& kind) { return kind.measure == BenchmarkMeasure::collective; });
}

std::size_t LogTable::rows_used() const {
  if (!is_used()) return 0;
  return static_cast<std::size_t>(
      std::count_if(rows.begin(), rows.end(), [](const TableRow& row) { return row.reason == 0; }));
}

std::uint16_t LogTable::kind_of(const MeasuredKind& kind) {
  // A table of collectives may have many, one after the other.
  const auto found = std::find(kinds.rbegin(), kinds.rend(), kind);
  if (found != kinds.rend()) return static_cast<std::uint16_t>(kinds.rend() - found - 1);
  kinds.push_back(kind);
  return static_cast<std::uint16_t>(kinds.size() - 1);
}

void LogTable::leave_out(Sample sample, std::uint32_t line, const std::string& reason) {
  auto found = std::find(reasons.begin(), reasons.end(), reason);
  if (found == reasons.end()) found = reasons.insert(reasons.end(), reason);
  rows.push_back({std::move(sample), 0, static_cast<std::uint16_t>(found - reasons.begin() + 1), line});
}

namespace {

constexpr const char* no_rows = "it has no rows";

std::string lines_of(const LogTable& table) {
  return table.first_line == table.last_line ? fmt::format("line {}", table.first_line)
                                             : fmt::format("lines {} to {}", table.first_line, table.last_line);
}

class TableUse {
 public:
  TableUse(const TableChoice& choice, std::size_t files, const frontend::Sources& sources, Timings& timings,
           frontend::Diagnostics& diagnostics, std::size_t from)
      : choice_(choice), files_(files), sources_(sources), timings_(timings), diagnostics_(diagnostics), from_(from) {}

  std::optional<WrongQuestion> use() {
    for (LogTable* table : all()) {
      if (table->is_used() && table->rows.empty()) table->unused = no_rows;
    }
    if (auto wrong = select()) return wrong;
    if (auto wrong = set_places()) return wrong;
    if (auto wrong = set_processes()) return wrong;
    if (auto wrong = set_pairs()) return wrong;
    if (diagnostics_.has_errors()) return std::nullopt;
    note_unused();
    for (LogTable* table : all()) add_to_series(*table);
    if (!diagnostics_.has_errors()) refuse_nothing();
    return std::nullopt;
  }

 private:
  std::vector<LogTable*> all() {
    std::vector<LogTable*> tables;
    for (std::size_t i = from_; i < timings_.tables.size(); ++i) tables.push_back(&timings_.tables[i]);
    return tables;
  }
  std::vector<LogTable*> used() {
    auto tables = all();
    std::erase_if(tables, [](const LogTable* table) { return !table->is_used(); });
    return tables;
  }
  // "`osu.txt`, lines 3 to 20: Allreduce Latency"
  std::string name_of(const LogTable& table) const {
    return fmt::format("`{}`, {}: {}", sources_.name(table.file), lines_of(table), table.test);
  }
  std::size_t number_of(const LogTable& table) const {
    return static_cast<std::size_t>(&table - timings_.tables.data()) + 1;
  }

  std::optional<WrongQuestion> select() {
    if (choice_.tables.empty()) return std::nullopt;
    for (const int number : choice_.tables) {
      if (number < 1 || static_cast<std::size_t>(number) > timings_.tables.size())
        return WrongQuestion{fmt::format("`--tables` asks for table {}, and there {} {}", number,
                                         timings_.tables.size() == 1 ? "is" : "are", timings_.tables.size()),
                             "`--explain` numbers them"};
      const LogTable& table = timings_.tables[static_cast<std::size_t>(number) - 1];
      if (!table.is_used())
        return WrongQuestion{fmt::format("`--tables` asks for table {}, which is not used: {}", number, table.unused),
                             "`--explain` says which tables are"};
    }
    for (LogTable* table : used()) {
      const auto number = static_cast<int>(number_of(*table));
      if (std::find(choice_.tables.begin(), choice_.tables.end(), number) == choice_.tables.end())
        table->unused = "`--tables` leaves it out";
    }
    return std::nullopt;
  }

  // Levels of the used tables of each file: one for all, or one for each.
  std::optional<WrongQuestion> set_places() {
    std::map<std::uint32_t, std::vector<LogTable*>> of_file;
    for (LogTable* table : used()) {
      if (!table->has_collectives()) of_file[table->file].push_back(table);
    }
    const std::uint32_t first = choice_.first_file;
    for (const auto& [file, tables] : of_file) {
      if (file - first >= choice_.within.size()) continue;
      const std::string& given = choice_.within[file - first];
      if (given.empty()) continue;
      std::vector<std::string> levels;
      for (std::size_t at = 0; at <= given.size();) {
        const std::size_t comma = std::min(given.find(',', at), given.size());
        const std::string word = given.substr(at, comma - at);
        const auto level = level_of_place(word);
        if (!level)
          return WrongQuestion{fmt::format("`--within {}`: `{}` is no level that a fit knows", given, word),
                               help_on_levels()};
        levels.push_back(*level);
        at = comma + 1;
      }
      if (levels.size() > 1 && levels.size() != tables.size())
        return WrongQuestion{fmt::format("`--within {}` has {} levels for {} tables of messages in `{}`", given,
                                         levels.size(), tables.size(), sources_.name(file)),
                             "one for each table, in their order, or one for all; `--explain` lists them"};
      for (std::size_t i = 0; i < tables.size(); ++i) {
        if (!tables[i]->has_places) set_place(*tables[i], levels[std::min(i, levels.size() - 1)]);
      }
    }
    return std::nullopt;
  }

  static void set_place(LogTable& table, const std::string& level) {
    table.place = level;
    table.is_placed = true;
    for (auto& row : table.rows) row.sample.place = level;
  }

  std::optional<WrongQuestion> set_processes() {
    std::vector<LogTable*> asking;
    for (LogTable* table : used()) {
      if (table->tool != Tool::csv && table->has_collectives() && table->processes == 0) asking.push_back(table);
    }
    const auto& given = choice_.processes;
    if (given.empty()) {
      if (!asking.empty()) ask_processes(asking);
      return std::nullopt;
    }
    if (given.size() == asking.size()) {
      for (std::size_t i = 0; i < given.size(); ++i) asking[i]->processes = given[i];
      return std::nullopt;
    }
    if (given.size() == files_ && !repeats_an_operation(asking)) {
      const std::uint32_t first = choice_.first_file;
      for (LogTable* table : used()) {
        const bool takes = table->tool == Tool::osu || table->tool == Tool::nccl;
        if (takes && table->has_collectives() && table->file - first < given.size())
          set_or_compare(*table, given[table->file - first]);
      }
      return std::nullopt;
    }
    if (asking.empty() || files_ == asking.size())
      return WrongQuestion{fmt::format("`--processes` has {} numbers for {} files", given.size(), files_),
                           "one for each file, in their order"};
    return WrongQuestion{
        fmt::format("`--processes` has {} for {} without a number of processes",
                    frontend::counted(given.size(), "number"), frontend::counted(asking.size(), "table")),
        fmt::format("one for each table, in their order: {}", list_of(asking))};
  }

  void set_or_compare(LogTable& table, int processes) {
    if (table.processes == 0) table.processes = processes;
    if (table.processes == processes) return;
    diagnostics_
        .add(frontend::DiagnosticKind::unusable_benchmark, table.heading,
             fmt::format("`--processes` says {}, and the file says {}", processes, table.processes), "of this table")
        .help.push_back(
            "leave `--processes` out, which is for tables that do not say it, or correct the line of the file");
  }

  static bool repeats_an_operation(const std::vector<LogTable*>& tables) {
    std::set<std::pair<std::uint32_t, std::string>> seen;
    return std::any_of(tables.begin(), tables.end(), [&](const LogTable* table) {
      return !seen.insert({table->file, table->kinds.front().operation}).second;
    });
  }

  std::string list_of(const std::vector<LogTable*>& tables) const {
    constexpr std::size_t most = 12;
    std::vector<std::string> names;
    for (std::size_t i = 0; i < std::min(most, tables.size()); ++i) names.push_back(name_of(*tables[i]));
    return join_texts(names, "; ") + (tables.size() > most ? "; and others" : "");
  }

  void ask_processes(const std::vector<LogTable*>& asking) {
    auto& d = diagnostics_.add(
        frontend::DiagnosticKind::unusable_benchmark, {},
        fmt::format("`{}` does not say how many processes took part", sources_.name(asking.front()->file)));
    std::set<std::uint32_t> files;
    for (const LogTable* table : asking) files.insert(table->file);
    if (files.size() < asking.size()) {
      d.notes.push_back(list_of(asking));
      d.help.push_back(
          fmt::format("say it for each of the {} tables, in their order: `--processes 4,8,16`", asking.size()));
    } else {
      d.help.push_back("say it for each file: `--processes 4,8,16`");
    }
  }

  std::optional<WrongQuestion> set_pairs() {
    std::vector<LogTable*> asking;
    for (LogTable* table : used()) {
      if (table->pairs == 0) asking.push_back(table);
    }
    if (asking.empty()) return std::nullopt;
    const auto& given = choice_.pairs;
    if (given.empty()) {
      auto& d = diagnostics_.add(frontend::DiagnosticKind::unusable_benchmark, asking.front()->heading,
                                 "this test does not say how many pairs exchanged at once", "half of its processes");
      if (asking.size() > 1) d.notes.push_back(list_of(asking));
      d.notes.push_back("several pairs share what passes their messages on, so each takes longer than one alone");
      d.help.push_back(asking.size() == 1 ? "say it: `--pairs 16`"
                                          : fmt::format("say it for each of the {} tables, in their order, or once: "
                                                        "`--pairs 2,16`",
                                                        asking.size()));
      return std::nullopt;
    }
    if (given.size() != 1 && given.size() != asking.size())
      return WrongQuestion{
          fmt::format("`--pairs` has {} for {} without a number of pairs", frontend::counted(given.size(), "number"),
                      frontend::counted(asking.size(), "table")),
          fmt::format("one for each, in their order, or one for all: {}", list_of(asking))};
    for (std::size_t i = 0; i < asking.size(); ++i) {
      asking[i]->pairs = given[given.size() == 1 ? 0 : i];
      for (auto& row : asking[i]->rows) row.sample.pairs = asking[i]->pairs;
    }
    return std::nullopt;
  }

  // Notes what is passed over, and why.
  void note_unused() {
    std::map<std::pair<std::uint32_t, std::string>, std::vector<std::string>> passed_over;
    for (const LogTable* table : all()) {
      if (table->unused.empty() || table->unused == no_rows || table->unused.starts_with("`--tables`")) continue;
      auto& names = passed_over[{table->file, table->unused}];
      if (std::find(names.begin(), names.end(), table->test) == names.end()) names.push_back(table->test);
    }
    for (auto& [key, names] : passed_over) {
      std::sort(names.begin(), names.end());
      const std::string why = key.second == "no machine is fitted to it" ? "no machine is fitted to them" : key.second;
      timings_.remarks.push_back(
          fmt::format("{}: passed over, {}: {}", sources_.name(key.first), why, join_texts(names, ", ")));
    }
    for (const LogTable* table : used()) note_rows(*table);
  }

  void note_rows(const LogTable& table) {
    for (std::size_t reason = 0; reason < table.reasons.size(); ++reason) {
      const std::string& why = table.reasons[reason];
      // These are what every run has.
      if (why.starts_with("without ") || why.starts_with("no positive difference") || why.starts_with("not measured"))
        continue;
      std::vector<std::uint32_t> lines;
      for (const auto& row : table.rows) {
        if (row.reason == reason + 1) lines.push_back(row.line);
      }
      if (lines.empty()) continue;
      constexpr std::size_t most_named = 10;
      const bool more = lines.size() > most_named;
      const std::size_t count = lines.size();
      lines.resize(std::min(lines.size(), most_named));
      timings_.remarks.push_back(fmt::format("{}: {} left out, since {}: line{} {}{}", sources_.name(table.file),
                                             count == 1 ? "1 row is" : fmt::format("{} rows are", count), why,
                                             count == 1 ? "" : "s", join_texts(lines, ", "),
                                             more ? " and others" : ""));
    }
  }

  void add_to_series(LogTable& table) {
    if (!table.is_used()) return;
    for (auto& row : table.rows) {
      if (row.reason != 0) continue;
      const MeasuredKind& kind = table.kinds[row.kind];
      row.sample.table = static_cast<std::uint32_t>(number_of(table) - 1);
      if (kind.measure == BenchmarkMeasure::collective && table.tool != Tool::csv) {
        row.sample.processes = table.processes;
        if (table.size_is == SizeIs::whole) row.sample.size /= table.processes;
        if (table.size_is == SizeIs::part) row.sample.size *= table.processes;
      }
      timings_.of(kind.measure, kind.operation, kind.sized).samples.push_back(row.sample);
    }
  }

  // An error where nothing of the files can be used.
  void refuse_nothing() {
    const auto tables = all();
    if (tables.empty()) {
      diagnostics_.add(frontend::DiagnosticKind::unusable_benchmark, {}, "no table of a benchmark was found")
          .help.push_back("what can be read: `wave fit osu`, `imb`, `netgauge`, `nccl` and `csv`");
      return;
    }
    if (std::any_of(tables.begin(), tables.end(), [](const LogTable* table) { return table->rows_used() > 0; })) return;
    const LogTable& first = *tables.front();
    const bool is_passed_over = !first.unused.empty() && first.unused != no_rows;
    auto& d = diagnostics_.add(
        frontend::DiagnosticKind::unusable_benchmark, first.heading,
        is_passed_over ? "a machine is not fitted to this test" : "no row of this table can be used", "this one");
    if (tables.size() > 1) d.notes.push_back("there is nothing else that can be used");
    if (is_passed_over) {
      if (first.unused != "no machine is fitted to it") d.notes.push_back(first.unused);
      if (first.tool == Tool::osu)
        d.help.push_back(
            "it takes `osu_latency`, `osu_bw`, `osu_mbw_mr`, and blocking collectives such as `osu_bcast`");
      return;
    }
    for (const auto& reason : first.reasons) d.notes.push_back(fmt::format("rows are left out: {}", reason));
    const bool has_failed = std::any_of(first.reasons.begin(), first.reasons.end(), [](const std::string& why) {
      return why.find("Fail") != std::string::npos || why.find("above 0") != std::string::npos;
    });
    if (has_failed) d.help.push_back("data arrived wrongly: repeat the benchmark when that is mended");
  }

  const TableChoice& choice_;
  const std::size_t files_;
  const frontend::Sources& sources_;
  Timings& timings_;
  frontend::Diagnostics& diagnostics_;
  const std::size_t from_;
};

}  // namespace

std::optional<WrongQuestion> use_tables(const TableChoice& choice, std::size_t files, const frontend::Sources& sources,
                                        Timings& timings, frontend::Diagnostics& diagnostics, std::size_t from) {
  return TableUse(choice, files, sources, timings, diagnostics, from).use();
}

}  // namespace wave::analysis::machine_fit
