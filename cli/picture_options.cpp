// See options.h: the options of pictures.
#include "cli/option_words.h"
#include "cli/options.h"

#include <fmt/format.h>

#include <array>
#include <charconv>
#include <cmath>
#include <map>
#include <utility>

namespace wave::cli {
namespace {

using analysis::pictures::ErrorBars;
using analysis::pictures::PictureSize;

// Pixels, of which 96 are an inch.
constexpr std::array<std::pair<std::string_view, double>, 5> units{
    {{"px", 1}, {"mm", 96 / 25.4}, {"cm", 96 / 2.54}, {"in", 96}, {"pt", 96 / 72.0}}};
constexpr double least_side = 60, most_side = 4096;  // an image has two pixels for each
constexpr double least_font = 4, most_font = 72;

// A number and perhaps a unit at the front of `text`, which then begins behind them.
struct Length {
  double number = 0;
  std::string_view unit;  // empty: none
};
std::optional<Length> take_length(std::string_view& text) {
  Length length;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), length.number);
  if (error != std::errc() || !std::isfinite(length.number)) return std::nullopt;
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  for (const auto& [unit, pixels] : units) {
    if (!text.starts_with(unit)) continue;
    length.unit = unit;
    text.remove_prefix(unit.size());
    break;
  }
  return length;
}

double pixels_of(const Length& length, std::string_view unit) {
  for (const auto& [name, pixels] : units) {
    if (name == (length.unit.empty() ? unit : length.unit)) return length.number * pixels;
  }
  return length.number;
}

// "640x360", "84x60mm", "3.3in x 2in".
std::optional<std::pair<double, double>> parse_size(const std::string& given) {
  std::string text;
  for (const char c : given) {
    if (c != ' ') text += c;
  }
  std::string_view rest = text;
  const auto width = take_length(rest);
  if (!width || !rest.starts_with("x")) return std::nullopt;
  rest.remove_prefix(1);
  const auto height = take_length(rest);
  if (!height || !rest.empty()) return std::nullopt;
  return std::pair(pixels_of(*width, height->unit), pixels_of(*height, height->unit));
}

void read_size(const std::string& text, PictureSize& size) {
  const auto sides = parse_size(text);
  if (!sides)
    refuse(fmt::format("`--size` takes a width and a height, not `{}`", text),
           "for example `--size 640x360` in pixels, or `--size 84x60mm`; units are px, mm, cm, in and pt");
  for (const double side : {sides->first, sides->second}) {
    if (side >= least_side && side <= most_side) continue;
    refuse(fmt::format("`--size {}` has a side of {:.4g} pixels", text, side),
           fmt::format("a side has {} to {} pixels; 96 of them are an inch", least_side, most_side));
  }
  std::tie(size.width, size.height) = *sides;
}

void read_font_size(const std::string& text, PictureSize& size) {
  std::string_view rest = text;
  const auto length = take_length(rest);
  const bool is_good = length && rest.empty() && (length->unit.empty() || length->unit == "pt");
  if (!is_good || length->number < least_font || length->number > most_font)
    refuse(fmt::format("`--font-size` takes {} to {} points, not `{}`", least_font, most_font, text),
           "for example `--font-size 8`, for a column of a paper; 9 is usual");
  size.font_points = length->number;
}

const std::map<std::string, ErrorBars> error_bars{{"deviation", ErrorBars::deviation},
                                                  {"interval", ErrorBars::interval},
                                                  {"range", ErrorBars::range},
                                                  {"none", ErrorBars::none}};

}  // namespace

std::string word_of(ErrorBars bars) {
  for (const auto& [word, one] : error_bars) {
    if (one == bars) return word;
  }
  return "";
}

void add_plots_asked(CLI::App& app, PlotsAsked& asked) {
  add_list(app, "--draw", asked.of, "PLOT",
           "What is drawn (default: what the study plots): --draw \"total, compute vs n by net on log, log\"; a map: "
           "\"total vs n, m\"");
  add_choice(
      app, "--error-bars", asked.bars, error_bars,
      "What bars at repeated measurements are: the standard deviation (default), the 95 % confidence interval of "
      "the mean, the range; none: each measurement by itself");
}

void add_picture_style(CLI::App& app, PictureStyle& style, PictureOf of) {
  add_text(app, "--title", style.texts.title, "TEXT", "The title of the picture in a file, in place of the usual one");
  if (of == PictureOf::plot) {
    add_text(app, "--x-label", style.texts.x, "TEXT", "What stands at the axis of x; the unit is added");
    add_text(app, "--y-label", style.texts.y, "TEXT", "The same at the axis of y");
  }
  add_read(
      app, "--size", [&style](const std::string& text) { read_size(text, style.size); }, "WxH",
      "The size of the picture in a file: --size 640x360 in pixels, --size 84x60mm");
  add_read(
      app, "--font-size", [&style](const std::string& text) { read_font_size(text, style.size); }, "POINTS",
      "The size of its letters (default 9)");
}

void add_drawing(CLI::App& app, Drawing& drawing) {
  add_file(app, "--svg", drawing.svg, {".svg"}, "Draw the first plot into this file as well");
  add_file(app, "--png", drawing.png, {".png"}, "The same, as a bitmap");
  add_file(app, "--pdf", drawing.pdf, {".pdf"}, "The same, as a document");
  add_flag(app, "--all-plots", drawing.all, "Draw all plots, each into a file of its own: fig-1.svg, fig-2.svg");
  add_flag(app, "--plot", drawing.in_terminal, "Draw the plots in the terminal as well");
  add_plots_asked(app, drawing.asked);
  add_picture_style(app, drawing.style, PictureOf::plot);
}

}  // namespace wave::cli
