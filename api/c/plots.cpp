// See plots.h.
#include "api/c/plots.h"

#include "analysis/pictures/drawing.h"
#include "analysis/pictures/page.h"
#include "analysis/pictures/table_plots.h"
#include "analysis/pictures/vega_lite.h"

#include <algorithm>
#include <optional>
#include <variant>

namespace wave::api {
namespace {

using analysis::ResultTable;
using analysis::pictures::Bar;
using analysis::pictures::Plot;
using frontend::DiagnosticKind;

std::string draw(const Plot& plot, drawing::Format format) {
  auto drawn = analysis::pictures::draw_file(plot, format);
  if (const auto* const why = std::get_if<1>(&drawn))
    fail(WAVE_FAILED, DiagnosticKind::engine_unavailable, "`" + plot.title + "` cannot be drawn: " + *why,
         "WAVE_PLOT_VEGA_LITE and WAVE_PLOT_HTML need no drawing module");
  return std::get<0>(std::move(drawn));
}

std::string page_of(const Plot& plot) {
  analysis::pictures::Page page;
  page.title = plot.title;
  page.generator = std::string("wave ") + WAVE_VERSION;
  page.sections.push_back({"Plot", {analysis::pictures::element::Picture{plot}}});
  return render_page(page);
}

std::string make_form(const Plot& plot, int form) {
  switch (form) {
    case WAVE_PLOT_VEGA_LITE: return vega_lite(plot, analysis::pictures::Medium::file);
    case WAVE_PLOT_SVG: return draw(plot, drawing::Format::svg);
    case WAVE_PLOT_PNG: return draw(plot, drawing::Format::png);
    case WAVE_PLOT_HTML: return page_of(plot);
    case WAVE_PLOT_WORDS: return plot.words;
    case WAVE_PLOT_PDF: return draw(plot, drawing::Format::pdf);
    default: throw Misuse{"`form` is " + std::to_string(form) + ", which is no form of a plot"};
  }
}

const ResultTable& points_of(const Result& result) {
  if (!result.points) throw Misuse{"`result` has no points to draw", "the question `sweep` gives such results"};
  return *result.points;
}

[[noreturn]] void refuse_plot(const std::string& what, const std::string& why) {
  fail(WAVE_FAILED, DiagnosticKind::wrong_study, what + " cannot be drawn: " + why,
       "what is drawn is varied or shown: show an expression under a name, as in \"cost = total * n\"");
}

std::optional<bool> is_log(int scale, const char* argument) {
  switch (scale) {
    case WAVE_SCALE_FITTING: return std::nullopt;
    case WAVE_SCALE_LINEAR: return false;
    case WAVE_SCALE_LOG: return true;
    default: throw Misuse{std::string("`") + argument + "` is " + std::to_string(scale) + ", which is no scale"};
  }
}

std::string first_that_varies(const ResultTable& table) {
  const auto found =
      std::find_if(table.columns.begin(), table.columns.end(), [](const auto& column) { return column.varied; });
  if (found == table.columns.end()) throw Misuse{"`x` is a null pointer, and nothing varies"};
  return found->name;
}

Plot taken(std::variant<Plot, std::string> made, const std::string& what) {
  if (const auto* const why = std::get_if<std::string>(&made)) refuse_plot(what, *why);
  return std::get<Plot>(std::move(made));
}

// The column of a table with that name, or null.
const TableColumn* column_of(const Table& table, const std::string& name) {
  for (const TableColumn& column : table.columns) {
    if (column.head.column.name == name) return &column;
  }
  return nullptr;
}

// The bars of tables whose names end like this: ".breakdown" by what carries the time, ".path" by kind. Of several
// processes each has its own.
std::vector<Bar> bars_of(const Result& result, const std::string& end, const std::string& parts) {
  std::vector<Bar> bars;
  for (const Table& table : result.tables) {
    const TableColumn *const names = column_of(table, parts), *const times = column_of(table, "time");
    if (!table.name.ends_with(end) || !names || !times) continue;
    const TableColumn* const processes = column_of(table, "process");
    const std::string output = table.name.substr(0, table.name.size() - end.size());
    std::string before;
    for (std::size_t row = 0; row < table.rows; ++row) {
      const std::string bar = processes ? output + ": " + processes->texts[row] : output;
      if (row == 0 || bar != before) bars.push_back({bar, {}});
      before = bar;
      bars.back().parts.emplace_back(names->texts[row], times->head.scale.base(times->si[row]));
    }
  }
  return bars;
}

Plot plot_parts(const Result& result) {
  const auto times = bars_of(result, ".breakdown", "of"), paths = bars_of(result, ".path", "kind");
  if (!times.empty()) return analysis::pictures::plot_bars("Parts of each time", "output", times);
  if (!paths.empty()) return analysis::pictures::plot_bars("The critical path, by kind", "output", paths);
  throw Misuse{"`y` is a null pointer, and `result` has no times with parts",
               "wave_model_explain() gives such results"};
}

struct Scales {
  std::optional<bool> x_log, y_log;
};

// `x` and `by` may be null.
Plot plot_points(const Result& result, const char* y, const char* x, const char* by, const Scales& scales) {
  const ResultTable& table = points_of(result);
  analysis::pictures::PlotChoice choice;
  choice.y = y;
  choice.x = x ? std::string(x) : first_that_varies(table);
  if (by) choice.by = by;
  choice.x_log = scales.x_log;
  choice.y_log = scales.y_log;
  return taken(analysis::pictures::plot_columns(table, choice), "`" + choice.y + "` over `" + choice.x + "`");
}

}  // namespace

const std::string& PlotObject::drawn(int form) {
  const std::lock_guard lock(mutex_);
  if (const auto found = drawn_.find(form); found != drawn_.end()) return found->second;
  return drawn_.emplace(form, make_form(plot_, form)).first->second;
}

}  // namespace wave::api

using namespace wave::api;

extern "C" {

wave_status wave_plot_create(const wave_result* result, const char* y, const char* x, const char* by, int x_scale,
                             int y_scale, wave_plot** plot, wave_error** error) {
  return call(error, [&] {
    const auto found = get<Result>(result, "result");
    need(plot, "plot");
    *plot = open_handle<wave_plot>(std::make_shared<PlotObject>(
        y ? plot_points(*found, y, x, by, {is_log(x_scale, "x_scale"), is_log(y_scale, "y_scale")})
          : plot_parts(*found)));
  });
}

wave_status wave_plot_draw(const wave_plot* plot, int form, const char** bytes, size_t* size, wave_error** error) {
  return call(error, [&] {
    const auto found = get<PlotObject>(plot, "plot");
    need(bytes, "bytes");
    const std::string& drawn = found->drawn(form);
    *bytes = drawn.c_str();
    if (size) *size = drawn.size();
  });
}

}  // extern "C"
