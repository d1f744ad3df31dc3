// Cells as values: they have the same bits as literals, and nothing else is taken for a value.
#include "analysis/cell_values.h"

#include "frontend/parse/units.h"

#include <catch2/catch.hpp>

#include <bit>
#include <random>

using namespace wave;
using analysis::QuantityReader;

namespace {

frontend::Unit unit_of(const std::string& text) {
  frontend::Diagnostics diagnostics;
  const auto unit = frontend::read_unit(text, {}, "", diagnostics);
  REQUIRE(unit);
  return *unit;
}

bool same_bits(std::optional<double> a, std::optional<double> b) {
  return a.has_value() == b.has_value() && (!a || std::bit_cast<std::uint64_t>(*a) == std::bit_cast<std::uint64_t>(*b));
}

std::string random_number(std::mt19937& random) {
  std::string text;
  const auto digits = [&](unsigned most) {
    for (unsigned count = random() % most; count > 0; --count) text += static_cast<char>('0' + random() % 10);
  };
  digits(random() % 4 == 0 ? 40 : 8);
  if (text.empty() || random() % 2 == 0) {
    text += '.';
    digits(random() % 4 == 0 ? 30 : 6);
    text += static_cast<char>('0' + random() % 10);
  }
  if (random() % 3 == 0) {
    const int exponent = static_cast<int>(random() % 60) - 30;
    text += (random() % 2 == 0 ? "e" : "E") + std::to_string(random() % 10 == 0 ? exponent * 10 : exponent);
  }
  return text;
}

frontend::TypeRef type_of(frontend::Type type) { return std::make_shared<const frontend::Type>(std::move(type)); }

}  // namespace

TEST_CASE("a number in any unit has the bits of the literal") {
  const unsigned seed = 4711;
  INFO("seed " << seed);
  std::mt19937 random(seed);
  for (const char* name : {"us", "ps", "s", "min", "h", "KiB", "bit", "kbit", "us/B", "MB/s", "s/GiB", "Gflop/s", "GHz",
                           "KiB^2/min", "us^3"}) {
    const frontend::Unit unit = unit_of(name);
    const QuantityReader reader(unit);
    for (int i = 0; i < 400; ++i) {
      const std::string text = random_number(random);
      INFO(text << " " << name);
      REQUIRE(same_bits(reader.read(text), frontend::nearest_value(text, &unit)));
    }
  }
  const QuantityReader plain(std::nullopt);
  for (int i = 0; i < 1000; ++i) {
    const std::string text = random_number(random);
    INFO(text);
    REQUIRE(same_bits(plain.read(text), frontend::nearest_value(text, nullptr)));
  }
}

TEST_CASE("a sign may stand before a number") {
  const QuantityReader reader(unit_of("us"));
  CHECK(reader.read("-1.5") == -1.5e6);
  CHECK(reader.read("+1.5") == 1.5e6);
  CHECK_FALSE(reader.read("--1"));
}

TEST_CASE("what is no decimal number is no value") {
  const QuantityReader plain(std::nullopt), timed(unit_of("us"));
  for (const char* text : {"", "-", ".", "e5", "1e", "1e+", "1 2", "1,5", "0x10", "nan", "inf", "-inf", "NaN", "1xs",
                           "1e5.5", "1.2.3", "∞"}) {
    INFO(text);
    CHECK_FALSE(plain.read(text));
    CHECK_FALSE(timed.read(text));
    CHECK_FALSE(analysis::read_integer(text));
  }
  CHECK_FALSE(plain.read("1e400"));
  CHECK_FALSE(timed.read("1e305"));
  CHECK(plain.read("1e-400") == 0.0);
}

TEST_CASE("whole numbers may be written as others, and fit 64 bits") {
  CHECK(analysis::read_integer("8") == 8);
  CHECK(analysis::read_integer("+8") == 8);
  CHECK(analysis::read_integer("-8") == -8);
  CHECK(analysis::read_integer("8.0") == 8);
  CHECK(analysis::read_integer("1E3") == 1000);
  CHECK(analysis::read_integer("9223372036854775807") == 9223372036854775807);
  CHECK_FALSE(analysis::read_integer("9223372036854775808"));
  CHECK_FALSE(analysis::read_integer("8.5"));
  CHECK_FALSE(analysis::read_integer("1e300"));
}

TEST_CASE("words are those of the choice, and strings may be new") {
  std::vector<std::string> words{"a", "b"};
  analysis::WordReader choice(type_of({frontend::types::Choice{{"fast", "slow"}}}), words);
  CHECK(choice.read("slow") == 1);
  CHECK_FALSE(choice.read("a"));
  analysis::WordReader truth(type_of({frontend::types::Bool{}}), words);
  CHECK(truth.read("true") == 1);
  CHECK(truth.read("false") == 0);
  CHECK_FALSE(truth.read("1"));
  analysis::WordReader string(type_of({frontend::types::String{}}), words);
  CHECK(string.read("b") == 1);
  CHECK(string.read("new") == 2);
  CHECK(string.read("new") == 2);
  CHECK(words == std::vector<std::string>{"a", "b", "new"});
}

TEST_CASE("any text is a value or none") {
  const unsigned seed = 99;
  INFO("seed " << seed);
  std::mt19937 random(seed);
  const QuantityReader simple(unit_of("us/KiB")), hard(unit_of("h"));
  const std::string_view likely = "0123456789.eE+-";
  for (int round = 0; round < 20000; ++round) {
    std::string text(random() % 24, ' ');
    for (char& c : text) c = random() % 30 == 0 ? static_cast<char>(random()) : likely[random() % likely.size()];
    for (const QuantityReader* reader : {&simple, &hard}) {
      const auto value = reader->read(text);
      REQUIRE((!value || std::isfinite(*value)));
    }
    analysis::read_integer(text);
  }
}
