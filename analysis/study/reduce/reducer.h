// What a reduction has found at some points of a study. Two of them over different points become that of all these
// points: the same bytes whoever found what, and in which order.
#pragma once

#include "analysis/study/reduce/chunk_values.h"
#include "analysis/study/reduce/reduction.h"

#include <memory>
#include <string>
#include <vector>

namespace wave::analysis {

struct ReducedColumn {
  Column column;
  Cells cells;
};
// The answer to a reduction.
struct ReducedTable {
  std::string name;                              // the reduction, as it was written
  std::uint64_t counted = 0, without_value = 0;  // points that went into it, and those that have no value for it
  std::vector<ReducedColumn> columns;
  std::size_t rows = 0;
};

class Reducer {
 public:
  // Both outlive the object.
  Reducer(const StudyDescription& study, const Reduction& reduction) : study_(study), reduction_(reduction) {}
  virtual ~Reducer() = default;
  Reducer(const Reducer&) = delete;
  Reducer& operator=(const Reducer&) = delete;

  virtual void take(const ChunkValues& chunk) = 0;
  // `other` is of the same reduction, in the same pass. It is not used any more.
  virtual void merge(Reducer& other) = 0;
  virtual void write(ByteWriter& writer) const = 0;
  // Into one that has taken nothing. False: these are no such bytes.
  virtual bool read(ByteReader& reader) = 0;
  virtual ReducedTable table() const = 0;
  // Why it found too much to keep; empty: it did not.
  virtual std::string trouble() const { return {}; }

  // Of a later pass that has seen all points: why it cannot be right; empty: it is.
  virtual std::string inconsistency() const { return {}; }

  // Of one that has seen all points: whether it must see them once more, what it looks for then, and who does. Nothing:
  // these are no such bytes.
  virtual bool needs_another_pass() const { return false; }
  virtual void write_plan(ByteWriter&) const {}
  virtual std::unique_ptr<Reducer> next(ByteReader&) const { return nullptr; }

 protected:
  const StudyDescription& study_;
  const Reduction& reduction_;
};

std::unique_ptr<Reducer> make_best(const StudyDescription& study, const Reduction& reduction);
std::unique_ptr<Reducer> make_pareto(const StudyDescription& study, const Reduction& reduction);
std::unique_ptr<Reducer> make_histogram(const StudyDescription& study, const Reduction& reduction);
std::unique_ptr<Reducer> make_groups(const StudyDescription& study, const Reduction& reduction);
std::unique_ptr<Reducer> make_quantiles(const StudyDescription& study, const Reduction& reduction);
std::unique_ptr<Reducer> make_reducer(const StudyDescription& study, const Reduction& reduction);

// Why groups cannot be made of these columns; empty: they can.
std::string trouble_of_groups(const StudyDescription& study, const Reduction& reduction);

// --- columns of answers ---

// Names of what is counted have blanks in them, as no parameter has.
ReducedColumn whole_column(const std::string& name, std::vector<std::int64_t> values);
// Values of a column of the study under another name, in base units; what is no number is missing.
ReducedColumn real_column(const Column& like, const std::string& name, std::vector<double> values);
// The same of keys (chunk_values.h), which are whole numbers where the column's are. 0: missing.
ReducedColumn key_column(const Column& like, const std::string& name, const std::vector<std::uint64_t>& keys);
// "at row", from 1 as in files, with what varies and what was found there.
std::vector<ReducedColumn> row_columns(const StudyDescription& study, const std::vector<const KeptRow*>& rows);

}  // namespace wave::analysis
