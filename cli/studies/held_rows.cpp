// See held_rows.h.
#include "cli/studies/held_rows.h"

#include "cli/progress.h"
#include "cli/studies/study_results.h"

#include <algorithm>
#include <fcntl.h>
#include <unistd.h>

namespace wave::cli {

using analysis::Journal;
using analysis::PointSet;

namespace {

// What was given up once may be found the next time, or the other way around: that depends on the machine.
bool was_given_up(std::string_view row) {
  return row.find("E0610") != std::string_view::npos || row.find("E0611") != std::string_view::npos;
}

}  // namespace

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

bool holds_rows(const analysis::StudyDescription& study, const std::vector<StoredChunk>& chunks,
                const std::string& path, Format format) {
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

  const int stream = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (stream < 0) return false;
  RowReader there(format);
  std::string buffer(std::size_t{1} << 16, '\0');
  std::uint64_t row = 0;
  std::size_t next = 0;
  bool is_same = true;
  for (ssize_t count = 0; is_same && (count = read(stream, buffer.data(), buffer.size())) > 0;) {
    for (const auto& text : there.take(std::string_view(buffer).substr(0, static_cast<std::size_t>(count)))) {
      if (next < places.size() && places[next] == row) {
        is_same = is_same && (text == wanted[next] || was_given_up(text) || was_given_up(wanted[next]));
        ++next;
      }
      ++row;
    }
  }
  close(stream);
  return is_same && next == places.size() && row == study.points + heads;
}

bool holds_results(const analysis::StudyDescription& study, analysis::Shard shard, analysis::ChunkComputer& computer,
                   const std::string& path, Format format) {
  if (!holds_results_of(study, path, format)) return false;
  if (!format->lines) return true;
  constexpr std::uint64_t all_over = 64;
  constexpr double enough_seconds = 1;
  const auto opened = Journal::open_nameless(study, shard);
  const auto* const found = std::get_if<std::unique_ptr<Journal>>(&opened);
  if (found == nullptr) return false;
  const auto begin = std::chrono::steady_clock::now();
  const auto evaluate = [&](PointRange range) {
    const auto record = computer.compute(range);
    return record && (*found)->append(range, *record).empty();
  };
  const std::uint64_t points = study.points, some = std::min(all_over, points);
  for (std::uint64_t i = 0; i < some && seconds_since(begin) < enough_seconds / 2; ++i) {
    const std::uint64_t point = i + 1 == some ? points - 1 : points / some * i;
    if (!evaluate({point, point + 1})) return false;
  }
  PointSet left = (*found)->open_points();
  for (analysis::ChunkSizes sizes; !left.empty() && seconds_since(begin) < enough_seconds;) {
    const auto chunk_begin = std::chrono::steady_clock::now();
    const PointRange range = left.take(sizes.next());
    if (!evaluate(range)) return false;
    sizes.took(range.size(), seconds_since(chunk_begin));
  }
  return holds_rows(study, chunks_of({found->get()}), path, format);
}

}  // namespace wave::cli
