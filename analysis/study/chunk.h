// What was found at a range of points, and how it is kept: a record of bytes that knows the study that it belongs to.
#pragma once

#include "analysis/study/points.h"
#include "analysis/tables/table.h"
#include "base/bytes.h"
#include "base/digest.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace wave::analysis {

// What bounds the evaluation of one point. A point that takes more is a row with that error.
struct PointLimits {
  double seconds = 60;  // infinite: none
  std::size_t memory_bytes = std::size_t{8} << 30;
};

struct Chunk {
  PointRange range;
  std::vector<Cells> columns;      // of what was found, not of what varied; each of range.size() values
  std::vector<FailedRows> failed;  // points of the study
  PointLimits limits;              // under which it was evaluated
};

// Whether a point failed at a limit that `limits` exceed: it might not fail again.
bool deserves_another_try(const Chunk& chunk, const PointLimits& limits);

// What a study is, as one number: of its description (description.h).
using StudyId = Digest;

// A record: a mark, its kind, the length of its contents, they themselves, and a digest of all of it with the study's.
enum class RecordKind : std::uint8_t { description = 1, part = 2, chunk = 3, end = 4, forgotten = 5, state = 6 };
std::string make_record(const StudyId& study, RecordKind kind, std::string_view contents);

struct Record {
  RecordKind kind{};
  std::string_view contents;
  std::size_t length = 0;  // of the whole record
};
inline constexpr std::size_t record_head = 16, record_tail = 16;
// The length of the whole record that begins with these `record_head` bytes. Nothing: none begins here.
std::optional<std::uint64_t> record_length(std::string_view head);
// Nothing: no record of this study begins here, or it is damaged. Of a description the study is not known before: pass
// null.
std::optional<Record> read_record(std::string_view bytes, const StudyId* study);
// Where a record may begin, at `from` or behind it; npos where none does.
std::size_t find_record(std::string_view bytes, std::size_t from);

// The values of a column within a record. Nothing: they are of a kind that is not known.
void write_values(ByteWriter& writer, const ColumnValues& values);
std::optional<ColumnValues> read_values(ByteReader& reader);

std::string encode(const StudyId& study, const Chunk& chunk);
std::optional<Chunk> decode(std::string_view contents);
// The range alone.
std::optional<PointRange> range_of(std::string_view contents);

// How the state of a study begins that is reduced (reduce/reduced_study.h): over which points it has gone, and the how
// manieth time.
struct StateHead {
  std::uint32_t pass = 1;
  PointSet done;
};
std::optional<StateHead> read_state_head(ByteReader& reader, std::uint64_t points);
// Of beginnings and ends, rising. Nothing: they are none of a study of so many points.
std::optional<PointSet> read_point_set(ByteReader& reader, std::uint64_t points);

}  // namespace wave::analysis
