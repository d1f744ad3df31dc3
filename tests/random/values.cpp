// Writes expressions by their types. See values.h.
#include "tests/random/values.h"

#include <fmt/format.h>

#include <vector>

namespace wave::test {

namespace {

std::string failure(Choices& choose, int depth) {
  static const std::vector<std::string> messages = {"error(\"a\")", "error(\"b\")", "error(\"c\")"};
  const std::string one = choose.one_of(messages);
  if (depth == 0 || choose.chance(0.4)) return one;
  const std::string other = failure(choose, depth - 1);
  switch (choose.below(4)) {
    case 0: return fmt::format("(if k == {} then {} else {})", choose.between(1, 9), one, other);
    case 1: return fmt::format("(when {{ k == {}: {}; n0 > 9: {}; else: {} }})", choose.between(1, 9), one, other, one);
    case 2: return fmt::format("[{}, {}][if k == 9 then 1 else 2]", one, other);
    default: return fmt::format("(when {{ k > 9: {}; else: {} }})", other, one);
  }
}

std::string true_condition(Choices& choose) {
  static const std::vector<std::string> conditions = {"k < 9", "n0 > 0", "k * n0 < 99", "not (k == 9)"};
  return choose.one_of(conditions);
}

std::string false_condition(Choices& choose) {
  static const std::vector<std::string> conditions = {"k > 8", "n0 == 9", "k + n0 == 99", "(k == 9 and n0 > 0)"};
  return choose.one_of(conditions);
}

}  // namespace

std::string disguised(Choices& choose, const std::string& value) {
  const std::string fails = failure(choose, 2);
  const std::string inner = choose.chance(0.3) ? disguised(choose, value) : value;
  switch (choose.below(8)) {
    case 0: return fmt::format("(if {} then {} else {})", true_condition(choose), inner, fails);
    case 1: return fmt::format("(if {} then {} else {})", false_condition(choose), fails, inner);
    case 2:
      return fmt::format("(when {{ {}: {}; {}: {}; else: {} }})", true_condition(choose), inner,
                         false_condition(choose), fails, failure(choose, 1));
    case 3:
      return fmt::format("(when {{ {}: {}; {}: {}; else: {} }})", false_condition(choose), fails,
                         true_condition(choose), inner, failure(choose, 1));
    case 4: return fmt::format("[{}, {}][if {} then 1 else 2]", inner, fails, true_condition(choose));
    case 5: return fmt::format("[[{}], []][if {} then 1 else 2][1]", inner, true_condition(choose));
    case 6: return fmt::format("[[], [{}]][if {} then 1 else 2][1]", inner, false_condition(choose));
    default:
      return fmt::format("(if {} then [{}] else (if k == 9 then {} else []))[1]", true_condition(choose), inner, fails);
  }
}

namespace {

enum class Kind : std::uint8_t { integer, real, time, truth };

class ValueWriter {
 public:
  explicit ValueWriter(std::uint64_t seed) : choose_(seed), may_fail_(choose_.chance(0.3)) {}

  WrittenProcess program() {
    std::string text =
        "type Pair { n: int, x: real, t: time, on: bool, of: [int] }\n"
        "fn of_whole(a: int, b: real): int = when { a > 90: error(\"d\"); b > 900: (if a == 1 then error(\"e\") else "
        "error(\"f\")); else: a }\n"
        "fn of_real(a: real): real = if a > 900 then error(\"g\") else a + 1\n"
        "fn of_list(xs: [int]): int = if count(xs) == 0 then 0 else xs[1]\n"
        "fn as_it_is(x) = x\n"
        "fn of_word(c: red | green | blue): int = when { c == red: 1; c == blue: 3; else: 5 }\n"
        "let near = table { 1: 0.5, 2: 4.25, 7: -3 } else 1.5\n"
        "let pairs = table { 1: 2 us, 3: 7 us } else 4 us\n"
        "model M {\n  param k: int = 2\n  param n0: int = 1\n  param w: time = 3 us\n"
        "  let warm: red | green = if k == 2 then green else red\n"
        "  let any_word: blue | green | red = if n0 > 2 then blue else if k > 2 then red else green\n";
    static constexpr const char* names[] = {"ints", "reals", "times", "truths"};
    static constexpr const char* types[] = {"int", "real", "time", "bool"};
    for (std::size_t i = 0; i < 4; ++i)
      text += fmt::format("  let {}: [[{}]] = {}\n", names[i], types[i], lists(static_cast<Kind>(i), 2));
    has_lists_ = true;
    text += "  let pair: Pair = " + record(2) + "\n";
    for (const char* field : {"n", "x", "t", "on"}) text += fmt::format("  output pair_{0} = pair.{0}\n", field);
    text += "  output pair_of = pair.of\n";
    for (int i = 0; i < 8; ++i) text += fmt::format("  output o{} = {}\n", i, typed(static_cast<Kind>(i % 4), 4));
    for (int i = 0; i < 4; ++i) text += fmt::format("  output rows{} = {}\n", i, rows(static_cast<Kind>(i)));
    return {text + "}\n", {may_fail_ ? "values that may fail" : "values"}};
  }

 private:
  // A list with conditions that hold reductions, over ranges that are long enough for code of their own, or not.
  std::string rows(Kind kind) {
    static const std::vector<std::string> reductions = {"min", "max", "sum"};
    const std::string reduced =
        fmt::format("{}(p in 1..{}: ({} + 7) mod p)", choose_.one_of(reductions),
                    choose_.one_of(std::vector{3, 40, 300}), choose_.chance(0.5) ? "k" : "n0 * k");
    const std::string condition = fmt::format("{} < {}", reduced, choose_.between(1, 9));
    const auto one = [&] { return typed(kind, 2); };
    if (choose_.chance(0.5)) return fmt::format("if {} then [{}] else [{}, {}]", condition, one(), one(), one());
    return fmt::format("[{} for i in 1..k + 1 if {} or i == {}]", one(), condition, choose_.between(1, 3));
  }

  // Never unknown to the checker as a whole.
  std::string typed(Kind kind, int depth) {
    switch (kind) {
      case Kind::integer: return "0 * k + " + value(kind, depth);
      case Kind::real: return "1.5 + " + value(kind, depth);
      case Kind::time: return "1 ns + " + value(kind, depth);
      case Kind::truth: return "true and " + value(kind, depth);
    }
    return {};
  }

  std::string value(Kind kind, int depth) {
    if (may_fail_ && choose_.chance(0.04)) return failure(choose_, 2);
    if (depth <= 0) return leaf(kind);
    const auto same = [&] { return value(kind, depth - 1); };
    switch (choose_.below(10)) {
      case 0: return disguised(choose_, same());
      case 1: return fmt::format("(if {} then {} else {})", value(Kind::truth, depth - 2), same(), same());
      case 2: {
        const std::string condition = value(Kind::truth, depth - 2), first = same(), second = same();
        const std::string other = value(Kind::truth, depth - 2);
        return fmt::format("(when {{ {}: {}; {}: {}; else: {} }})", condition, first, other, second, same());
      }
      case 3: return element(kind, depth - 1);
      case 4: return field(kind, depth - 1);
      case 5: return kind == Kind::truth ? truth(depth) : "as_it_is(" + same() + ")";
      default: break;
    }
    switch (kind) {
      case Kind::integer: return integer(depth);
      case Kind::real: return real(depth);
      case Kind::time: return time(depth);
      case Kind::truth: return truth(depth);
    }
    return {};
  }

  std::string leaf(Kind kind) {
    switch (kind) {
      case Kind::integer:
        return choose_.chance(0.5) ? choose_.one_of(std::vector<std::string>{"k", "n0"})
                                   : fmt::format("{}", choose_.between(1, 9));
      case Kind::real: return fmt::format("{}.5", choose_.between(0, 9));
      case Kind::time: return choose_.chance(0.3) ? "w" : fmt::format("{} us", choose_.between(1, 9));
      case Kind::truth: return choose_.chance(0.5) ? "k == 2" : choose_.chance(0.5) ? "n0 < 3" : "true";
    }
    return {};
  }

  std::string integer(int depth) {
    const auto one = [&] { return value(Kind::integer, depth - 1); };
    switch (choose_.below(14)) {
      case 0: return fmt::format("({} + {})", one(), one());
      case 1: return fmt::format("({} - {})", one(), one());
      case 2: return fmt::format("(-{})", one());
      case 3: return fmt::format("max({}, {}, 1)", one(), one());
      case 4: return fmt::format("floor({})", value(Kind::real, depth - 1));
      case 5: return fmt::format("count({})", list(Kind::integer, depth - 1));
      case 6: return fmt::format("sum(x in {}: x)", list(Kind::integer, depth - 1));
      case 7: return fmt::format("of_whole({}, {})", one(), value(Kind::real, depth - 1));
      case 8: return fmt::format("of_list({})", list(Kind::integer, depth - 1));
      case 9: return fmt::format("{}(x in {}: abs(x - 3))", extreme(), literal(Kind::integer, depth - 1));
      case 10: return fmt::format("sum(a in 1..2, b in a..{} if a + b != 4: a * b + {})", choose_.between(0, 3), one());
      case 11: return fmt::format("of_word({})", word(depth));
      case 12: {
        if (may_fail_) return one();  // which filter fails first is not said
        return fmt::format("count(a in {} if a > 1, b in [a, {}] if b < 9)", list(Kind::integer, depth - 1), one());
      }
      default: return fmt::format("({} {} {})", one(), choose_.chance(0.5) ? "div" : "mod", choose_.between(1, 4));
    }
  }

  std::string real(int depth) {
    const auto one = [&] { return value(Kind::real, depth - 1); };
    switch (choose_.below(9)) {
      case 0: return fmt::format("({} + {})", one(), one());
      case 1: return fmt::format("({} * {})", one(), value(Kind::integer, depth - 1));
      case 2: return fmt::format("({} / 4)", value(Kind::integer, depth - 1));
      case 3: return fmt::format("min({}, {})", one(), value(Kind::integer, depth - 1));
      case 4: return fmt::format("({} / 1 us)", value(Kind::time, depth - 1));
      case 5: return fmt::format("sum(x in {}: x)", list(Kind::real, depth - 1));
      case 6: return fmt::format("near({})", choose_.chance(0.5) ? one() : value(Kind::integer, depth - 1));
      case 7: return fmt::format("{}(x in {}: (x - 1) * x)", extreme(), literal(Kind::real, depth - 1));
      default: return fmt::format("of_real({})", choose_.chance(0.5) ? one() : value(Kind::integer, depth - 1));
    }
  }

  std::string time(int depth) {
    const auto one = [&] { return value(Kind::time, depth - 1); };
    switch (choose_.below(7)) {
      case 0: return fmt::format("({} + {})", one(), one());
      case 1: return fmt::format("({} * {})", value(Kind::integer, depth - 1), one());
      case 2: return fmt::format("max(0 us, {}, {})", one(), one());
      case 3: return fmt::format("sum(x in {}: x)", list(Kind::time, depth - 1));
      case 4: return fmt::format("pairs({})", value(Kind::integer, depth - 1));
      case 5: return fmt::format("{}(x in {}: -x)", extreme(), literal(Kind::time, depth - 1));
      default: return fmt::format("({} * {})", value(Kind::real, depth - 1), one());
    }
  }

  std::string extreme() { return choose_.chance(0.5) ? "argmin" : "argmax"; }

  // Of three words, or of two where three are wanted.
  std::string word(int depth) {
    static const std::vector<std::string> words = {"warm", "any_word", "red", "blue"};
    if (choose_.chance(0.6)) return choose_.one_of(words);
    return fmt::format("(if {} then warm else any_word)", value(Kind::truth, depth - 1));
  }

  std::string truth(int depth) {
    const auto any = [&](Kind kind) { return value(kind, depth - 1); };
    static const std::vector<std::string> comparisons = {"<", "<=", ">", ">=", "==", "!="};
    const std::string op = choose_.one_of(comparisons);
    switch (choose_.below(7)) {
      case 0: return fmt::format("({} {} {})", any(Kind::integer), op, any(Kind::integer));
      case 1: return fmt::format("({} {} {})", any(Kind::real), op, any(Kind::integer));
      case 2: return fmt::format("({} {} {})", any(Kind::time), op, any(Kind::time));
      case 3: return fmt::format("(not {})", any(Kind::truth));
      case 4: return fmt::format("any(x in {}: x > 2)", list(Kind::integer, depth - 1));
      case 5:
        return fmt::format("({} {} any_word)", choose_.chance(0.5) ? "warm" : "any_word",
                           choose_.chance(0.5) ? "==" : "!=");
      default: return fmt::format("({} {} {})", any(Kind::truth), choose_.chance(0.5) ? "and" : "or", any(Kind::truth));
    }
  }

  std::string list(Kind kind, int depth) {
    static constexpr const char* names[] = {"ints", "reals", "times", "truths"};
    switch (choose_.below(5)) {
      case 0:
        if (!has_lists_) return literal(kind, depth);
        return fmt::format("{}[{}]", names[static_cast<std::size_t>(kind)], position(3));
      case 1:
        return fmt::format("(if {} then {} else {})", value(Kind::truth, depth - 2), literal(kind, depth),
                           literal(kind, depth - 1));
      case 2: return fmt::format("[{} for i in 1..{}]", value(kind, depth - 1), position(3));
      case 3:
        return fmt::format("(if {} then {} else {})", true_condition(choose_), literal(kind, depth),
                           failure(choose_, 1));
      default: return literal(kind, depth);
    }
  }
  std::string literal(Kind kind, int depth) {
    std::string text;
    for (std::size_t i = 1 + choose_.below(3); i > 0; --i) text += (text.empty() ? "" : ", ") + value(kind, depth - 1);
    return "[" + text + "]";
  }
  std::string lists(Kind kind, int depth) {
    std::string text;
    for (int i = 0; i < 3; ++i) {
      const std::string one = choose_.chance(0.3) ? "[]" : literal(kind, depth);
      text += (i ? ", " : "") + (may_fail_ && choose_.chance(0.1) ? failure(choose_, 1) : one);
    }
    return "[" + text + "]";
  }
  std::string position(int last) {
    const std::string any = fmt::format("{}", choose_.between(1, last));
    return choose_.chance(0.3)   ? disguised(choose_, any)
           : choose_.chance(0.5) ? fmt::format("(1 + k mod {})", last)
                                 : any;
  }
  std::string element(Kind kind, int depth) {
    static constexpr const char* names[] = {"ints", "reals", "times", "truths"};
    if (choose_.chance(0.5)) return fmt::format("{}[{}]", literal(kind, depth), position(may_fail_ ? 3 : 1));
    if (!may_fail_ || !has_lists_) return disguised(choose_, leaf(kind));
    return fmt::format("{}[{}][{}]", names[static_cast<std::size_t>(kind)], position(3), position(2));
  }

  std::string record(int depth) {
    return fmt::format("Pair(n = {}, x = {}, t = {}, on = {}, of = {})", value(Kind::integer, depth),
                       value(choose_.chance(0.5) ? Kind::real : Kind::integer, depth), value(Kind::time, depth),
                       value(Kind::truth, depth), choose_.chance(0.3) ? "[]" : literal(Kind::integer, depth));
  }
  std::string field(Kind kind, int depth) {
    static constexpr const char* fields[] = {"n", "x", "t", "on"};
    const std::string whole = record(depth - 1);
    const std::string other = choose_.chance(0.5) ? failure(choose_, 1) : record(depth - 2);
    return fmt::format(
        "({}).{}",
        choose_.chance(0.5) ? whole : fmt::format("if {} then {} else {}", true_condition(choose_), whole, other),
        fields[static_cast<std::size_t>(kind)]);
  }

  Choices choose_;
  const bool may_fail_;
  bool has_lists_ = false;  // those of the model are declared
};

}  // namespace

WrittenProcess random_values(std::uint64_t seed) { return ValueWriter(seed ^ 0x76616c756573).program(); }

}  // namespace wave::test
