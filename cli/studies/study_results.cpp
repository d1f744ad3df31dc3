// See study_results.h.
#include "cli/studies/study_results.h"

#include "analysis/study/journal_trouble.h"
#include "cli/console.h"
#include "cli/files.h"
#include "cli/formats/rows.h"
#include "cli/progress.h"
#include "cli/studies/evaluated_points.h"
#include "cli/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <unistd.h>

namespace wave::cli {
namespace {

using analysis::Journal;
using analysis::JournalTrouble;
using analysis::PointSet;
using frontend::DiagnosticKind;

// "n = 4, cost [us] = 2".
std::string point_text(const analysis::StudyDescription& study, std::uint64_t point) {
  OutputTable table;
  table.rows = 1;
  const auto values = analysis::StudyPoints(study).at({point, point + 1});
  for (std::size_t i = 0; i < values.size(); ++i)
    table.columns.push_back({study.columns[i], "", {values[i], {}, {}}, {}});
  std::string text;
  RowTexts texts(table, plain_notation);
  table.each_range([&](const RowRange& range) {
    texts.take(range);
    for (std::size_t i = 0; i < values.size(); ++i) {
      text += fmt::format("{}{} = ", text.empty() ? "" : ", ", table.columns[i].column.heading());
      texts.append(text, i, 0);
    }
    return true;
  });
  return text;
}

}  // namespace

void report_failures(Console& console, const analysis::StudyDescription& study,
                     const std::vector<analysis::CountedFailure>& failures, std::uint64_t failed,
                     std::uint64_t points) {
  if (failures.empty()) return;
  frontend::Diagnostics diagnostics;
  for (const auto& one : failures) {
    auto& d = diagnostics.add(one.kind(), {}, one.message());
    const std::string point = point_text(study, one.first);
    d.notes.push_back(fmt::format("in row {}{}{}", grouped(one.first + 1),
                                  point.empty() ? "" : fmt::format(" ({})", point), analysis::and_others(one.count)));
  }
  console.report({}, diagnostics);
  console.remark(fmt::format("{} of {} points failed\n", grouped(failed), grouped(points)));
}

Format format_for(const std::string& output, std::optional<Format> asked) {
  if (asked) return *asked;
  if (const auto held = Format::of_file(output)) return *held;
  return output.empty() && is_terminal(STDOUT_FILENO) ? Format() : Format(Takes::rows);
}

std::string journal_of(const std::string& output) { return output + ".journal"; }

bool is_part_name(const std::string& output) { return has_ending(output, ".part"); }

void report(Console& console, const std::string& path, const JournalTrouble& trouble) {
  frontend::Diagnostics diagnostics;
  auto& help = analysis::report(path, trouble, diagnostics).help;
  switch (trouble.kind) {
    case JournalTrouble::Kind::cannot_read: break;
    case JournalTrouble::Kind::cannot_write: help.push_back(trouble.text); break;
    case JournalTrouble::Kind::in_use:
      help.emplace_back("wait for it, or write to another file; `--shard` divides a study among several programs");
      break;
    case JournalTrouble::Kind::already_there:
      help.emplace_back("`--resume` goes on where it ended");
      help.emplace_back("`--restart` begins again, and forgets it");
      break;
    case JournalTrouble::Kind::not_a_journal:
      if (has_ending(path, ".journal"))
        help.emplace_back("it is left as it is; where it stands in the way, move it elsewhere");
      break;
    case JournalTrouble::Kind::other_study:
      help.emplace_back("`--restart` begins again, and forgets them; or write to another file");
      break;
    case JournalTrouble::Kind::other_part: help.emplace_back("give every `--shard` its own file"); break;
  }
  console.report({}, diagnostics);
}

std::optional<std::uint64_t> deliver(Console& console, const analysis::StudyDescription& study,
                                     const std::vector<StoredChunk>& chunks, const std::string& output, Format format,
                                     bool holds_journal) {
  std::optional<WholeFile> file;
  if (!output.empty()) {
    if (holds_journal && !is_written_through(output))
      file.emplace(output, ".journal.new");
    else
      file.emplace(output);
  }
  WrittenResults written;
  {
    ProgressLine line(console, "rows written", static_cast<double>(study.points));
    written = write_results(
        study, chunks, format, [&](std::string_view text) { return file ? file->write(text) : console.stream(text); },
        [&](std::uint64_t rows) { line.advance(static_cast<double>(rows)); });
  }
  std::string trouble = written.trouble;
  if (trouble.empty() && file) trouble = file->commit();
  if (!trouble.empty()) {
    report_without_location(console, DiagnosticKind::cannot_write, fmt::format("`{}` cannot be written", output),
                            trouble);
    return std::nullopt;
  }
  report_failures(console, study, written.failures, written.failed, written.rows);
  return written.failed;
}

// --- files that hold results already ---

namespace {

// Hands over a file piece by piece, until `take` has seen enough. What went wrong, or nothing.
std::string read_pieces(const std::string& path, const Sink& take) {
  const int stream = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (stream < 0) return std::strerror(errno);
  std::string buffer(std::size_t{1} << 16, '\0');
  int error = 0;
  for (ssize_t count = 1; count != 0 && error == 0;) {
    count = read(stream, buffer.data(), buffer.size());
    if (count > 0 && !take(std::string_view(buffer).substr(0, static_cast<std::size_t>(count)))) break;
    if (count < 0 && errno != EINTR) error = errno;
  }
  close(stream);
  return error == 0 ? "" : std::strerror(error);
}

// Whether a file of results begins as those of this study do, and has as many rows, as far as that can be told.
bool holds_results_of(const analysis::StudyDescription& study, const std::string& path, Format format,
                      std::string& trouble) {
  const std::string head = head_of_results(study, format);
  std::string begin;
  std::uint64_t lines = 0;
  trouble = read_pieces(path, [&](std::string_view piece) {
    if (begin.size() < head.size()) begin += piece.substr(0, head.size() - begin.size());
    lines += static_cast<std::uint64_t>(std::count(piece.begin(), piece.end(), '\n'));
    return head.starts_with(begin);
  });
  if (begin != head) return false;
  // Words may have lines of their own.
  const auto is_word = [](const analysis::Column& column) { return column.kind == analysis::CellKind::word; };
  const bool counts = format->lines && std::none_of(study.columns.begin(), study.columns.end(), is_word);
  return !counts || lines == study.points + format->lines->heads;
}

// What was given up once may be found the next time, or the other way around: that depends on the machine.
bool was_given_up(std::string_view row) {
  return row.find(code_of(DiagnosticKind::out_of_time)) != std::string_view::npos ||
         row.find(code_of(DiagnosticKind::out_of_memory)) != std::string_view::npos;
}

// The rows of a text, one after the other, that comes in pieces. In CSV a row may have several lines, within quotes.
class RowReader {
 public:
  explicit RowReader(Format format) : has_quotes_(format->lines && format->lines->in_quotes) {}
  // The rows that end in this piece, without their ends of line.
  std::vector<std::string> take(std::string_view piece);

 private:
  const bool has_quotes_;
  bool in_quotes_ = false;
  std::string row_;  // what there is of the present one
};

std::vector<std::string> RowReader::take(std::string_view piece) {
  std::vector<std::string> rows;
  std::size_t begin = 0;
  for (std::size_t at = 0; at < piece.size(); ++at) {
    if (has_quotes_ && piece[at] == '"') in_quotes_ = !in_quotes_;
    if (piece[at] != '\n' || in_quotes_) continue;
    row_ += piece.substr(begin, at - begin);
    rows.push_back(std::move(row_));
    row_.clear();
    begin = at + 1;
  }
  row_ += piece.substr(begin);
  return rows;
}

// Whether the file, of a format whose rows are lines, has these rows where they belong, to the byte, but for points
// that were given up for time or memory. `chunks` rise.
bool holds_rows(const analysis::StudyDescription& study, const std::vector<StoredChunk>& chunks,
                const std::string& path, Format format, std::string& trouble) {
  std::vector<std::string> wanted;
  RowReader made(format);
  const auto written = write_results(study, chunks, format, [&](std::string_view text) {
    for (auto& row : made.take(text)) wanted.push_back(std::move(row));
    return true;
  });
  if (!written.trouble.empty()) return false;
  const std::uint64_t heads = format->lines->heads;
  std::vector<std::uint64_t> places(heads, 0);
  for (const auto& chunk : chunks) {
    for (std::uint64_t point = chunk.entry.range.begin; point < chunk.entry.range.end; ++point)
      places.push_back(heads + point);
  }
  if (wanted.size() != places.size()) return false;

  RowReader there(format);
  std::uint64_t row = 0;
  std::size_t next = 0;
  bool is_same = true;
  trouble = read_pieces(path, [&](std::string_view piece) {
    for (const auto& text : there.take(piece)) {
      if (next < places.size() && places[next] == row) {
        is_same = is_same && (text == wanted[next] || was_given_up(text) || was_given_up(wanted[next]));
        ++next;
      }
      ++row;
    }
    return is_same;
  });
  return is_same && next == places.size() && row == study.points + heads;
}

}  // namespace

bool holds_text(const std::string& path, std::string_view text) {
  std::size_t at = 0;
  bool is_same = true;
  const std::string trouble = read_pieces(path, [&](std::string_view piece) {
    is_same = text.substr(at, piece.size()) == piece;
    at += piece.size();
    return is_same;
  });
  return trouble.empty() && is_same && at == text.size();
}

bool holds_results(const analysis::StudyDescription& study, analysis::Shard shard, analysis::ChunkComputer& computer,
                   const std::string& path, Format format, std::string& trouble) {
  if (!holds_results_of(study, path, format, trouble)) return false;
  if (!format->lines) return true;
  constexpr std::uint64_t all_over = 64;
  constexpr double enough_seconds = 1;
  const auto opened = Journal::open_nameless(study, shard);
  if (const auto* none = std::get_if<JournalTrouble>(&opened)) {
    trouble = none->text;
    return false;
  }
  const auto& found = std::get<std::unique_ptr<Journal>>(opened);
  const auto begin = std::chrono::steady_clock::now();
  const auto evaluate = [&](PointRange range) {
    const auto record = computer.compute(range);
    if (record) trouble = found->append(range, *record);
    return record && trouble.empty();
  };
  const std::uint64_t points = study.points, some = std::min(all_over, points);
  for (std::uint64_t i = 0; i < some && seconds_since(begin) < enough_seconds / 2; ++i) {
    const std::uint64_t point = i + 1 == some ? points - 1 : points / some * i;
    if (!evaluate({point, point + 1})) return false;
  }
  PointSet left = found->open_points();
  for (analysis::ChunkSizes sizes; !left.empty() && seconds_since(begin) < enough_seconds;) {
    const auto chunk_begin = std::chrono::steady_clock::now();
    const PointRange range = left.take(sizes.next());
    if (!evaluate(range)) return false;
    sizes.took(range.size(), seconds_since(chunk_begin));
  }
  return holds_rows(study, chunks_of({found.get()}), path, format, trouble);
}

}  // namespace wave::cli
