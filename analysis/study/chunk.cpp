// See chunk.h.
#include "analysis/study/chunk.h"

#include "frontend/source/diagnostics.h"

#include <algorithm>
#include <utility>

namespace wave::analysis {
namespace {

// No byte of it occurs twice, so that a search for it never skips a beginning; the first is in no UTF-8 text.
constexpr std::string_view mark = "\xfaWvRec\x0a";
static_assert(mark.size() + 1 + sizeof(std::uint64_t) == record_head);

std::string tail_of(const StudyId* study, std::string_view head_and_contents) {
  std::string bytes;
  if (study != nullptr) bytes.assign(reinterpret_cast<const char*>(study->data()), study->size());
  bytes += head_and_contents;
  const Digest sum = digest(bytes);
  return std::string(reinterpret_cast<const char*>(sum.data()), record_tail);
}

// The description makes the study's number, and cannot hold it.
const StudyId* study_of(const StudyId& study, RecordKind kind) {
  return kind == RecordKind::description ? nullptr : &study;
}

enum class NumberKind : std::uint8_t { real = 0, integer = 1 };

void write_column(ByteWriter& writer, const Cells& column) {
  write_values(writer, column.values);
  writer.numbers(column.missing).texts(column.labels);
}

bool are_inside(const std::vector<std::uint64_t>& points, PointRange range) {
  for (const std::uint64_t point : points) {
    if (point < range.begin || point >= range.end) return false;
  }
  return true;
}

std::optional<Cells> read_column(ByteReader& reader, PointRange range) {
  Cells column;
  auto values = read_values(reader);
  if (!values) return std::nullopt;
  column.values = std::move(*values);
  column.missing = reader.numbers<std::uint64_t>();
  column.labels = reader.texts();
  if (!reader.ok() || length(column.values) != range.size() || !are_inside(column.missing, range)) return std::nullopt;
  return column;
}

}  // namespace

std::string make_record(const StudyId& study, RecordKind kind, std::string_view contents) {
  std::string record(mark);
  record += static_cast<char>(kind);
  const std::uint64_t length = contents.size();
  record.append(reinterpret_cast<const char*>(&length), sizeof length);
  record += contents;
  record += tail_of(study_of(study, kind), record);
  return record;
}

std::optional<std::uint64_t> record_length(std::string_view head) {
  if (head.size() < record_head || head.substr(0, mark.size()) != mark) return std::nullopt;
  std::uint64_t length = 0;
  std::memcpy(&length, head.data() + mark.size() + 1, sizeof length);
  if (length > std::uint64_t{1} << 40) return std::nullopt;
  return record_head + length + record_tail;
}

std::optional<Record> read_record(std::string_view bytes, const StudyId* study) {
  const auto length = record_length(bytes);
  if (!length || *length > bytes.size()) return std::nullopt;
  const auto kind = static_cast<RecordKind>(bytes[mark.size()]);
  if (kind != RecordKind::description && study == nullptr) return std::nullopt;
  const std::string_view before_tail = bytes.substr(0, *length - record_tail);
  if (tail_of(kind == RecordKind::description ? nullptr : study, before_tail) !=
      bytes.substr(before_tail.size(), record_tail)) {
    return std::nullopt;
  }
  return Record{kind, before_tail.substr(record_head), static_cast<std::size_t>(*length)};
}

std::size_t find_record(std::string_view bytes, std::size_t from) { return bytes.find(mark, from); }

void write_values(ByteWriter& writer, const ColumnValues& values) {
  const auto* const reals = std::get_if<std::vector<double>>(&values);
  writer.number(static_cast<std::uint8_t>(reals != nullptr ? NumberKind::real : NumberKind::integer));
  if (reals != nullptr)
    writer.numbers(*reals);
  else
    writer.numbers(std::get<std::vector<std::int64_t>>(values));
}

std::optional<ColumnValues> read_values(ByteReader& reader) {
  const auto kind = reader.number<std::uint8_t>();
  if (kind == static_cast<std::uint8_t>(NumberKind::real)) return reader.numbers<double>();
  if (kind == static_cast<std::uint8_t>(NumberKind::integer)) return reader.numbers<std::int64_t>();
  return std::nullopt;
}

std::string encode(const StudyId& study, const Chunk& chunk) {
  ByteWriter writer;
  writer.number(chunk.range.begin).number(chunk.range.end).number(static_cast<std::uint32_t>(chunk.columns.size()));
  for (const auto& column : chunk.columns) write_column(writer, column);
  writer.number(static_cast<std::uint32_t>(chunk.failed.size()));
  for (const auto& one : chunk.failed)
    writer.text(code_of(one.kind())).text(one.words).text(one.message()).numbers(one.rows);
  writer.number(chunk.limits.seconds).number(static_cast<std::uint64_t>(chunk.limits.memory_bytes));
  return make_record(study, RecordKind::chunk, writer.take());
}

std::optional<Chunk> decode(std::string_view contents) {
  ByteReader reader(contents);
  Chunk chunk;
  chunk.range.begin = reader.number<std::uint64_t>();
  chunk.range.end = reader.number<std::uint64_t>();
  if (!reader.ok() || chunk.range.begin >= chunk.range.end) return std::nullopt;
  const auto columns = reader.number<std::uint32_t>();
  for (std::uint32_t i = 0; i < columns; ++i) {
    auto column = read_column(reader, chunk.range);
    if (!column) return std::nullopt;
    chunk.columns.push_back(std::move(*column));
  }
  const auto failed = reader.number<std::uint32_t>();
  for (std::uint32_t i = 0; i < failed && reader.ok(); ++i) {
    const auto kind = frontend::kind_of(reader.text());
    if (!kind) return std::nullopt;
    FailedRows one;
    one.words = reader.text();
    one.diagnostic = {*kind, reader.text(), {}, {}, {}};
    one.rows = reader.numbers<std::uint64_t>();
    if (!are_inside(one.rows, chunk.range)) return std::nullopt;
    chunk.failed.push_back(std::move(one));
  }
  chunk.limits.seconds = reader.number<double>();
  chunk.limits.memory_bytes = reader.number<std::uint64_t>();
  if (!reader.ok() || !reader.at_end()) return std::nullopt;
  return chunk;
}

bool deserves_another_try(const Chunk& chunk, const PointLimits& limits) {
  const bool more_time = limits.seconds > chunk.limits.seconds,
             more_memory = limits.memory_bytes > chunk.limits.memory_bytes;
  return std::any_of(chunk.failed.begin(), chunk.failed.end(), [&](const FailedRows& one) {
    return (more_time && one.kind() == frontend::DiagnosticKind::out_of_time) ||
           (more_memory && one.kind() == frontend::DiagnosticKind::out_of_memory);
  });
}

std::optional<PointRange> range_of(std::string_view contents) {
  ByteReader reader(contents);
  PointRange range;
  range.begin = reader.number<std::uint64_t>();
  range.end = reader.number<std::uint64_t>();
  if (!reader.ok() || range.begin >= range.end) return std::nullopt;
  return range;
}

std::optional<PointSet> read_point_set(ByteReader& reader, std::uint64_t points) {
  const auto ends = reader.numbers<std::uint64_t>();
  if (!reader.ok() || ends.size() % 2 != 0) return std::nullopt;
  PointSet set;
  for (std::size_t i = 0; i < ends.size(); i += 2) {
    if (ends[i] >= ends[i + 1] || ends[i + 1] > points || (i > 0 && ends[i] <= ends[i - 1])) return std::nullopt;
    set.add({ends[i], ends[i + 1]});
  }
  return set;
}

std::optional<StateHead> read_state_head(ByteReader& reader, std::uint64_t points) {
  StateHead head;
  head.pass = reader.number<std::uint32_t>();
  auto done = read_point_set(reader, points);
  if (!done || head.pass == 0) return std::nullopt;
  head.done = std::move(*done);
  return head;
}

}  // namespace wave::analysis
