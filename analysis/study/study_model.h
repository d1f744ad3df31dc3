// A model as a function of some of its parameters: columns of their values in, columns of what is shown out. What every
// question about many points asks: a study, a fit, an optimisation, a comparison.
#pragma once

#include "analysis/study/clauses.h"
#include "analysis/study/points.h"
#include "analysis/tables/table.h"
#include "analysis/value_table.h"
#include "backend/engine.h"
#include "frontend/lower/lower.h"

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <variant>
#include <vector>

namespace wave::analysis {

// What varies: a parameter of the model, "n" or "net.L", or a name that the `set`s of a study read.
struct Variable {
  std::string name;
  frontend::TypeRef type;
  std::optional<frontend::Unit> unit;  // as the first listed value is written
  frontend::Location location;
  std::string doc;
  // A machine, an order, a list: values are ordinals of `labels`, each has a system of its own. Never without a list.
  bool shapes = false;
  std::vector<std::string> labels;  // as written: "SP2_C()"; of strings their texts
  // What `vary` lists, in its order, or the column of a table of rows; none where the name alone was given.
  std::optional<ColumnValues> listed;
  // Of a parameter: its default, or what -D gives, and its declared range. None where it has none.
  std::optional<double> usual, lower, upper;
};

// Reports a variable that is a name alone, which gives no values.
void report_unlisted(const Variable& variable, const std::string& label, const std::string& help,
                     frontend::Diagnostics& diagnostics);

struct Shown {
  std::string name;
  frontend::TypeRef type;
  std::optional<frontend::Unit> unit;
  std::string doc;
  frontend::Location location;
};

class StudyModel {
 public:
  using EngineMaker = std::function<std::unique_ptr<backend::Engine>(const ir::System&)>;

  // `study` is a checked study of `program`, declared in it or asked for (frontend/check/program.h); all outlive the
  // object. 0 threads: as many as the machine has. Null, with diagnostics, where it cannot be evaluated at all.
  static std::unique_ptr<StudyModel> make(const frontend::Program& program, const frontend::Item& study,
                                          std::vector<frontend::Override> overrides, EngineMaker engines, int threads,
                                          const backend::Limits& limits, frontend::Diagnostics& diagnostics,
                                          frontend::StudyAsks asks = frontend::StudyAsks::results,
                                          StudySampling sampling = {});
  virtual ~StudyModel() = default;

  virtual const std::vector<Variable>& variables() const = 0;
  virtual const std::vector<Shown>& shown() const = 0;
  // Which points of the product of what the variables list the study has: all, unless somebody chose. Of a model that
  // was given rows: which of these.
  const Selection& selection() const { return selection_; }
  void select(Selection points) { selection_ = std::move(points); }
  // The system of the first values, with its parameters: for their documentation, sources and values.
  virtual const frontend::Lowered& lowered() const = 0;
  // How many values of it are drawn.
  virtual std::size_t drawn() const { return 0; }

  // The rows of a table are the points from now on. No variable is listed yet, and `columns` are theirs, in their
  // order; strings count in `words`.
  virtual void list_rows(std::vector<VaryingColumn> columns, const std::vector<std::string>& words) = 0;
  // All of its points, for whoever evaluates them once. Rows of a table are moved out: the variables list nothing from
  // now on.
  virtual std::vector<ColumnValues> take_points() = 0;

  // The system of a choice of every variable that shapes (their ordinals, in the order of the variables), with the
  // definitions of those that do not. Null where it cannot be made. Stays until other systems have been asked for.
  virtual const frontend::LoweredStudy* system(std::span<const std::size_t> choices) = 0;

  // Values of all variables, column by column, listed or not, to what is shown: one row for each point, in their order.
  // Points share nothing; the same point gives the same bits in whatever company. A failure: out of time or memory, no
  // rows.
  virtual std::variant<ResultTable, ir::Failure> evaluate(
      std::vector<ColumnValues> points, const backend::Limits& limits,
      const std::function<void(std::size_t rows)>& progress = {}) = 0;

  // How the first system is evaluated, for whoever asks: by which engine (null: by none), and how its rows go.
  virtual const backend::Engine* engine() const { return nullptr; }
  virtual std::string schedule() const { return {}; }

 private:
  Selection selection_;
};

// The product of what the variables list, the first varying slowest, or the rows that they list; or the points of these
// that are selected.
class Product {
 public:
  // Both outlive the object.
  explicit Product(const std::vector<Variable>& variables, const Selection& selection = everything);
  explicit Product(const StudyModel& model) : Product(model.variables(), model.selection()) {}
  // The number of points; 2^64 - 1 where it is more.
  std::uint64_t size() const { return size_; }
  // The points begin <= i < end.
  std::vector<ColumnValues> points(std::uint64_t begin, std::uint64_t end) const;

 private:
  static const Selection everything;
  const std::vector<Variable>& variables_;
  const Selection& selection_;
  std::uint64_t size_ = 1;
};

}  // namespace wave::analysis
