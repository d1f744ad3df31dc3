// The tree of a module. Nodes are plain structs in closed variants; the parser builds them, the checker
// fills in the fields marked [checked], nobody else changes them.
#pragma once

#include "frontend/ast/types.h"
#include "ir/location.h"
#include "ir/scalar.h"

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <variant>
#include <vector>

namespace wave::frontend {

using ::wave::Location;
struct Expr;
struct Statement;
struct Item;
struct Module;
using ExprPtr = std::unique_ptr<Expr>;
using Block = std::vector<std::unique_ptr<Statement>>;

// The nodes of the tree are read as a table, a line each.
// clang-format off

struct Identifier { std::string text; Location location; };

// ---- types as written -------------------------------------------------------------------------------

struct TypeExpr;
using TypeExprPtr = std::unique_ptr<TypeExpr>;
namespace type_expr {
// `time/data`, `1/time`, `work*time^-2`; a single word may also be int, real, bool, string, order, corner,
// axis, a record, an interface, a machine or a model, `comm.Machine` among them.
struct Power { std::vector<Identifier> path; int exponent = 1; };   // empty path: the number 1
struct Product { std::vector<Power> factors; };                     // divisors have negative exponents
struct Choice { std::vector<Identifier> words; };
struct List { TypeExprPtr element; };
struct Table { std::vector<TypeExprPtr> keys; TypeExprPtr value; };
struct Function { std::vector<std::pair<Identifier, TypeExprPtr>> parameters; TypeExprPtr result; };
struct With { TypeExprPtr base; std::vector<std::pair<Identifier, TypeExprPtr>> parameters; };  // Machine { L: time }
}  // namespace type_expr
// Nodes are made and dropped by functions of ast.cpp: few files compile how, though most drop a node somewhere.
struct TypeExpr {
  TypeExpr();
  ~TypeExpr();
  Location location;
  std::variant<type_expr::Product, type_expr::Choice, type_expr::List, type_expr::Table, type_expr::Function,
               type_expr::With>
      node;
};

// ---- expressions --------------------------------------------------------------------------------------

enum class UnaryOperator { negate, logical_not, plus };
enum class BinaryOperator {
#define WAVE_OPERATOR(name, ...) name,
#include "frontend/ast/operators.def"
};
enum class ReduceOperator {
#define WAVE_REDUCTION_WORD(name, kind) name,
#include "frontend/ast/operators.def"
};
enum class OtherFunction {
#define WAVE_OTHER_FUNCTION(name) name,
#include "frontend/ast/operators.def"
};
// A function of a number, of a list, or another (frontend/ast/operators.h).
using LanguageFunction = std::variant<ir::UnaryOp, ReduceOperator, OtherFunction>;

// A unit expression as written, `us/B`: unit names with exponents.
struct Unit {
  std::vector<std::pair<Identifier, int>> factors;
  Location location;
  std::string text;      // as written, `us/B`
};

// `x in xs if p`; a comprehension or a reduction may have several.
struct Binder { Identifier name; ExprPtr list; ExprPtr filter; };
struct Argument { std::optional<Identifier> name; ExprPtr value; };

// What a name means [checked].
namespace target {
struct Unresolved {};
struct Local {};                    // parameter of a fn, binder, index, local `let`, loop variable: the innermost one
struct Member {};                   // of the enclosing machine or model (test: none): param, let, fn, rec, grid, ...
struct Global { const Item* item; };            // an item of this or another module
struct ImportedModule { const Module* module; };  // `ibm_sp2` in `ibm_sp2.SP2`
struct Builtin { LanguageFunction function; };  // abs, floor, sqrt, full_fills, error, ...
struct ChoiceWord { std::size_t ordinal; };
struct LevelWord {};                // `node`, `none` where a level is expected
struct AxisName {};                 // `i` where an axis is expected: one of the grid around, or a parameter
struct CornerName {};               // NW NE SW SE
struct Super { const Item* base; };   // `super` in a machine: what it extends
}  // namespace target
using Target = std::variant<target::Unresolved, target::Local, target::Member, target::Global, target::ImportedModule,
                            target::Builtin, target::ChoiceWord, target::LevelWord, target::AxisName, target::CornerName,
                            target::Super>;

namespace expr {
struct Integer { std::string text; std::int64_t value; };     // out of range is the parser's error
// The number with its unit; `value` is in base units (ps, B, flop), the double nearest the exact decimal.
struct Number { std::string text; std::optional<Unit> unit; double value; Dimension dimension; };
struct Uncertain { ExprPtr mean, deviation; };                // `23 us ± 1 us`; the mean is used
struct Boolean { bool value; };
struct String { std::string value; };
// An empty text stands for an expression that was not understood: reported already, of type Unknown.
struct Name { std::string text; Target target; };
struct Unary { UnaryOperator op; ExprPtr operand; };
struct Binary { BinaryOperator op; ExprPtr left, right; Location op_location; };
struct If { ExprPtr condition, then_value, else_value; };
struct When { std::vector<std::pair<ExprPtr, ExprPtr>> arms; ExprPtr otherwise; };   // `else` may be missing
// A function, a machine or model (a value, or the same with parameters replaced), a record, a member.
// max(a, b), min(a, b) and int(x) are calls as well.
struct Call { ExprPtr callee; std::vector<Argument> arguments; };
// target: Global for `ibm_sp2.SP2`, else Unresolved
struct Member { ExprPtr object; Identifier name; Target target; };
struct Index { ExprPtr object; std::vector<Argument> indices; };     // xs[1], start[n, m], P[i-1, j], total[procs = 4]
struct List { std::vector<ExprPtr> elements; };
// 1..n, `by k`, `by *2`; `0 us..` (a range of values) lacks last
struct Range { ExprPtr first, last, step; bool geometric = false; };
struct Comprehension { ExprPtr element; std::vector<Binder> binders; };
struct Reduce { ReduceOperator op; std::vector<Binder> binders; ExprPtr body; };   // no body: count(i in 1..n if p)
struct SignTuple { std::vector<bool> rising; };               // (+,-): + starts at the low end
struct TableLiteral {
  std::vector<std::pair<ExprPtr, ExprPtr>> entries;
  std::string interpolation; bool extend = false;
  ExprPtr otherwise;                       // the value of all other keys; then there is no interpolation
};
struct TableFile {
  Identifier path;                         // the string's contents, its location
  std::vector<Identifier> keys;            // column names
  std::vector<Identifier> values;          // one, or those in brackets: `value [neighbour, bytes]`
  bool has_rows = false;                   // in brackets: each key has a list of rows
  std::string interpolation; bool extend = false;
  ExprPtr otherwise;                       // as above
  std::string text;                        // [checked] the contents of the file
  std::shared_ptr<Item> row;               // [checked] a record of the columns in brackets
};
struct Within { ExprPtr shared; Identifier level; };           // `within node`: `shared` is the name `within`
struct Flops { Block body; };              // statements: Assign, For, If, Evaluate
struct Conversion { Identifier type; ExprPtr operand; };   // `(float) i`, in flop counts only
// ab initio `default` in `set Wg = default / 1.25` is a Name with the text "default".
}  // namespace expr

struct Expr {
  Expr();
  ~Expr();
  Location location;
  std::variant<expr::Integer, expr::Number, expr::Uncertain, expr::Boolean, expr::String, expr::Name, expr::Unary,
               expr::Binary, expr::If, expr::When, expr::Call, expr::Member, expr::Index, expr::List, expr::Range,
               expr::Comprehension, expr::Reduce, expr::SignTuple, expr::TableLiteral, expr::TableFile, expr::Within,
               expr::Flops, expr::Conversion>
      node;
  TypeRef type;          // [checked]; in the body of a fn with untyped parameters, of the last call
  TypeRef narrower;      // [checked]; null, or the choice whose words it gives, where one with more words is wanted
  bool parenthesised = false;
};

// ---- statements of processes, protocols and flop counts -------------------------------------------------

// Where a message goes: upwind i, downwind (i, j), [i+1, j], [i+1], P[e].
struct Neighbourhood {
  enum class Kind { upwind, downwind, offset, absolute } kind{};
  std::vector<Identifier> axes;        // upwind, downwind; [checked] of an offset that does not write all: of its indices
  std::vector<ExprPtr> indices;        // offset, absolute
  Identifier grid;                     // absolute
  Location location;
};

namespace statement {
struct Let { Identifier name; TypeExprPtr type; ExprPtr value; };
struct Compute { ExprPtr time; };
struct Hold { ExprPtr size; Identifier memory; bool is_released = false; };   // hold(s, "name"), release(s, "name")
struct Message {
  enum class Kind { send, receive } kind{};
  bool background = false;             // isend, irecv
  ExprPtr size;                        // may be missing for a receive
  Neighbourhood peer;
  ExprPtr tag;                         // optional
  std::optional<Identifier> handle;    // `as a`; without a location: of `sendrecv`
};
struct Wait { Identifier handle; };
struct WaitAll {};
struct WaitAny { std::vector<Identifier> handles; };
// corners: `from {NW, NE}`, all at once
struct Sweep { ExprPtr order; std::vector<ExprPtr> corners; ExprPtr tiles; Block body; };
struct Repeat { ExprPtr count; Block body; };
struct For { Identifier variable; ExprPtr list; Block body; };
struct If { ExprPtr condition; Block then_body, else_body; };
// A list of tasks, in loops and conditions or by themselves; `receives` are messages in the background without names.
struct Ready { Block body; };
struct Task { Block receives; ExprPtr priority; Block body; };    // priority: null, 0
struct Phase { Identifier name; Block body; };                   // the string's contents
// A procedure or a collective.
// Of all processes, or of those on a line along an axis; those that share a level, or one from each of these groups.
struct Call {
  ExprPtr callee; std::vector<Argument> arguments;
  enum class Among { all, along, within, across } among = Among::all;
  Identifier of;                       // the axis or the level
};
struct Busy { ExprPtr time; };
// `via nic for g`, `via uplink[k] for h`, `acquire rx for g`.
struct Use { Identifier resource; ExprPtr index; ExprPtr occupied; };
struct Emit { Identifier signal; std::vector<Use> uses; ExprPtr after; };    // each is asked for when the one before begins
struct Await { Identifier signal; std::vector<Use> uses; ExprPtr after; };   // after: null, 0
struct Sent { Identifier signal; ExprPtr after; };                           // `await sent x`; null: until its last use is over
struct Acquire { Use use; };
struct Arrival { Identifier signal; std::optional<Use> use; ExprPtr time; };      // `on arrival`
struct Assign { ExprPtr target; ExprPtr value; };                 // flop counts only: A[2*i] = (float) i + 3.0
struct Evaluate { ExprPtr value; };                              // flop counts only
}  // namespace statement

struct Statement {
  Statement();
  ~Statement();
  Location location;
  std::variant<statement::Let, statement::Compute, statement::Hold, statement::Message, statement::Wait, statement::WaitAll,
               statement::WaitAny, statement::Ready, statement::Task, statement::Sweep, statement::Repeat, statement::For,
               statement::If, statement::Phase, statement::Call,
               statement::Busy, statement::Emit, statement::Await, statement::Sent, statement::Acquire,
               statement::Arrival, statement::Assign, statement::Evaluate>
      node;
};

// ---- declarations ------------------------------------------------------------------------------------------

struct LocalLet { Identifier name; TypeExprPtr type; ExprPtr value; };
struct Parameter { Identifier name; TypeExprPtr type; ExprPtr default_value; };   // of fn, protocol, collective

// `X` or `X as Y`, between the braces of an import.
struct ImportedName {
  Identifier name;
  std::optional<Identifier> alias;
  const Identifier& here() const { return alias ? *alias : name; }
};

namespace item {
struct Import {
  std::optional<std::string> file;     // "./grid.wave"
  std::vector<Identifier> path;        // std.machines.ibm_sp2
  Location path_location;
  std::optional<Identifier> alias;
  std::vector<ImportedName> names;     // { Machine, SP2 as Cluster }
  bool selective = false;
  bool exported = false;               // `export import`: who imports this module finds in it what it imports here
  bool is_broken = false;              // by a syntax error: nothing is loaded, what it names stands for anything
  const Module* module = nullptr;      // [checked]
};
struct Param {
  TypeExprPtr type;
  ExprPtr default_value;               // may be missing
  ExprPtr lower, upper; bool has_range = false;    // `in 0 us..`
  std::optional<std::string> source;   // from "PPoPP'99, Table 1"
  bool is_override = false;            // `override param L: time = 5 us` in a machine that extends another
  TypeRef checked_type;                // [checked]
};
struct Let { TypeExprPtr type; ExprPtr value; bool is_override = false; TypeRef checked_type; };
struct Function {                      // without a body only in an interface
  std::vector<Parameter> parameters; TypeExprPtr result; std::vector<LocalLet> lets; ExprPtr body;
  bool is_override = false;
  TypeRef checked_type;                // [checked] types::Function; Any for parameters without a type
};
struct Record { std::vector<std::pair<Identifier, TypeExprPtr>> fields; std::vector<TypeRef> checked_types; };
struct Require { ExprPtr condition; ExprPtr message; };
struct Protocol {
  std::vector<Parameter> parameters; ExprPtr window; ExprPtr condition; Block sender, receiver;
  bool is_override = false;
};
struct Collective {
  std::vector<Parameter> parameters;
  enum class Root { none, from, to } root = Root::none;
  TypeExprPtr result; ExprPtr cost;                            // as a cost ...
  Identifier grid; std::vector<std::pair<Identifier, ExprPtr>> axes; Block algorithm;
  bool has_algorithm = false;          // ... or `on R[r: p] { ... }`
  bool is_override = false;
};
struct Levels { std::vector<Identifier> names; };        // `levels socket, node` of a machine, the innermost first
// `resource nic of node servers 2`, `resource uplink[k: 4] of switch`; without a level, of a process.
struct Resource { std::optional<Identifier> level; Identifier index; ExprPtr count, servers; bool is_override = false; };
struct WithMembers {
  std::vector<std::unique_ptr<Item>> members;
  std::unordered_map<std::string_view, std::vector<const Item*>> by_name;   // those of a name in their order
};
struct Interface : WithMembers {};                                   // Function, Collective
struct Machine : WithMembers {                                       // Param, Let, Function, Protocol, Resource, ...
  std::vector<Identifier> interface; std::vector<Identifier> base;   // paths; empty: none
  const Item* interface_item = nullptr;          // [checked]
  const Item* base_item = nullptr;               // [checked]
};
struct GridAxis { Identifier name; ExprPtr extent; bool wrap = false; };
// What processes of a grid share: those of a block of it, or those for which a value is equal.
struct GridLevel { Identifier name; std::vector<ExprPtr> blocks; ExprPtr value; };
struct Grid { std::vector<GridAxis> axes; std::vector<GridLevel> levels; };    // `nodes (2, 2)` is the level `node`
struct Recurrence {
  struct Axis { Identifier name; ExprPtr range; };   // range is missing with `over P`
  std::vector<Axis> axes; std::optional<Identifier> over; TypeExprPtr type;
  std::vector<LocalLet> lets; ExprPtr body; ExprPtr otherwise;
  TypeRef value_type;                  // [checked]
};
struct Process { Identifier grid; ExprPtr net; Block body; };
struct Procedure {
  std::vector<Parameter> parameters; Identifier grid; std::vector<std::pair<Identifier, ExprPtr>> axes; Block body;
};
struct Output {
  std::vector<Binder> indices;         // output load[q in 1..p] = ...
  ExprPtr value; std::optional<Unit> unit;
};
struct Model : WithMembers {};
struct Study {
  std::vector<Identifier> model;           // a path, `LU` or `lu.LU`
  const Item* model_item = nullptr;        // [checked]
  // "n", "net.L"; [checked] the type of one value; no values: from elsewhere. What may be an interval (only where it is
  // asked for) is one if its values are a range of reals without steps; [checked] they are a list of both ends then.
  struct Vary {
    Identifier name; ExprPtr values; TypeRef type;
    bool may_be_interval = false, is_interval = false;
  };
  struct Set { Identifier name; ExprPtr value; };
  struct Show { std::optional<Identifier> name; ExprPtr value; std::optional<Unit> unit; };
  // `plot a, b vs n`: lines of several results; `plot a vs n, m`: a map over two.
  struct Plot { std::vector<ExprPtr> y, x; std::optional<Identifier> by; std::vector<Identifier> scales; };   // on log, log
  struct Measured { Identifier file; Identifier on; };
  std::vector<Vary> vary; std::vector<Set> set; std::vector<Show> show;
  std::vector<Plot> plot; std::vector<Measured> measured;
  std::vector<ExprPtr> where;              // what holds at its points; only where it is asked for
};
// `expect a == b within t for i in 1..n`
struct Expect { Location location; ExprPtr condition; ExprPtr tolerance; std::vector<Binder> binders; };
struct Test { std::vector<LocalLet> lets; std::vector<Expect> expects; };
// A declaration with a syntax error: it stands for anything, and whatever names it keeps quiet.
struct Unknown {};
}  // namespace item

struct Item {
  Item();
  ~Item();
  Location location;                         // the whole declaration
  Identifier name;                     // empty text for imports and requires; the string of a test
  std::string doc;                     // from `///`
  std::variant<item::Import, item::Param, item::Let, item::Function, item::Record, item::Require, item::Protocol,
               item::Levels, item::Resource, item::Collective, item::Interface, item::Machine, item::Grid, item::Recurrence, item::Process,
               item::Procedure, item::Output, item::Model, item::Study, item::Test, item::Unknown>
      node;
  const Module* module = nullptr;      // set by the parser's caller
  const Item* owner = nullptr;         // the machine, model or interface that it is a member of
};

struct Module {
  Module();
  ~Module();
  std::uint32_t file = Location::no_file;
  std::string name;                    // "std.comm", or the path
  std::string key;                     // the same, but without links in a path: a module has one
  std::string folder;                  // data files are read below it; empty for the standard library and stdin
  std::string doc;
  std::optional<int> edition;
  std::vector<std::unique_ptr<Item>> items;
  // [checked] What others declare and this one hands on, by its name here, and where.
  struct HandedOn { const Item* item; Location place; };
  std::map<std::string, HandedOn> handed_on;
  bool hands_on_unknown = false;       // [checked] also what was not found
  // The first declaration of each name that other modules can import.
  std::unordered_map<std::string_view, const Item*> by_name;
  // The declarations around syntax errors, or the errors themselves if they are outside of declarations, as they stand
  // in the text. Nothing else is said about them. If there is one, names may be missing that the text declares.
  std::vector<Location> broken;
};

// Whether it is this name and nothing else.
inline bool is_name(const Expr& e, const std::string& text) {
  const auto* name = std::get_if<expr::Name>(&e.node);
  return name && name->text == text;
}

// clang-format on

}  // namespace wave::frontend
