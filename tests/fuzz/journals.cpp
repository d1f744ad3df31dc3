// Reads any bytes as a journal or a part of a study, and writes all results that are in it, in every format. Digests
// are made right after a mutation, so that not only the check of digests is tested.
#include "analysis/study/journal.h"
#include "cli/studies/result_files.h"
#include "tests/folder.h"
#include "tests/fuzz/promise.h"
#include "tests/unit/study/counting_model.h"

#include <algorithm>
#include <random>

using namespace wave;
using namespace wave::analysis;
using fuzz::promise;

extern "C" std::size_t LLVMFuzzerMutate(std::uint8_t* data, std::size_t size, std::size_t max_size);

namespace {

// A journal taken apart: what stands before its records, and their contents.
struct Parts {
  struct One {
    RecordKind kind{};
    std::string contents;
  };
  std::string head;
  std::vector<One> records;

  // The same with digests that are right. The first description makes the number of the study.
  std::string bytes() const {
    StudyId study{};
    const auto is_description = [](const One& one) { return one.kind == RecordKind::description; };
    const auto description = std::find_if(records.begin(), records.end(), is_description);
    if (description != records.end()) study = digest(description->contents);
    std::string all = head;
    for (const One& one : records) all += make_record(study, one.kind, one.contents);
    return all;
  }
};

Parts take_apart(std::string_view bytes) {
  Parts parts;
  std::size_t at = std::min(find_record(bytes, 0), bytes.size());
  parts.head = bytes.substr(0, at);
  while (at < bytes.size()) {
    const std::string_view rest = bytes.substr(at);
    const auto length = record_length(rest);
    if (length && *length <= rest.size()) {
      const auto kind = static_cast<RecordKind>(rest[record_head - sizeof(std::uint64_t) - 1]);
      parts.records.push_back({kind, std::string(rest.substr(record_head, *length - record_head - record_tail))});
    }
    at = std::min(find_record(bytes, at + 1), bytes.size());
  }
  return parts;
}

// A small journal with all kinds of columns and a failure.
const std::string& whole_journal() {
  static const std::string bytes = [] {
    const test::Folder folder;
    const std::string path = (folder.path() / "journal").string();
    const test::CountingModel model(2, 2);
    const auto opened = Journal::open(path, test::describe(model), {}, Journal::Opening::fresh);
    const auto& journal = *std::get<std::unique_ptr<Journal>>(opened);
    Chunk chunk;
    chunk.range = {0, 2};
    chunk.columns.push_back({std::vector<double>{1.5, 0}, {1}, {}});
    chunk.columns.push_back({std::vector<std::int64_t>{7, 0}, {1}, {}});
    chunk.columns.push_back({std::vector<std::int64_t>{0, 0}, {1}, {"even"}});
    chunk.failed.push_back({{"no good", {frontend::DiagnosticKind::require_failed, "1 is no good", {}, {}, {}}}, {1}});
    const_cast<Journal&>(journal).append(chunk.range, encode(journal.id(), chunk));
    return test::contents_of(path);
  }();
  return bytes;
}

void mutate(std::string& bytes, std::size_t most) {
  const std::size_t size = bytes.size();
  bytes.resize(std::max(size, most));
  bytes.resize(LLVMFuzzerMutate(reinterpret_cast<std::uint8_t*>(bytes.data()), size, bytes.size()));
}

void write_all_formats(const Journal& journal) {
  const auto chunks = cli::chunks_of({&journal});
  for (const cli::FormatInfo* const format : cli::Format::all()) {
    std::size_t written = 0;
    const auto results =
        cli::write_results(journal.study(), chunks, cli::Format(format->word), [&](std::string_view text) {
          written += text.size();
          return written < std::size_t{1} << 20;
        });
    promise(results.failed <= results.rows, "no more rows fail than there are");
  }
}

}  // namespace

extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size, std::size_t max_size,
                                               unsigned int seed) {
  std::minstd_rand random(seed);
  Parts parts = take_apart({reinterpret_cast<const char*>(data), size});
  if (parts.records.empty() && random() % 4 != 0) parts = take_apart(whole_journal());
  if (parts.records.empty() || random() % 16 == 0) return LLVMFuzzerMutate(data, size, max_size);
  const std::size_t chosen = random() % parts.records.size(), other = random() % parts.records.size();
  switch (random() % 8) {
    case 0:
      parts.records.insert(parts.records.begin() + static_cast<std::ptrdiff_t>(other), parts.records[chosen]);
      break;
    case 1: parts.records.erase(parts.records.begin() + static_cast<std::ptrdiff_t>(chosen)); break;
    case 2: parts.records[chosen].kind = static_cast<RecordKind>(1 + random() % 6); break;
    case 3: std::swap(parts.records[chosen], parts.records[other]); break;
    default: mutate(parts.records[chosen].contents, parts.records[chosen].contents.size() + 64); break;
  }
  const std::string bytes = parts.bytes();
  if (bytes.size() > max_size) return LLVMFuzzerMutate(data, size, max_size);
  std::copy(bytes.begin(), bytes.end(), data);
  return bytes.size();
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const test::Folder folder;
  static const std::string path = (folder.path() / "journal").string();
  test::write_file(path, fuzz::text_of(data, size));
  const auto part = Journal::open_part(path);
  const auto* const read = std::get_if<std::unique_ptr<Journal>>(&part);
  if (read == nullptr) return 0;
  const Journal& journal = **read;
  for (const auto& entry : journal.entries()) {
    const auto chunk = journal.read(entry);
    if (chunk)
      promise(decode(read_record(encode(journal.id(), *chunk), &journal.id())->contents).has_value(),
              "a chunk is read as it is written");
  }
  write_all_formats(journal);

  const StudyDescription study = journal.study();
  const auto resumed = Journal::open(path, study, journal.shard(), Journal::Opening::resume, PointLimits{1e9, 1});
  if (const auto* const again = std::get_if<std::unique_ptr<Journal>>(&resumed))
    promise((*again)->done().count() <= study.points, "no more is done than there is");
  else
    promise(std::get<JournalTrouble>(resumed).kind != JournalTrouble::Kind::other_part,
            "a part goes on as the same part");
  return 0;
}
