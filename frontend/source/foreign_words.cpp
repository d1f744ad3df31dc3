#include "frontend/source/foreign_words.h"

#include <algorithm>
#include <cctype>
#include <map>

namespace wave::frontend {
namespace {

constexpr std::string_view no_background =
    "collectives do not run in the background; a `procedure` of `isend` and `irecv` does, until its caller comes to "
    "`waitall`; names that it gives with `as` are its own";
constexpr std::string_view no_first =
    "what comes first has no statement, because nothing looks at a time; `wait a` waits for all operations of that "
    "name";
constexpr std::string_view one_sided = "a message comes near to it, with `barrier()` where all have to be done";
constexpr std::string_view uneven =
    "with uneven parts it is a `procedure` of messages, `send s to P[k]` and `recv from P[1]`";
constexpr std::string_view mode = "whether a send waits is said by the machine's protocols: write `send s to [i+1]`";
constexpr std::string_view number =
    "the processes are those of a grid, `grid P[r: n]`: `n` is their number, and `r` counts from 1";
constexpr std::string_view group =
    "a collective of a part of the grid is called `along i`, `within node` or `across node`";
constexpr std::string_view shared =
    "protocols and functions of machines ask `within node`, a model `within(node, P[i-1], P[i])`; the levels of a grid "
    "say "
    "who shares a node";
constexpr std::string_view clock =
    "a program cannot read the time: `phase \"name\" { ... }` gives a name to a part of it, and `p.phase(\"name\")` is "
    "its time";
constexpr std::string_view printed = "what `output name = ...` and `show` name is printed";
constexpr std::string_view by_cases =
    "a value is chosen by `when { condition: value; else: value }`, or by `if c then a else b`";
constexpr std::string_view value_of_body = "the value of a function is its body: `fn f(x: int): int = x + 1`";
constexpr std::string_view loops =
    "`repeat k { ... }` and `for x in xs { ... }` repeat statements; how often does not depend on a time";
constexpr std::string_view defined =
    "a value is named by `let x = ...`, and what is given from outside by `param x: int = 1`";
constexpr std::string_view list = "a list is made by `[f(x) for x in xs if p]`";

const std::vector<ForeignWord>& table() {
  // clang-format off
  static const std::vector<ForeignWord> all{
      // Messages of MPI.
      {"ssend", {}, mode}, {"bsend", {}, mode}, {"rsend", {}, mode},
      {"issend", {}, "whether a send waits is said by the machine's protocols: write `isend s to [i+1] as out`"},
      {"sendrecv", {}, "a message says where it goes, and where the other comes from: `sendrecv 8 B to [i+1] from [i-1]`"},
      {"isendrecv", {}, "write `isend s to [i+1] as out` and `irecv s from [i-1] as ghost`, and `wait` for both"},
      {"sendrecvreplace", {}, "write `sendrecv s to [i+1] from [i-1]`; of all processes `circular_shift(s)`"},
      {"sendinit", {}, "a persistent request costs what its machine says: write `isend s to [i+1] as out`"},
      {"recvinit", {}, "a persistent request costs what its machine says: write `irecv s from [i-1] as ghost`"},
      {"waitany", {}, "`waitany a, b` stands without parentheses, for what `irecv ... as a` began: it goes on with the first"},
      {"waitsome", {}, "`waitany a, b` goes on with the first that ends"},
      {"testall", {}, no_first}, {"testany", {}, no_first},
      {"probe", {}, no_first}, {"iprobe", {}, no_first}, {"cancel", {}, no_first},
      {"anysource", {}, "the sender of a message does not depend on time: write where it comes from, `recv from [i-1]`"},
      {"anytag", {}, "the tag of a message does not depend on time: write `tag k`, or leave it out"},
      {"procnull", {}, "a message to a neighbour off the grid is not sent, and not received"},
      {"put", {}, one_sided}, {"get", {}, one_sided}, {"accumulate", {}, one_sided}, {"winfence", {}, one_sided},
      {"pack", {}, "packing is a time: `compute(t)`"}, {"unpack", {}, "unpacking is a time: `compute(t)`"},
      // Statements that look like calls there.
      {"wait", {}, "`wait a` stands without parentheses, for what `irecv ... as a` began"},
      {"waitall", {}, "`waitall` stands without parentheses"},
      {"send", {}, "a message says where it goes: `send 8 B to [i+1]`"},
      {"isend", {}, "a message says where it goes: `isend 8 B to [i+1] as out`"},
      {"recv", {}, "a receive says where from: `recv 8 B from [i-1]`"},
      {"irecv", {}, "a receive says where from: `irecv 8 B from [i-1] as ghost`"},
      {"receive", {}, "a receive says where from: `recv 8 B from [i-1]`"},
      {"phase", {}, "a phase has braces: `phase \"name\" { ... }`"},
      {"repeat", {}, "what is repeated stands in braces: `repeat k { ... }`"},
      {"busy", {}, "a process computes by `compute(t)`; `busy t` stands in a protocol"},
      {"sleep", {}, "time passes by `compute(t)`"}, {"usleep", {}, "time passes by `compute(t)`"},
      // Collectives.
      {"bcast", {"broadcast"}}, {"alltoall", {"total_exchange"}}, {"alltoallw", {"alltoallv"}},
      {"allgatherv", {"allgather"}, uneven}, {"gatherv", {"gather"}, uneven}, {"scatterv", {"scatter"}, uneven},
      {"reducescatter", {"reduce_scatter"}}, {"reducescatterblock", {"reduce_scatter"}}, {"exscan", {"scan"}},
      {"cartshift", {"circular_shift"}},
      {"neighboralltoall", {}, "an exchange with neighbours is `isend s to [i+1]`, `irecv s from [i-1] as ghost` and so on, and `waitall`"},
      {"ibarrier", {}, no_background}, {"ibcast", {}, no_background}, {"ireduce", {}, no_background},
      {"iallreduce", {}, no_background}, {"igather", {}, no_background}, {"iscatter", {}, no_background},
      {"iallgather", {}, no_background}, {"ialltoall", {}, no_background}, {"ialltoallv", {}, no_background},
      {"ireducescatter", {}, no_background}, {"iscan", {}, no_background},
      // Who takes part, and who shares what.
      {"commsize", {}, number}, {"commrank", {}, number}, {"nprocs", {}, number}, {"numprocs", {}, number},
      {"myrank", {}, number}, {"myid", {}, number},
      {"rank", {}, "a process knows its indices, `i` of `grid P[i: n]`; `rank` is known in the levels of a grid, and `sender.rank` in a protocol"},
      {"commsplit", {}, group}, {"commworld", {}, group}, {"communicator", {}, group},
      {"local", {}, shared}, {"islocal", {}, shared}, {"samenode", {}, shared}, {"onnode", {}, shared}, {"intranode", {}, shared},
      {"internode", {}, shared}, {"remote", {}, shared},
      {"within", {}, "protocols know `within`, the innermost level that both ends share; functions take it as an argument, `within: level`"},
      {"wtime", {}, clock}, {"time", {}, clock}, {"clock", {}, clock},
      {"tile", {}, "`tile` is known inside a `sweep` only"}, {"corner", {}, "`corner` is known inside a `sweep` only"},
      // Functions.
      {"log", {"ln", "log10", "log2"}}, {"pow", {}, "powers are written `a ^ b`"}, {"ceiling", {"ceil"}}, {"fabs", {"abs"}},
      {"trunc", {}, "`floor`, `ceil` and `round` make an int of a real"},
      {"float", {}, "an int becomes real by itself where one is due"}, {"double", {}, "an int becomes real by itself where one is due"},
      {"str", {}, printed}, {"print", {}, printed}, {"printf", {}, printed}, {"println", {}, printed},
      {"len", {"count"}}, {"length", {"count"}}, {"sizeof", {}, "sizes are quantities, `8 B * n`"},
      {"mean", {}, "write `sum(x in xs: x) / count(xs)`"}, {"average", {}, "write `sum(x in xs: x) / count(xs)`"},
      {"range", {}, "write `1..n`, `1..n by 2` or `1..n by *2`, with both ends included"},
      {"map", {}, list}, {"filter", {}, list}, {"append", {}, list},
      {"minby", {"argmin"}}, {"maxby", {"argmax"}},
      {"assert", {}, "`require c, \"message\"` stands in a model or a machine, `expect c` in a test"},
      {"null", {}, "each value has its type, and none is missing; `none` is the level that is not shared"},
      {"inf", {}, "there is no literal for infinity; write a large number, `1e300`"},
      // What begins declarations and statements elsewhere.
      {"def", {}, value_of_body}, {"function", {}, value_of_body}, {"func", {}, value_of_body}, {"return", {}, value_of_body},
      {"var", {}, defined}, {"const", {}, defined}, {"val", {}, defined},
      {"struct", {}, "a record is declared by `type R { a: int, b: time }`"}, {"class", {}, "a record is declared by `type R { a: int, b: time }`, and what computes by `model M { ... }`"},
      {"enum", {}, "the words of a choice are its type, `param s: fixed | dynamic = fixed`"},
      {"while", {}, loops}, {"loop", {}, loops}, {"do", {}, loops},
      {"switch", {}, by_cases}, {"match", {}, by_cases}, {"case", {}, by_cases}, {"elif", {}, "write `else if c { ... }`"},
  };
  // clang-format on
  return all;
}

}  // namespace

std::span<const ForeignWord> foreign_words() { return table(); }

std::string plain_word(std::string_view written) {
  std::string result;
  for (const char c : written) {
    if (c != '_') result += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  }
  return result.rfind("mpi", 0) == 0 ? result.substr(3) : result;
}

const ForeignWord* find_foreign_word(std::string_view written) {
  static const auto by_word = [] {
    std::map<std::string_view, const ForeignWord*> result;
    for (const ForeignWord& one : table()) result.emplace(one.word, &one);
    return result;
  }();
  const auto found = by_word.find(plain_word(written));
  return found == by_word.end() ? nullptr : found->second;
}

}  // namespace wave::frontend
