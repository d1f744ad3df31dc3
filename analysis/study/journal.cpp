// See journal.h.
#include "analysis/study/journal.h"

#include "base/bytes.h"
#include "base/folder.h"

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>

namespace wave::analysis {
namespace {

using Kind = JournalTrouble::Kind;

constexpr std::string_view first_line =
    "wave study 1: results of `wave sweep`, read by `wave sweep --resume` and `wave merge`\n";
constexpr std::chrono::seconds between_syncs(2);
// What is not read through again where a damaged record is looked for, piece by piece.
constexpr std::uint64_t piece = std::uint64_t{1} << 20;
// A file in which this much lies that only looks like records is not looked through any further.
constexpr int most_damaged = 100;

JournalTrouble trouble_of(Kind kind, int error) { return {kind, std::strerror(error), {}}; }

// A file in a folder that nobody finds, not even after this program was killed. -1 and `errno` where there is none.
int make_nameless(const std::string& folder) {
  const int stream = ::open(folder.c_str(), O_RDWR | O_TMPFILE | O_CLOEXEC, 0600);
  if (stream >= 0 || (errno != EOPNOTSUPP && errno != EISDIR && errno != EINVAL)) return stream;
  std::string name = folder + "/wave-study-XXXXXX";  // a file system that makes none without a name
  const int named = mkostemp(name.data(), O_CLOEXEC);
  if (named >= 0) unlink(name.c_str());
  return named;
}

std::string part_contents(Shard shard) { return ByteWriter().number(shard.index).number(shard.count).take(); }

std::optional<Shard> read_part(std::string_view contents) {
  ByteReader reader(contents);
  Shard shard;
  shard.index = reader.number<std::uint32_t>();
  shard.count = reader.number<std::uint32_t>();
  if (!reader.ok() || shard.index < 1 || shard.index > shard.count) return std::nullopt;
  return shard;
}

}  // namespace

Journal::~Journal() {
  if (stream_ >= 0) close(stream_);
}

// The name may have gone to another file, or to none, while we waited for nothing but the system.
std::optional<JournalTrouble> Journal::lock() {
  for (;;) {
    stream_ = ::open(path_.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0666);
    if (stream_ < 0) return trouble_of(Kind::cannot_write, errno);
    struct stat info{}, named{};
    if (fstat(stream_, &info) == 0 && !S_ISREG(info.st_mode))
      return JournalTrouble{Kind::cannot_write, "it is not a plain file", {}};
    if (flock(stream_, LOCK_EX | LOCK_NB) != 0) {
      return errno == EWOULDBLOCK ? JournalTrouble{Kind::in_use, "", {}} : trouble_of(Kind::cannot_write, errno);
    }
    if (fstat(stream_, &info) == 0 && stat(path_.c_str(), &named) == 0 && info.st_ino == named.st_ino &&
        info.st_dev == named.st_dev) {
      return std::nullopt;
    }
    close(stream_);
  }
}

std::variant<std::unique_ptr<Journal>, JournalTrouble> Journal::open(const std::string& path,
                                                                     const StudyDescription& study, Shard shard,
                                                                     Opening opening,
                                                                     std::optional<PointLimits> limits) {
  std::unique_ptr<Journal> journal(new Journal);
  journal->path_ = path;
  if (auto trouble = journal->lock()) return std::move(*trouble);
  const auto size = journal->size();
  if (!size) return trouble_of(Kind::cannot_read, errno);
  const bool is_new = *size == 0, is_begun = journal->is_beginning_of(head_of(study, shard));
  if (!is_new && !is_begun && !journal->looks_like_one()) return journal->no_journal("");
  if (!is_new && opening == Opening::fresh) return JournalTrouble{Kind::already_there, "", {}};
  if (is_new || is_begun || opening == Opening::restart) {
    std::string wrong = journal->begin(study, shard);
    if (const int error = wrong.empty() ? sync_folder_of(path) : 0; error != 0) wrong = std::strerror(error);
    if (wrong.empty()) return journal;
    if (is_new) unlink(path.c_str());
    return JournalTrouble{Kind::cannot_write, wrong, {}};
  }
  if (auto trouble = journal->scan()) return std::move(*trouble);
  if (journal->id_ != id_of(study)) return JournalTrouble{Kind::other_study, "", differences(journal->study_, study)};
  if (journal->shard_ != shard) return JournalTrouble{Kind::other_part, "", {}};
  // What was cut short goes away before something stands behind it.
  if (ftruncate(journal->stream_, static_cast<off_t>(journal->end_)) != 0) return trouble_of(Kind::cannot_write, errno);
  const std::string wrong = limits ? journal->forget_failed(*limits) : "";
  if (!wrong.empty()) return JournalTrouble{Kind::cannot_write, wrong, {}};
  return journal;
}

std::variant<std::unique_ptr<Journal>, JournalTrouble> Journal::open_nameless(const StudyDescription& study,
                                                                              Shard shard) {
  std::unique_ptr<Journal> journal(new Journal);
  const char* const folder = std::getenv("TMPDIR");
  journal->path_ = folder != nullptr && *folder != '\0' ? folder : "/tmp";
  journal->stream_ = make_nameless(journal->path_);
  if (journal->stream_ < 0) return trouble_of(Kind::cannot_write, errno);
  if (const std::string wrong = journal->begin(study, shard); !wrong.empty())
    return JournalTrouble{Kind::cannot_write, wrong, {}};
  return journal;
}

std::variant<std::unique_ptr<Journal>, JournalTrouble> Journal::open_part(const std::string& path) {
  std::unique_ptr<Journal> journal(new Journal);
  journal->path_ = path;
  journal->stream_ = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (journal->stream_ < 0) return trouble_of(Kind::cannot_read, errno);
  struct stat info{};
  if (fstat(journal->stream_, &info) == 0 && !S_ISREG(info.st_mode)) return JournalTrouble{Kind::not_a_journal, "", {}};
  if (auto trouble = journal->scan()) return std::move(*trouble);
  return journal;
}

std::optional<std::uint64_t> Journal::size() const {
  struct stat info{};
  if (fstat(stream_, &info) != 0) return std::nullopt;
  return static_cast<std::uint64_t>(info.st_size);
}

// What begins as one may be written to.
bool Journal::looks_like_one() const {
  const std::string begin = read_at(0, first_line.size());
  return !begin.empty() && first_line.starts_with(begin);
}

// Whoever began it was stopped before its first chunk. Some file systems have zeros where the power failed before the
// bytes were on the disk.
bool Journal::is_beginning_of(std::string_view head) const {
  const std::string all = read_at(0, head.size() + 1);
  if (all.size() > head.size() || all == head) return false;
  const auto same = std::mismatch(all.begin(), all.end(), head.begin()).first;
  return std::all_of(same, all.end(), [](char c) { return c == '\0'; });
}

// A file that cannot be read may well be one.
JournalTrouble Journal::no_journal(const char* why) const {
  return read_error_ != 0 ? trouble_of(Kind::cannot_read, read_error_) : JournalTrouble{Kind::not_a_journal, why, {}};
}

std::string Journal::head_of(const StudyDescription& study, Shard shard) {
  const StudyId id = id_of(study);
  std::string head(first_line);
  head += make_record(id, RecordKind::description, encode(study));
  head += make_record(id, RecordKind::part, part_contents(shard));
  return head;
}

std::string Journal::begin(const StudyDescription& study, Shard shard) {
  study_ = study;
  id_ = id_of(study);
  shard_ = shard;
  end_ = 0;
  if (ftruncate(stream_, 0) != 0) return std::strerror(errno);
  if (std::string wrong = write(head_of(study, shard)); !wrong.empty()) return wrong;
  head_end_ = end_;
  return sync();
}

std::string Journal::read_at(std::uint64_t offset, std::uint64_t length) const {
  std::string bytes(length, '\0');
  std::uint64_t read = 0;
  while (read < length) {
    const ssize_t count = pread(stream_, bytes.data() + read, length - read, static_cast<off_t>(offset + read));
    if (count < 0 && errno == EINTR) continue;
    if (count < 0 && read_error_ == 0) read_error_ = errno;
    if (count <= 0) break;
    read += static_cast<std::uint64_t>(count);
  }
  bytes.resize(read);
  return bytes;
}

std::optional<JournalTrouble> Journal::scan() {
  const auto bytes = size();
  if (!bytes) return trouble_of(Kind::cannot_read, errno);
  const std::uint64_t size = *bytes;
  if (read_at(0, first_line.size()) != first_line) return no_journal("");
  std::uint64_t at = first_line.size();
  const auto next = [&](const StudyId* study, RecordKind kind) -> std::optional<std::string> {
    const auto length = record_length(read_at(at, record_head));
    if (!length || *length > size - at) return std::nullopt;
    const std::string bytes = read_at(at, *length);
    const auto record = read_record(bytes, study);
    if (!record || record->kind != kind) return std::nullopt;
    at += *length;
    return std::string(record->contents);
  };
  const char* const damaged = "its beginning is damaged";
  const auto description = next(nullptr, RecordKind::description);
  auto study = description ? decode_description(*description) : std::nullopt;
  if (!study || study->varied() == study->columns.size()) return no_journal(damaged);
  study_ = std::move(*study);
  id_ = digest(*description);
  const auto part = next(&id_, RecordKind::part);
  const auto shard = part ? read_part(*part) : std::nullopt;
  if (!shard) return no_journal(damaged);
  shard_ = *shard;
  head_end_ = end_ = at;
  scan_chunks(size);
  // Nothing is cut off where the system only could not read it just now.
  if (read_error_ != 0) return trouble_of(Kind::cannot_read, read_error_);
  return std::nullopt;
}

// Behind a damaged record others may be good.
void Journal::scan_chunks(std::uint64_t size) {
  std::uint64_t at = end_;
  for (int damaged = 0; at < size && damaged < most_damaged; ++damaged) {
    const auto length = record_length(read_at(at, record_head));
    if (length && *length <= size - at) {
      const std::string bytes = read_at(at, *length);
      const auto record = read_record(bytes, &id_);
      if (record && take(*record, at)) {
        damaged_ += at - end_;
        at += *length;
        end_ = at;
        damaged = -1;
        continue;
      }
    }
    std::uint64_t next = size;
    for (std::uint64_t from = at + 1; from < size && next == size; from += piece) {
      const std::string bytes = read_at(from, piece + record_head);
      if (const std::size_t found = find_record(bytes, 0); found != std::string::npos) next = from + found;
    }
    at = next;
  }
  damaged_ += size - end_;
}

bool Journal::take(const Record& record, std::uint64_t offset) {
  if (record.kind == RecordKind::end) {
    finished_ = true;
    return true;
  }
  if (record.kind == RecordKind::state) return take_state(record, offset);
  const auto range = range_of(record.contents);
  if (record.kind == RecordKind::forgotten && range) {
    forget(*range);
    return true;
  }
  if (record.kind != RecordKind::chunk || !range || range->end > study_.points || done_.overlaps(*range)) return false;
  done_.add(*range);
  entries_.push_back({*range, offset, record.length});
  return true;
}

bool Journal::take_state(const Record& record, std::uint64_t offset) {
  ByteReader reader(record.contents);
  auto head = read_state_head(reader, study_.points);
  if (!head || study_.reductions.empty()) return false;
  const auto rank = [](std::uint32_t pass, const PointSet& done) { return std::pair(pass, done.count()); };
  if (state_ && rank(head->pass, head->done) < rank(state_->pass, done_)) return true;
  done_ = std::move(head->done);
  state_ = {offset, record.length, head->pass};
  return true;
}

void Journal::forget(PointRange range) {
  const auto is_it = [&](const Entry& entry) { return entry.range == range; };
  const auto gone = std::remove_if(entries_.begin(), entries_.end(), is_it);
  if (gone == entries_.end()) return;
  entries_.erase(gone, entries_.end());
  done_ = done_.without(PointSet(range));
}

// Points that failed for time or memory are evaluated again where there is more of it now.
std::string Journal::forget_failed(const PointLimits& limits) {
  for (const Entry& entry : entries()) {
    const auto chunk = read(entry);
    if (!chunk || !deserves_another_try(*chunk, limits)) continue;
    const std::string range = ByteWriter().number(entry.range.begin).number(entry.range.end).take();
    if (std::string wrong = write(make_record(id_, RecordKind::forgotten, range)); !wrong.empty()) return wrong;
    forget(entry.range);
  }
  return "";
}

std::string Journal::write(std::string_view bytes) {
  std::string wrong = write_at(end_, bytes);
  if (wrong.empty()) {
    end_ += bytes.size();
  } else {
    [[maybe_unused]] const int ignored = ftruncate(stream_, static_cast<off_t>(end_));
  }
  return wrong;
}

std::string Journal::write_at(std::uint64_t offset, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t count = pwrite(stream_, bytes.data(), bytes.size(), static_cast<off_t>(offset));
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return std::strerror(count < 0 ? errno : ENOSPC);
    bytes.remove_prefix(static_cast<std::size_t>(count));
    offset += static_cast<std::uint64_t>(count);
  }
  return "";
}

// In front of the last state where there is room, else behind it. That one stays until the new one is on the disk.
std::string Journal::keep_state(std::string_view state) {
  const std::string record = make_record(id_, RecordKind::state, state);
  const bool is_in_front = state_ && head_end_ + record.size() <= state_->offset;
  const std::uint64_t offset = is_in_front ? head_end_ : end_;
  std::string wrong = is_in_front ? write_at(offset, record) : write(record);
  if (wrong.empty()) wrong = sync();
  if (!wrong.empty()) return wrong;
  if (is_in_front) {
    end_ = offset + record.size();
    if (ftruncate(stream_, static_cast<off_t>(end_)) != 0) return std::strerror(errno);
  }
  state_.reset();
  const auto read = read_record(record, &id_);
  return read && take_state(*read, offset) ? "" : "it is no state of this study";
}

std::optional<std::string> Journal::state() const {
  if (!state_) return std::nullopt;
  const std::string bytes = read_at(state_->offset, state_->length);
  const auto record = read_record(bytes, &id_);
  if (!record || record->kind != RecordKind::state) return std::nullopt;
  return std::string(record->contents);
}

std::string Journal::append(PointRange range, std::string_view record) {
  const std::uint64_t offset = end_;
  if (std::string wrong = write(record); !wrong.empty()) return wrong;
  done_.add(range);
  entries_.push_back({range, offset, record.size()});
  const auto now = std::chrono::steady_clock::now();
  return now - synced_ < between_syncs ? "" : sync();
}

std::string Journal::sync() {
  synced_ = std::chrono::steady_clock::now();
  return fdatasync(stream_) == 0 || errno == EINVAL ? "" : std::strerror(errno);
}

std::string Journal::finish() {
  if (std::string wrong = write(make_record(id_, RecordKind::end, {})); !wrong.empty()) return wrong;
  finished_ = true;
  return sync();
}

std::vector<Journal::Entry> Journal::entries() const {
  auto all = entries_;
  std::sort(all.begin(), all.end(), [](const Entry& a, const Entry& b) { return a.range.begin < b.range.begin; });
  return all;
}

std::optional<Chunk> Journal::read(const Entry& entry) const {
  const std::string bytes = read_at(entry.offset, entry.length);
  const auto record = read_record(bytes, &id_);
  if (!record || record->kind != RecordKind::chunk) return std::nullopt;
  auto chunk = decode(record->contents);
  if (!chunk || chunk->range != entry.range || !has_columns_of(study_, *chunk)) return std::nullopt;
  return chunk;
}

}  // namespace wave::analysis
