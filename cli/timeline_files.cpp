// See timeline_files.h.
#include "cli/timeline_files.h"

#include "analysis/pictures/assets.h"
#include "analysis/pictures/page.h"
#include "analysis/pictures/timeline_plot.h"
#include "base/text.h"
#include "cli/diagnostics.h"
#include "cli/embedded.h"
#include "cli/ending.h"
#include "cli/plot_files.h"
#include "cli/results.h"

#include <fmt/format.h>

#include <array>
#include <utility>

namespace wave::cli {
namespace {

using analysis::pictures::Plot;

constexpr std::array<std::pair<std::string_view, drawing::Format>, 3> drawn_endings{
    {{".svg", drawing::Format::svg}, {".png", drawing::Format::png}, {".pdf", drawing::Format::pdf}}};

bool is_page_name(const std::string& path) { return path.ends_with(".html") || path.ends_with(".htm"); }

std::optional<drawing::Format> format_of(const std::string& path) {
  for (const auto& [ending, format] : drawn_endings) {
    if (path.ends_with(ending)) return format;
  }
  return std::nullopt;
}

}  // namespace

bool is_picture_name(const std::string& path) { return is_page_name(path) || format_of(path).has_value(); }

std::optional<int> find_misuse_of_timeline(const std::string& path, const PictureStyle& style, std::size_t ranks,
                                           Console& console) {
  if (!is_picture_name(path)) {
    if (!style.any()) return std::nullopt;
    return report_misuse(console, "title and size are of a picture, and none is drawn",
                         "end the name of `-o` with `.svg`, `.png` or `.pdf`");
  }
  if (is_page_name(path) && style.has_size())
    return report_misuse(console, "a page gives its picture the size",
                         "leave `--size` and `--font-size` out, or end the name with `.svg`, `.png` or `.pdf`");
  if (ranks > static_cast<std::size_t>(analysis::pictures::most_lanes))
    return report_misuse(console,
                         fmt::format("a picture shows up to {} processors, and `--ranks` names {}",
                                     analysis::pictures::most_lanes, ranks),
                         "name fewer, or end the name with `.json`: a trace shows all of them");
  return std::nullopt;
}

int report_no_scripts(Console& console) {
  return report_without_location(console, frontend::DiagnosticKind::engine_unavailable,
                                 "this program was built without what pages are drawn with",
                                 "build it with WAVE_PICTURES=ON");
}

int write_timeline(Console& console, Plot timeline, const std::string& path, const PictureStyle& style,
                   const std::string& subtitle) {
  namespace pictures = analysis::pictures;
  pictures::set_texts(timeline, style.texts);
  timeline.size = style.size;
  if (const auto format = format_of(path)) return write_plot(console, timeline, path, *format) ? success : failure;
  if (pictures::asset("vega.min").empty()) return report_no_scripts(console);
  pictures::Page page;
  page.title = timeline.title;
  page.subtitle = subtitle;
  page.generator = fmt::format("wave {}", version);
  page.sections.push_back({"Timeline", {pictures::element::Picture{std::move(timeline)}}});
  return write_result(path, render_page(page), console);
}

}  // namespace wave::cli
