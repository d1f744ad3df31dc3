// `wave doc --html`: a folder of pages, one for the list of modules with a search, two for each module.
#include "analysis/pictures/assets.h"
#include "analysis/pictures/drawing.h"
#include "analysis/pictures/vega_lite.h"
#include "cli/client.h"
#include "cli/console.h"
#include "cli/embedded.h"
#include "cli/message_costs.h"
#include "cli/plot_files.h"
#include "cli/verbs/doc.h"
#include "cli/whole_folder.h"
#include "frontend/check/members.h"
#include "frontend/check/modules.h"
#include "frontend/format/signatures.h"

#include <fmt/format.h>

#include <algorithm>

namespace wave::cli {
namespace {

using namespace analysis::pictures;
using frontend::DiagnosticKind;
using frontend::Item;
using frontend::Module;
using frontend::check::is_any_of;
using frontend::check::kind_of;
using frontend::check::members_of_kind;
namespace item = frontend::item;

constexpr const char* index_page = "index.html";
constexpr std::size_t longest_file_name = 200;

std::string anchor_of(const Item& item) { return "name-" + item.name.text; }

PageTable table_of(const std::string& caption, const std::vector<std::string>& headings) {
  PageTable table;
  table.caption = caption;
  for (const std::string& one : headings) table.columns.push_back({one, "", false, false});
  table.columns.back().is_prose = true;
  return table;
}

// A short value stays on one line.
std::string unbroken(const std::string& text) {
  constexpr std::size_t longest = 16;
  if (text.size() > longest) return text;
  std::string result;
  for (const char c : text) result += c == ' ' ? "\u00A0" : std::string(1, c);
  return result;
}

// The values of a column of costs, in base units.
std::vector<double> numbers_of(const OutputTable& table, const std::string& name) {
  for (const TableColumn& one : table.columns) {
    const auto* values = std::get_if<std::vector<double>>(&one.cells.values);
    if (one.column.name == name && values != nullptr && one.cells.missing.empty()) return *values;
  }
  return {};
}

class Site {
 public:
  Site(const ModuleList& list, Session& session)
      : list_(list), session_(session), modules_(loaded_modules(session.program())), places_(list, modules_) {}

  // The files of all pages.
  FolderTexts write() {
    for (const Module* module : modules_) {
      session_.console().status(places_.name(*module));
      add(places_.page(*module), module_page(*module));
      Page text = source_page(session_.program(), *module, places_);
      text.links = {{"Documentation", "../" + places_.page(*module)}};
      add(places_.text(*module), std::move(text));
    }
    if (is_of_library()) add_documentation();
    add(index_page, first_page());
    session_.console().status("");
    return std::move(files_);
  }
  // Why costs are numbers instead of pictures; empty if they are not.
  const std::string& trouble() const { return trouble_; }

 private:
  std::string title() const {
    if (is_of_library()) return "Wave";
    return list_.manifest ? fmt::format("{} {}", list_.title, to_string(list_.manifest->version)) : list_.title;
  }

  bool is_of_library() const { return list_.folder.empty() && list_.title == library_name; }

  void add_documentation() {
    const auto module_text = [this](const std::string& module) {
      for (const Module* one : modules_) {
        if (places_.name(*one) == module) return places_.text(*one);
      }
      return std::string();
    };
    for (auto& [file, page] : documentation_pages(module_text, search_)) add(file, std::move(page));
  }

  void add(const std::string& name, Page page) {
    page.generator = fmt::format("wave {}", version);
    page.stands_alone = false;
    if (name != index_page)
      page.links.insert(page.links.begin(), {title() + ": all pages and search", up_from(name) + index_page});
    files_[name] = render_page(page);
  }

  Page first_page() {
    Page page{title(), is_of_library() ? "Its documentation and its library" : "Modules", "", {}};
    element::Links links;
    for (std::size_t i = 0; i < modules_.size(); ++i)
      links.of.push_back({list_.modules[i].name, places_.page(*modules_[i]), first_sentence(modules_[i]->doc)});
    page.sections.push_back({"Search", {std::move(search_)}, "search-field"});
    if (is_of_library()) page.sections.push_back({"Documentation", {documentation_links()}, "documentation"});
    page.sections.push_back({"Modules", {std::move(links)}, "modules"});
    return page;
  }

  // --- a module ---

  Page module_page(const Module& module) {
    Page page{places_.name(module), "", "", {}};
    page.links = {{"Source", "../" + places_.text(module)}};
    search_.entries.push_back({places_.name(module), "module", "", first_sentence(module.doc), places_.page(module)});
    if (!module.doc.empty()) page.sections.push_back({"About", {element::Words{module.doc}}});
    for (const auto& item : module.items) {
      if (is_any_of<item::Test>(*item) || !worth_showing(*item)) continue;
      page.sections.push_back(section_of(*item));
    }
    if (!module.handed_on.empty()) page.sections.push_back(handed_on(module));
    return page;
  }

  PageSection handed_on(const Module& module) {
    element::Links links;
    for (const auto& [name, one] : module.handed_on) {
      const std::string address = places_.of(*one.item);
      links.of.push_back({name, address.empty() ? "../" + places_.text(module) : "../" + address,
                          fmt::format("`{}`", signature(session_.sources(), *one.item))});
    }
    return {"Handed on", {std::move(links)}};
  }

  PageSection section_of(const Item& item) {
    PageSection section{fmt::format("{} {}", kind_of(item), item.name.text), {}};
    section.id = is_any_of<item::Study>(item) ? "study-" + item.name.text : anchor_of(item);
    section.links = {{"Source", "../" + places_.of(session_.sources(), item.name.location)}};
    add_relatives(item, section);
    note(item, "", places_.page(*item.module) + "#" + section.id);
    section.elements.push_back(element::Code{signature(session_.sources(), item)});
    if (!item.doc.empty()) section.elements.push_back(element::Words{item.doc});
    if (is_any_of<item::Machine, item::Model>(item)) add_parameters(item, section);
    if (is_any_of<item::Model>(item)) add_outputs(item, section);
    if (is_any_of<item::Machine>(item)) add_costs(item, section);
    add_members(item, section);
    return section;
  }

  // Where a machine has its other members from, and what it must have.
  void add_relatives(const Item& item, PageSection& section) const {
    const auto* machine = std::get_if<item::Machine>(&item.node);
    if (machine == nullptr) return;
    const auto add = [&](const char* how, const Item* other) {
      const std::string address = other != nullptr ? places_.of(*other) : "";
      if (!address.empty()) section.links.push_back({fmt::format("{} {}", how, other->name.text), "../" + address});
    };
    add("extends", machine->base_item);
    add("implements", machine->interface_item);
  }

  void note(const Item& item, const std::string& owner, const std::string& address) {
    const std::string place = places_.name(*item.module) + (owner.empty() ? "" : "." + owner);
    search_.entries.push_back({item.name.text, kind_of(item), place, first_sentence(item.doc), address});
  }

  std::string written(const frontend::ExprPtr& e) const {
    return e ? frontend::one_line(session_.sources().text(e->location)) : "";
  }

  void add_parameters(const Item& owner, PageSection& section) {
    PageTable table = table_of("Parameters", {"parameter", "type", "default", "range", "source", "what it is"});
    for (const Item* one : members_of_kind<item::Param>(owner)) {
      const auto& param = std::get<item::Param>(one->node);
      const std::string range = param.has_range ? written(param.lower) + ".." + written(param.upper) : "";
      table.rows.push_back({one->name.text, param.checked_type ? to_string(*param.checked_type) : "",
                            unbroken(written(param.default_value)), unbroken(range), param.source.value_or(""),
                            one->doc});
      if (one->owner == &owner) note(*one, owner.name.text, places_.page(*owner.module) + "#" + anchor_of(owner));
    }
    if (!table.rows.empty()) section.elements.push_back(element::Numbers{std::move(table), false});
  }

  void add_outputs(const Item& model, PageSection& section) {
    PageTable table = table_of("Outputs", {"output", "type", "shown in", "what it is"});
    for (const Item* one : members_of_kind<item::Output>(model)) {
      const auto& output = std::get<item::Output>(one->node);
      const std::string type = output.value && output.value->type ? to_string(*output.value->type) : "";
      std::string name = one->name.text;
      for (std::size_t i = 0; i < output.indices.size(); ++i)
        name += (i == 0 ? "[" : ", ") + output.indices[i].name.text + (i + 1 == output.indices.size() ? "]" : "");
      table.rows.push_back({name, type, output.unit ? output.unit->text : "", one->doc});
      note(*one, model.name.text, places_.page(*model.module) + "#" + anchor_of(model));
    }
    if (!table.rows.empty()) section.elements.push_back(element::Numbers{std::move(table), false});
  }

  // What else there is, as its head is written.
  void add_members(const Item& owner, PageSection& section) {
    PageTable table = table_of("Members", {"member", "what it is"});
    table.columns.front().is_prose = true;
    const auto* members = frontend::check::members_of(owner);
    for (std::size_t i = 0; members != nullptr && i < members->size(); ++i) {
      const Item& one = *(*members)[i];
      if (is_any_of<item::Param, item::Output>(one) || !worth_showing(one)) continue;
      table.rows.push_back({fmt::format("`{}`", signature(session_.sources(), one)), one.doc});
    }
    if (!table.rows.empty()) section.elements.push_back(element::Numbers{std::move(table), false});
  }

  // --- costs ---

  void add_costs(const Item& machine, PageSection& section) {
    const auto results = message_costs(session_, machine, {}, {});
    std::string why;
    for (const auto& d : session_.diagnostics().all()) {
      if (why.empty() && d.severity == frontend::Severity::error) why = d.message;
    }
    session_.withhold();
    if (!results || results->outputs.empty() || !why.empty()) {
      const std::string reason = why.empty() ? "" : ": " + why;
      section.elements.push_back(element::Words{"Without further values its messages have no costs" + reason + "."});
      return;
    }
    const Plot plot = plot_of(machine.name.text, results->outputs.front());
    if (plot.series.empty()) {
      section.elements.push_back(element::Words{"Its messages take no time."});
      return;
    }
    make_room_for_drawing(session_.console());
    auto drawn = draw_specification(vega_lite(plot, Medium::inset), drawing::Format::svg);
    if (auto* svg = std::get_if<0>(&drawn))
      section.elements.push_back(element::Drawing{plot.title, plot.words, with_own_names(std::move(*svg))});
    else {
      trouble_ = std::get<1>(drawn);
      section.elements.push_back(element::Numbers{page_table(plot, plot.points.size()), false});
    }
  }

  static Plot plot_of(const std::string& machine, const OutputTable& costs) {
    constexpr double ps_in_us = 1e6;
    Plot plot;
    plot.title = "A message on " + machine;
    plot.x = {"size", "B", true, {}};
    plot.y = {"time", "us", true, {}};
    plot.by = "time to";
    const auto sizes = numbers_of(costs, "size");
    for (const char* const name : {"send", "receive", "total"}) {
      const auto times = numbers_of(costs, name);
      const bool is_drawn =
          times.size() == sizes.size() && std::all_of(times.begin(), times.end(), [](double t) { return t > 0; });
      if (!is_drawn) continue;  // nothing is where a logarithm begins
      for (std::size_t i = 0; i < sizes.size(); ++i)
        plot.points.push_back({sizes[i], times[i] / ps_in_us, 0, plot.series.size(), false});
      plot.series.emplace_back(name);
    }
    plot.words = describe(plot);
    return plot;
  }

  // Several drawings on one page must not have parts of the same name.
  std::string with_own_names(std::string svg) {
    const std::string own = fmt::format("picture-{}-", ++drawings_);
    for (const char* const before : {" id=\"", "url(#"}) {
      const std::string mark = before;
      for (std::size_t at = 0; (at = svg.find(mark, at)) != std::string::npos; at += mark.size() + own.size())
        svg.insert(at + mark.size(), own);
    }
    return svg;
  }

  const ModuleList& list_;
  Session& session_;
  std::vector<const Module*> modules_;
  SitePlaces places_;
  FolderTexts files_;
  element::Search search_;
  std::size_t drawings_ = 0;
  std::string trouble_;
};

}  // namespace

SitePlaces::SitePlaces(const ModuleList& list, const std::vector<const Module*>& modules) {
  for (std::size_t i = 0; i < modules.size(); ++i) {
    const std::string& name = list.modules[i].name;
    const bool is_file_name = frontend::is_dotted(name) && name.size() <= longest_file_name;
    names_.emplace(modules[i], name);
    files_.emplace(modules[i], is_file_name ? name : fmt::format("module-{}", i + 1));
    by_file_.emplace(modules[i]->file, modules[i]);
  }
}

std::string SitePlaces::of(const Item& item) const {
  return files_.count(item.module) ? page(*item.module) + "#" + anchor_of(item) : "";
}

std::string SitePlaces::of(const frontend::Sources& sources, Location place) const {
  const auto module = by_file_.find(place.file);
  if (module == by_file_.end()) return "";
  return fmt::format("{}#L{}", text(*module->second), sources.line_column(place.file, place.begin).line);
}

int write_site(const ModuleList& list, const std::string& path, Session& session) {
  Console& console = session.console();
  if (asset("page.css").empty()) {
    return report_without_location(console, DiagnosticKind::engine_unavailable,
                                   "this program was built without what pages are drawn with",
                                   "build it with WAVE_PICTURES=ON");
  }
  Client* const client = console.client();
  if (const std::string trouble = client ? "" : trouble_of_folder(path); !trouble.empty())
    return report_without_location(console, DiagnosticKind::cannot_write, fmt::format("cannot write `{}`", path),
                                   trouble);
  if (!load_all(list, session)) return failure;
  Site site(list, session);
  FolderTexts files = site.write();
  if (!site.trouble().empty())
    console.remark(fmt::format("costs of machines are tables instead of pictures: {}\n", site.trouble()));
  if (client) {
    for (const auto& [name, text] : files) client->file(path + "/" + name, text);
    return success;
  }
  if (const std::string trouble = replace_folder(path, files); !trouble.empty())
    return report_without_location(console, DiagnosticKind::cannot_write, fmt::format("cannot write `{}`", path),
                                   trouble);
  console.remark(fmt::format("{} modules; open {}/{}\n", list.modules.size(), path, index_page));
  return success;
}

}  // namespace wave::cli
