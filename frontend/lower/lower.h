// Turns a checked program into a constraint system. Machines, models, functions and lists are resolved here. What is
// left are scalars and events. Scalar parameters stay run-time arguments.
#pragma once

#include "frontend/check/program.h"
#include "ir/system.h"

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace wave::frontend {

// How to read and show the cells of a column.
struct ColumnInfo {
  std::string name;          // a record's field, or the output's name
  TypeRef type;              // int, real with a dimension, bool, string or choice
  std::optional<Unit> unit;  // `in ms`
};

// What is needed besides its site to describe a failure.
struct SiteNote {
  std::vector<TypeRef> operands;                     // the types of Failure::values; null where not known
  std::vector<std::optional<ir::Scalar>> constants;  // those values, as far as they are known before the run
  ir::TableId table;                                 // of outside_table
  // Of a parameter outside its range: which bound, and where its value comes from.
  enum class Bound { none, lower, upper } bound = Bound::none;
  enum class Origin { default_value, call, command_line } origin = Origin::default_value;
  Location value;
  std::string help;  // how to go on, where the kind of the failure does not say
  // Of a requirement that has a page of its own: that, and what is said at its place and at others.
  struct OwnPage {
    DiagnosticKind kind{};
    std::string label;
    std::vector<std::pair<Location, std::string>> labels;
  };
  std::optional<OwnPage> page;
};
using SiteNotes = std::map<std::uint32_t, SiteNote>;  // by the numbers of the sites

enum class RowsShape { single, series, list, record, records };
// Whether these rows are one: a single value, or a record.
constexpr bool is_one_row(RowsShape shape) { return shape == RowsShape::single || shape == RowsShape::record; }
// What a value of such a row is called: "total", of a record "costs.total".
inline std::string value_name(RowsShape shape, const std::string& output, const std::string& column) {
  return shape == RowsShape::record ? output + "." + column : output;
}

// A name at which `breakdown(x, by = [...])` cuts.
struct CutInfo {
  std::string name;
  ir::DefinitionId definition;  // not valid if it is a constant of the program
  int time = 1;                 // the exponent of time in its dimension
};

struct OutputInfo {
  std::string name;
  std::string doc;
  Location location;
  RowsShape shape{};
  std::vector<ColumnInfo> columns;  // those of a series begin with its indices
  ir::RootId root;                  // not valid if it failed
  // For `breakdown(x, by = [...])` the root is x alone. analysis/ finds its parts.
  bool is_breakdown = false;
  std::vector<CutInfo> cuts;
  std::optional<DiagnosticKind> failed;  // it could not be lowered, which has been reported
};

struct ExpectInfo {
  Location location;
  ir::RootId root;                       // with columns as below; not valid if it failed
  std::optional<DiagnosticKind> failed;  // it could not be lowered, which has been reported
  // Columns of the root: `holds` (boolean); for `a == b`, `a <= b` ... and `within`: left, right, tolerance.
  bool compares = false;
  bool has_tolerance = false;
  std::vector<ColumnInfo> columns;  // after `holds`: the binders, then left, right, tolerance
  std::size_t binders = 0;
};

struct TestInfo {
  std::string name;
  Location location;
  std::vector<ExpectInfo> expects;
};

// `-D name=expr`, checked by the caller with check_expression.
struct Override {
  std::string path;  // "n", "net.L"
  ExprPtr value;
  Location location;
};

struct ParameterInfo {
  std::string path;  // "n", "net.L"
  TypeRef type;
  std::string doc;
  std::string source;
  ir::DefinitionId definition;  // bindable; not valid for parameters that shape the system (machines, orders, lists)
  bool given = false;           // by -D
  const Item* owner = nullptr;  // the machine or model whose parameter it is
  bool is_asked = true;         // false if it shapes the system and nothing that was lowered has asked for it
};

// A literal that carries time, or a table of such values.
struct LiteralInfo {
  std::string text;  // as written: `23 us`
  Location location;
  int time = 1;                 // the exponent of time in its dimension
  ir::DefinitionId definition;  // of a literal: bindable
  ir::TableId table;            // of a table
};

struct ProcessInfo {
  std::string name;
  std::string doc;
  Location location;
  std::vector<std::string> axes;
  ir::ProcessId process;
  ir::RootId requirements;  // has one row, if the requirements of the model and its machines hold
};

// One operation of a statement in a `flops` block, with its kind and what it counts.
struct FlopOperation {
  std::string what;         // "+", "sqrt", "(float)"; "=" for an assignment that is all there is
  std::int64_t weight = 1;  // how many flop each counts
  std::int64_t count = 1;
};

// A statement of a `flops` block, or the head of a loop or a condition.
struct FlopsLine {
  enum class Kind { statement, loop, condition } kind{};
  Location location;
  int depth = 0;                          // how many loops and conditions are around it
  std::vector<FlopOperation> operations;  // each time it runs, in the order in which they are written
  std::vector<Location> loops;            // the heads of the loops around it, outermost first: `for k in 1..n`
};

struct FlopsInfo {
  std::string name;  // the name of what it is in: "smooth", "Sweep.work", a test's
  Location location;
  std::vector<FlopsLine> lines;
  // Has a row for each line with how often it counts: 0 in the cheaper branch, and its rounds for a loop. Not valid if
  // the rounds depend on the names below.
  ir::RootId root;
  std::vector<std::string> arguments;  // arguments of a function, or other local names, that rounds depend on
};

// A value written with its spread, `23 us ± 1 us`. It is the mean plus the deviation times a draw, which is 0 unless it
// is bound.
struct UncertainInfo {
  std::string text;       // as written
  Location location;      // there is one draw, wherever this is evaluated
  ir::DefinitionId draw;  // bindable, real; not valid where the value must be a constant (an entry of a table)
};

// What is known of a place in the text without being an output.
struct Observation {
  enum class Kind {
    value,    // of a parameter or a `let` of the model or machine, at its name
    order,    // of one of type `order`, or of a sweep: its `sweeps` and `full_fills`
    message,  // of a process: the cells of lower_costs(), between processes that share nothing
  } kind{};
  OutputInfo info;
};

struct Lowered {
  // Defined in lower.cpp: few files compile how a lowered program is dropped, though many hold one.
  Lowered();
  Lowered(Lowered&&) noexcept;
  Lowered& operator=(Lowered&&) noexcept;
  ~Lowered();

  ir::System system;
  SiteNotes notes;
  std::vector<std::string> words;  // strings, by the integer that stands for them; choices count by ordinal
  std::vector<ParameterInfo> parameters;
  std::vector<OutputInfo> outputs;
  std::vector<LiteralInfo> literals;
  std::vector<UncertainInfo> uncertain;
  std::vector<ProcessInfo> processes;
  std::vector<FlopsInfo> flops;
  std::vector<Observation> observations;
};

// What varies in a study.
struct StudyVariable {
  std::string name;  // "n", "net.L", or a name that a `set` reads
  TypeRef type;
  Location location;
  std::string doc;
  std::optional<Unit> unit;         // that of the first value, as written
  bool is_listed = false;           // its values stand in the study
  ir::RootId listed, count;         // one row for each value, if they are scalars; and their number
  bool shapes = false;              // machines, orders, lists: chosen before lowering
  std::vector<std::string> labels;  // the values of those, as written
  ir::DefinitionId definition;      // of a scalar: bindable. It has its usual value if unbound
  bool has_usual = false;           // a default, or given by -D
  ir::RootId lower, upper;          // the range of a parameter, as reals; not valid if it has none
};

struct LoweredStudy {
  Lowered model;  // outputs: what the study shows
  std::vector<StudyVariable> variables;
};

struct LoweringOptions {
  bool literals = false;   // literals that carry time are definitions, listed in `literals`
  bool processes = false;  // the model's processes are lowered even where no output asks for them, and listed
  bool uncertain =
      false;  // values written with `±` depend on draws, listed in `uncertain`. If false, they are their means
  bool observations = false;  // what editors show beside the text is listed in `observations`
  // Asked now and then. Once it says yes, the rest is abandoned as out of time. Empty: never.
  std::function<bool()> is_over = {};
};

// Lowers the outputs of a model with its parameters at their defaults or overridden. An error in one output leaves the
// others valid. A machine has no outputs, but may be observed.
Lowered lower_model(const Program& program, const Item& model, const std::vector<Override>& overrides,
                    Diagnostics& diagnostics, LoweringOptions options = {});

// A parameter whose value at the points of a study is asked for: varied, set, given by -D, or its default.
struct AskedParameter {
  std::string path;  // "n", "net.L"
  TypeRef type;
  Location location;           // who asks
  std::vector<ExprPtr> among;  // of a machine, an order, a list: is it this one? Checked against the type
};

// What is asked of a study: what it shows, whether each of its conditions holds, or what parameters are. At points that
// do not belong to a study, requirements of its model may be unmet. Only what is shown looks at those.
struct StudyAsks {
  enum class What { results, conditions, parameters } what{};
  // Of `parameters`; outlives whoever asks. A scalar has one column, `path`. What has `among` has one for each of them,
  // `path = text`, which says whether it is this one.
  const std::vector<AskedParameter>* parameters = nullptr;
  // Of `results`: values written with `±` depend on draws, listed in `uncertain`.
  bool draws = false;
  // Of `results`: how many of them, from the first on, have a value only where all that the model requires holds.
  std::size_t guarded = ~std::size_t{0};

  static const StudyAsks results, conditions;
  static StudyAsks values_of(const std::vector<AskedParameter>& parameters) { return {What::parameters, &parameters}; }
};
inline constexpr StudyAsks StudyAsks::results{};
inline constexpr StudyAsks StudyAsks::conditions{What::conditions};

// Lowers a checked study. For each variable that shapes the system, `choices` says by the variable's number which
// element is taken; if it does not, the first is.
LoweredStudy lower_study(const Program& program, const Item& study, const std::vector<Override>& overrides,
                         const std::vector<std::size_t>& choices, Diagnostics& diagnostics,
                         StudyAsks asks = StudyAsks::results);

// Lists the `flops` blocks of `owner`, a model or a machine of the main module with its parameters at their defaults or
// overridden. Without an owner, lists those outside of models and machines, tests included.
Lowered lower_flops(const Program& program, const Item* owner, const std::vector<Override>& overrides,
                    Diagnostics& diagnostics);

struct LoweredTests {
  ir::System system;
  SiteNotes notes;
  std::vector<std::string> words;
  std::vector<TestInfo> tests;
};
LoweredTests lower_tests(const Program& program, Diagnostics& diagnostics, LoweringOptions options = {});
// Observes the `let`s of the main module that are in no model and no machine.
Lowered observe_globals(const Program& program, Diagnostics& diagnostics, LoweringOptions options = {});

// Between which processes messages go: what both ends share, a level or `none`, and how many pairs of processes
// exchange one at once, as `net.total(s, within = ..., sharing = ...)` takes it.
struct CostOf {
  std::string within = "none";
  std::int64_t sharing = 1;
};
// For `wave cost`: a row of size, send, receive, total and the protocol's name for each size in a list expression
// (checked against [data]), on a machine with its parameters at their defaults or overridden.
Lowered lower_costs(const Program& program, const Item& machine, const Expr& sizes,
                    const std::vector<Override>& overrides, const CostOf& of, Diagnostics& diagnostics,
                    LoweringOptions options = {});

// The type of the parameter at a path, for `-D`. If the model has no such parameter: null, with a diagnostic that
// suggests the nearest.
TypeRef parameter_type(const Program& program, const Item& model, const std::string& path, Location location,
                       Diagnostics& diagnostics);

// Reports a failure of an engine as a diagnostic with its location.
void report(const ir::System& system, const std::vector<std::string>& words, const SiteNotes& notes,
            const ir::Failure& failure, Diagnostics& diagnostics);

}  // namespace wave::frontend
