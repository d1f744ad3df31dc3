// See vega_lite.h: what all kinds of plots have in common.
#include "analysis/pictures/vega_lite.h"

#include "analysis/pictures/painter.h"
#include "analysis/tables/table.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace wave::analysis::pictures {

namespace {

constexpr double usual_width = 640, padding = 12, padding_in_size = 6;
constexpr double narrow_page = 320;
constexpr std::size_t steps_of_ramp = most_series;
// Of the letters' size, in the fonts that files have.
constexpr double width_of_letter = 0.62, width_of_bold_letter = 0.7;
constexpr double text_size = 12, title_size = 15;
constexpr double symbol = 34;  // of a legend, with the room around it

// How wide a text is, in small letters.
double letters_of(const std::string& text) {
  double letters = 0;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if ((byte & 0xC0U) == 0x80) continue;
    letters += byte >= 0xE2 ? 1.7 : (byte >= 'A' && byte <= 'Z') || byte == 'm' || byte == 'w' ? 1.2 : 1;
  }
  return letters;
}

// The words of a text in lines that are at most so wide, in small letters. A longer word has a line of its own.
std::vector<std::string> wrapped(const std::string& text, double most) {
  std::vector<std::string> lines(1);
  double length = 0;
  std::size_t word_begin = 0;
  const auto add = [&](const std::string& word) {
    const double own = letters_of(word);
    if (length > 0 && length + 1 + own > most) {
      lines.emplace_back();
      length = 0;
    }
    lines.back() += (length > 0 ? " " : "") + word;
    length += (length > 0 ? 1 : 0) + own;
  };
  for (std::size_t i = 0; i <= text.size(); ++i) {
    if (i < text.size() && text[i] != ' ' && text[i] != '\n') continue;
    if (i > word_begin) add(text.substr(word_begin, i - word_begin));
    word_begin = i + 1;
  }
  return lines;
}

}  // namespace

std::string Painter::ink() const { return is_page_ ? "var(--ink)" : light_colours.ink; }
std::string Painter::faint() const { return is_page_ ? "var(--faint)" : light_colours.faint; }
std::string Painter::ground() const { return is_page_ ? "var(--ground)" : light_colours.ground; }

std::string Painter::series_colour(std::size_t number) const {
  number %= light_colours.series.size();
  return is_page_ ? fmt::format("var(--series-{})", number + 1) : std::string(light_colours.series[number]);
}

std::string Painter::ramp_colour(std::size_t number, std::size_t count) const {
  const double part = count < 2 ? 0 : static_cast<double>(number) / static_cast<double>(count - 1);
  const auto step = static_cast<std::size_t>(std::lround(part * (steps_of_ramp - 1)));
  return is_page_ ? fmt::format("var(--ramp-{})", step) : between(light_colours, part);
}

Painter::Json Painter::colours() const {
  Json range = Json::array();
  const std::size_t count = plot_.series.size();
  for (std::size_t i = 0; i < count; ++i) {
    if (plot_.series_are_ordered && count > 2)
      range.push_back(ramp_colour(i, count));
    else
      range.push_back(series_colour(plot_.colours.empty() ? i : plot_.colours[i]));
  }
  return range;
}

double Painter::width() const { return has_size() ? plot_.size.width : usual_width; }
double Painter::height() const { return has_size() ? plot_.size.height : usual_height_; }

void Painter::set_size(double usual_height) {
  usual_height_ = usual_height;
  spec_["height"] = std::lround(height());
  if (!fits_) spec_["width"] = std::lround(width());
}

// What its texts leave of a picture of a given size, about.
double Painter::drawn_height() const {
  if (!has_size()) return height();
  const double line = 1.25 * scaled(text_size);
  const auto count = [](const Json& lines) { return lines.is_array() ? static_cast<double>(lines.size()) : 1.0; };
  const Json& title = spec_["title"];
  double texts = count(title["text"]) * 1.25 * scaled(title_size) + 2 * padding_in_size + scaled(12);
  if (title.contains("subtitle")) texts += count(title["subtitle"]) * line;
  texts += count(lines_of(plot_.x.title(), width(), scaled(text_size))) * line + 2 * line;
  const double rows = std::ceil(static_cast<double>(plot_.series.size()) / columns_of_legend());
  if (!plot_.by.empty() || plot_.kind == Plot::Kind::heat_map) texts += (rows + 2) * line;
  return std::max(height() / 4, height() - texts);
}

double Painter::drawn_width() const { return has_size() ? width() - 6 * scaled(text_size) : width(); }

double Painter::room_of_legend() const { return width() - 2 * padding; }

// As many as the longest name leaves room for.
double Painter::columns_of_legend() const {
  double longest = 0;
  for (const std::string& name : plot_.series) longest = std::max(longest, letters_of(name));
  const double label = std::min(room_of_legend(), longest * width_of_letter * scaled(text_size));
  return std::clamp(std::floor(room_of_legend() / (label + scaled(symbol))), 1.0, 4.0);
}

Painter::Json Painter::lines_of(const std::string& text, double room, double letters) const {
  const double of_letter = letters * (letters > scaled(text_size) ? width_of_bold_letter : width_of_letter);
  const auto lines = wrapped(text, std::max(8.0, room / of_letter));
  return lines.size() == 1 ? Json(text) : Json(lines);
}

void Painter::add_title() {
  const double room = width() - 2 * padding;
  spec_["title"]["text"] = lines_of(plot_.title, room, scaled(title_size));
  Json below = Json::array();
  const auto add = [&](const std::string& note) {
    const Json lines = lines_of(note, room, scaled(text_size));
    if (lines.is_string())
      below.push_back(lines);
    else
      below.insert(below.end(), lines.begin(), lines.end());
  };
  if (const std::string key = key_to_signs(plot_); !key.empty()) add(key);
  for (const std::string& note : plot_.notes) add(note);
  if (!below.empty()) spec_["title"]["subtitle"] = below;
}

// About one number in so many pixels.
Painter::Json Painter::axis(const PlotAxis& axis, double PlotPoint::* coordinate, double room) const {
  const double for_each = scaled(coordinate == &PlotPoint::x ? 64 : 42);
  const auto wanted = static_cast<std::size_t>(std::clamp(room / for_each, 2.0, 10.0));
  Json made;
  made["title"] = lines_of(axis.title(), is_page_ ? narrow_page : room, scaled(text_size));
  if (axis.is_category()) return made;
  if (const auto ticks = axis_ticks(plot_, axis, coordinate, wanted); ticks.size() >= 2) made["values"] = ticks;
  made["labelExpr"] = label_of_number;
  made["labelOverlap"] = "greedy";
  return made;
}

Painter::Json Painter::channel(const char* field, const PlotAxis& one, double PlotPoint::* coordinate,
                               double room) const {
  Json made{{"field", field}, {"type", one.is_category() ? "nominal" : "quantitative"}};
  made["axis"] = axis(one, coordinate, room);
  if (one.is_category()) {
    made["scale"]["domain"] = one.categories;
    made["sort"] = nullptr;
    return made;
  }
  const AxisSpan span = span_of(plot_, coordinate);
  made["scale"]["type"] = one.is_log ? "log" : "linear";
  made["scale"]["nice"] = false;
  if (!one.is_log) made["scale"]["zero"] = shows_zero(one, coordinate, span);
  if (one.is_log) made["scale"]["domain"] = {span.least == span.most ? span.least / 2 : span.least, span.most};
  return made;
}

Painter::Json Painter::place(const PlotAxis& axis, double value) const {
  if (!axis.is_category()) return value;
  return axis.categories.at(static_cast<std::size_t>(value));
}

Painter::Json Painter::series_channel() const {
  Json made{{"field", "s"}, {"type", "nominal"}, {"title", plot_.by}, {"sort", nullptr}};
  made["scale"] = {{"domain", plot_.series}, {"range", colours()}};
  if (plot_.by.empty())
    made["legend"] = nullptr;
  else if (plot_.has_ranges())
    made["legend"]["symbolOpacity"] = 1;  // not that of bands
  return made;
}

Painter::Json Painter::tooltip() const {
  Json lines = Json::array();
  const auto add_text = [&](const char* field, const std::string& title) {
    lines.push_back({{"field", field}, {"type", "nominal"}, {"title", title}});
  };
  if (!plot_.by.empty()) add_text("s", plot_.by);
  add_text("x", plot_.x.title());
  add_text("y", plot_.y.title());
  if (plot_.kind == Plot::Kind::heat_map) add_text("v", plot_.value.title());
  if (plot_.kind == Plot::Kind::timeline) add_text("e", plot_.value.title());
  return lines;
}

Painter::Json Painter::lanes(double padding_between, double padding_outside) const {
  Json made{{"field", "y"}, {"type", "nominal"}, {"sort", nullptr}};
  made["scale"] = {
      {"domain", plot_.y.categories}, {"paddingInner", padding_between}, {"paddingOuter", padding_outside}};
  made["axis"] = {{"title", plot_.y.label.empty() ? Json() : Json(plot_.y.label)},
                  {"labelLimit", scaled(260)},
                  {"ticks", false},
                  {"domain", false},
                  {"grid", false}};
  return made;
}

Painter::Json Painter::plain_axis(const std::string& title, int ticks) const {
  return {{"title", title}, {"labelExpr", label_of_number}, {"labelOverlap", "greedy"}, {"tickCount", ticks}};
}

Painter::Json Painter::config() const {
  Json made;
  made["background"] = is_page_ ? "transparent" : light_colours.ground;
  made["font"] = is_page_ ? "system-ui, sans-serif" : "DejaVu Sans, Liberation Sans, Helvetica, Arial, sans-serif";
  made["aria"] = false;  // the picture is one image with words of its own
  made["view"] = {{"stroke", nullptr}};
  if (!is_page_) made["padding"] = has_size() ? padding_in_size : padding;
  const double text = scaled(text_size);
  made["axis"] = {
      {"labelColor", ink()},    {"titleColor", ink()},    {"gridColor", is_page_ ? "var(--grid)" : light_colours.grid},
      {"domainColor", faint()}, {"tickColor", faint()},   {"labelFontSize", text},
      {"titleFontSize", text},  {"titleFontWeight", 600}, {"titlePadding", scaled(8)}};
  if (is_page_) made["axis"]["titleLimit"] = narrow_page;
  made["legend"] = {{"orient", "bottom"},
                    {"labelColor", ink()},
                    {"titleColor", ink()},
                    {"labelFontSize", text},
                    {"titleFontSize", text},
                    {"titleFontWeight", 600},
                    {"symbolSize", scaled(70)},
                    {"labelLimit", std::max(scaled(60), room_of_legend() - scaled(symbol))},
                    {"titleLimit", room_of_legend()},
                    {"columns", columns_of_legend()},
                    {"direction", "horizontal"}};
  made["title"] = {{"color", ink()},           {"subtitleColor", faint()},
                   {"anchor", "start"},        {"fontSize", scaled(title_size)},
                   {"subtitleFontSize", text}, {"offset", scaled(12)}};
  return made;
}

std::string Painter::paint() {
  spec_["$schema"] = "https://vega.github.io/schema/vega-lite/v6.json";
  spec_["description"] = plot_.words;
  if (!is_page_) add_title();
  if (fits_) spec_["width"] = "container";
  spec_["autosize"] = {{"type", fits_ ? "fit-x" : has_size() ? "fit" : "pad"}, {"contains", "padding"}};
  switch (plot_.kind) {
    case Plot::Kind::lines:
    case Plot::Kind::points: paint_lines(); break;
    case Plot::Kind::bars: paint_bars(); break;
    case Plot::Kind::heat_map: paint_heat_map(); break;
    case Plot::Kind::timeline: paint_timeline(); break;
  }
  spec_["config"] = config();
  // Bytes of a name that are no UTF-8 become marks of replacement.
  return spec_.dump(-1, ' ', false, Json::error_handler_t::replace);
}

std::string vega_lite(const Plot& plot, Medium medium) { return Painter(plot, medium).paint(); }

std::string key_to_signs(const Plot& plot) {
  if (!plot.has_measurements()) return "";
  return plot.kind == Plot::Kind::lines ? "lines: predicted, crosses: measured" : "crosses: measured";
}

std::string colour_variables() {
  const auto block = [](const Colours& colours) {
    std::string text = fmt::format("--ground:{};--ink:{};--faint:{};--grid:{};", colours.ground, colours.ink,
                                   colours.faint, colours.grid);
    for (std::size_t i = 0; i < colours.series.size(); ++i)
      text += fmt::format("--series-{}:{};", i + 1, colours.series[i]);
    for (std::size_t i = 0; i < steps_of_ramp; ++i) {
      text += fmt::format("--ramp-{}:{};", i, between(colours, static_cast<double>(i) / (steps_of_ramp - 1)));
    }
    return text;
  };
  return fmt::format(":root{{{}}}\n@media screen and (prefers-color-scheme:dark){{:root{{{}}}}}\n",
                     block(light_colours), block(dark_colours));
}

}  // namespace wave::analysis::pictures
