#include "analysis/tables/table.h"
#include "cli/results.h"

#include <catch2/catch.hpp>

using namespace wave::cli;
using wave::frontend::Dimension;

namespace {

constexpr Dimension time_dimension{1, 0, 0}, data_dimension{0, 1, 0}, plain{};

std::string shown(double value, Dimension dimension) { return format_quantity(value, dimension, std::nullopt, 4); }

}  // namespace

TEST_CASE("times are shown in the unit a person would choose") {
  CHECK(shown(14744202e6, time_dimension) == "14.74 s");
  CHECK(shown(723.52e6, time_dimension) == "723.5 us");
  CHECK(shown(23e6, time_dimension) == "23 us");
  CHECK(shown(1, time_dimension) == "1 ps");
  CHECK(shown(0, time_dimension) == "0 s");
  CHECK(shown(-3.5e9, time_dimension) == "-3.5 ms");
  CHECK(shown(3600e12, time_dimension) == "3600 s");
  CHECK(shown(36000e12, time_dimension) == "10 h");
}

TEST_CASE("digits are kept where the value was rounded to them, and dropped where it is whole") {
  CHECK(shown(15.100354e12, time_dimension) == "15.10 s");
  CHECK(shown(15e12, time_dimension) == "15 s");
  CHECK(shown(176930.424e9, time_dimension) == "176.9 s");
}

TEST_CASE("the whole part is never rounded away") {
  CHECK(format_number(14744202, 4) == "14744202");
  CHECK(format_number(123456.7, 4) == "123457");
}

TEST_CASE("very large and very small numbers have exponents") {
  CHECK(format_number(1.5e20, 4) == "1.500e+20");
  CHECK(format_number(1.5e-7, 4) == "1.500e-07");
}

TEST_CASE("sizes are shown in bytes, binary or decimal multiples, whichever is shorter") {
  CHECK(shown(4800, data_dimension) == "4800 B");
  CHECK(shown(4096, data_dimension) == "4 KiB");
  CHECK(shown(4095, data_dimension) == "4095 B");
  CHECK(shown(65536, data_dimension) == "64 KiB");
  CHECK(shown(1e6, data_dimension) == "1 MB");
  CHECK(shown(1048576, data_dimension) == "1 MiB");
  CHECK(shown(0, data_dimension) == "0 B");
}

TEST_CASE("rates are shown in multiples of their usual units") {
  CHECK(shown(0.07e6, {1, -1, 0}) == "70 ns/B");
  CHECK(shown(2.5e-3, {-1, 1, 0}) == "2.5 GB/s");
  CHECK(shown(266e-6, {-1, 0, 1}) == "266 Mflop/s");
  CHECK(shown(1e-9, {-1, 0, 0}) == "1 kHz");
}

TEST_CASE("a quantity without a usual unit is in seconds, bytes and flop") {
  CHECK(standard_scale({2, 0, 0}).unit == "s^2");
  CHECK(standard_scale({1, 1, 0}).unit == "B*s");
  CHECK(standard_scale({-1, 0, 0}).unit == "Hz");
  CHECK(standard_scale({-2, -1, 0}).unit == "Hz^2/B");
  CHECK(standard_scale({-1, 1, 0}).unit == "B/s");
  CHECK(standard_scale({1, -1, 0}).shown(1e12) == 1.0);
}

TEST_CASE("plain numbers have no unit") { CHECK(shown(2.5, plain) == "2.5"); }

TEST_CASE("cells of a column share a unit in which the smallest can be read") {
  CHECK(readable_scale(time_dimension, std::vector<double>{69e6, 31e9}).unit == "us");
  CHECK(readable_scale(time_dimension, std::vector<double>{0, 2e12}).unit == "s");
  CHECK(common_decimals({69.07, 31000}, 4) == 2);
  CHECK(common_decimals({1, 2, 3}, 4) == 0);
  CHECK(common_decimals({1, 2.5}, 4) == 1);
}

TEST_CASE("how one quantity changes with another is shown in a unit of the one for a unit of the other") {
  const auto of = [](Dimension changing, Dimension by, double by_value) {
    return wave::analysis::make_column("derivative", wave::analysis::Ratio{changing, by, {}, by_value});
  };
  const Dimension rate{-1, 1, 0}, frequency{-1, 0, 0};
  const auto by_rate = of(time_dimension, rate, 0.05);  // 50 GB/s
  CHECK(by_rate.unit == "s/(B/s)");
  CHECK(by_rate.shown(-4e11) == Approx(-4e-13));
  CHECK(readable_scale(by_rate, {-4e11}).unit == "s/(GB/s)");
  CHECK(readable_scale(by_rate, {-4e11}).shown(-4e11) == Approx(-4e-4));
  CHECK(readable_scale(by_rate, {-4e7}).unit == "ns/(GB/s)");
  const auto by_frequency = of(time_dimension, frequency, 1e-3);  // 1 GHz
  CHECK(by_frequency.unit == "s/Hz");
  CHECK(readable_scale(by_frequency, {-5e6}).unit == "ns/GHz");
  CHECK(readable_scale(by_frequency, {-5e6}).shown(-5e6) == Approx(-5));
  CHECK(of(plain, rate, 0.05).unit == "1/(B/s)");
  CHECK(of(rate, plain, 3).unit == "B/s");
  CHECK(of(time_dimension, time_dimension, 1e6).unit.empty());
}
