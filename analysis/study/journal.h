// A file to which the results of a study go as they come: whoever is stopped goes on where it ends. Also how a finished
// part of a divided study lies in a file.
//
//   a line that says what it is; a record (chunk.h) with the description of the study, one with the part that it holds,
//   one for each chunk in the order in which they came, one for each of these that counts no more, and at the end of a
//   finished part one that says so
//
// Of a study that is reduced (reduce/reduced_study.h) there are no chunks, but its state at some times, of which the
// one with most points counts. The file has room for a few of them: a new one is written where older ones were.
//
// Every record carries a digest of itself and of the study. What was cut short, or damaged, is found when the file is
// opened and evaluated again.
#pragma once

#include "analysis/study/description.h"
#include "analysis/study/points.h"

#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace wave::analysis {

// What is wrong with a file of this kind.
struct JournalTrouble {
  enum class Kind {
    cannot_read,  // the system says no, in `text`; nothing of it was changed
    cannot_write,
    in_use,         // somebody else writes to it
    already_there,  // and nobody said what to do with it
    not_a_journal,
    other_study,  // what differs, in `differences`
    other_part
  };
  Kind kind{};
  std::string text;
  std::vector<std::string> differences;
};

class Journal {
 public:
  enum class Opening { fresh, resume, restart };

  // For writing; nobody else may meanwhile. `resume` begins a new one where there is none. A chunk with points that
  // failed for time or memory is evaluated again where `limits` allow more. What is no journal is never written to.
  static std::variant<std::unique_ptr<Journal>, JournalTrouble> open(const std::string& path,
                                                                     const StudyDescription& study, Shard shard,
                                                                     Opening opening,
                                                                     std::optional<PointLimits> limits = {});
  // One without a name, in the folder for temporary files.
  static std::variant<std::unique_ptr<Journal>, JournalTrouble> open_nameless(const StudyDescription& study,
                                                                              Shard shard);
  // For reading: a finished part, or what there is of it.
  static std::variant<std::unique_ptr<Journal>, JournalTrouble> open_part(const std::string& path);

  ~Journal();
  Journal(const Journal&) = delete;
  Journal& operator=(const Journal&) = delete;

  const std::string& path() const { return path_; }
  const StudyDescription& study() const { return study_; }
  const StudyId& id() const { return id_; }
  Shard shard() const { return shard_; }
  bool is_finished() const { return finished_; }
  // The points whose results are in it, and those that are missing from its part.
  const PointSet& done() const { return done_; }
  PointSet open_points() const { return points_of(shard_, study_.points).without(done_); }
  // Bytes that were cut short or damaged.
  std::uint64_t damaged_bytes() const { return damaged_; }

  // Adds a record that encode() has made, and sees to it now and then that the system keeps it. What went wrong, or
  // nothing: then the file ends with the record before.
  std::string append(PointRange range, std::string_view record);
  // The state of a reduced study, for certain, in place of older ones.
  std::string keep_state(std::string_view state);
  // The last one; nothing: there is none, or it cannot be read any more.
  std::optional<std::string> state() const;
  // Everything is kept for certain.
  std::string sync();
  // Says that the part is whole.
  std::string finish();

  // By range, rising.
  struct Entry {
    PointRange range;
    std::uint64_t offset = 0, length = 0;
  };
  std::vector<Entry> entries() const;
  // Nothing: it cannot be read any more.
  std::optional<Chunk> read(const Entry& entry) const;

 private:
  Journal() = default;
  std::optional<JournalTrouble> lock();
  std::string begin(const StudyDescription& study, Shard shard);
  std::optional<std::uint64_t> size() const;
  bool looks_like_one() const;
  bool is_beginning_of(std::string_view head) const;
  static std::string head_of(const StudyDescription& study, Shard shard);
  std::optional<JournalTrouble> scan();
  void scan_chunks(std::uint64_t size);
  bool take(const Record& record, std::uint64_t offset);
  bool take_state(const Record& record, std::uint64_t offset);
  void forget(PointRange range);
  std::string forget_failed(const PointLimits& limits);
  std::string write(std::string_view bytes);
  std::string write_at(std::uint64_t offset, std::string_view bytes);
  std::string read_at(std::uint64_t offset, std::uint64_t length) const;
  JournalTrouble no_journal(const char* why) const;

  std::string path_;
  int stream_ = -1;
  StudyDescription study_;
  StudyId id_{};
  Shard shard_;
  bool finished_ = false;
  PointSet done_;
  std::vector<Entry> entries_;
  struct State {
    std::uint64_t offset = 0, length = 0;
    std::uint32_t pass = 0;
  };
  std::optional<State> state_;
  std::uint64_t head_end_ = 0;  // where states may begin
  std::uint64_t end_ = 0;       // of what is good
  std::uint64_t damaged_ = 0;
  mutable int read_error_ = 0;  // the first, where something could not be read
  std::chrono::steady_clock::time_point synced_ = std::chrono::steady_clock::now();
};

}  // namespace wave::analysis
