// See programs.h.
#include "api/c/programs.h"

#include "analysis/study/description.h"
#include "base/digest.h"
#include "frontend/check/modules.h"
#include "frontend/lower/given.h"
#include "frontend/source/files.h"

#include <algorithm>

namespace wave::api {
namespace {

using frontend::DiagnosticKind;
using frontend::Item;

std::vector<const Item*> models_of(const frontend::Module& module) {
  std::vector<const Item*> models;
  for (const auto& item : module.items) {
    if (std::holds_alternative<frontend::item::Model>(item->node)) models.push_back(item.get());
  }
  return models;
}

frontend::SearchPath search_path(const Settings& settings, frontend::OpenTexts modules) {
  return {settings.folders, {}, std::move(modules)};
}

}  // namespace

LoadedProgram::LoadedProgram(Settings given, const std::string& name, const std::string* text,
                             frontend::OpenTexts modules)
    : settings(std::move(given)), name(name) {
  frontend::Diagnostics diagnostics;
  read_within(limits_of(settings, nullptr),
              [&] { program_ = frontend::load(name, search_path(settings, std::move(modules)), diagnostics, text); });
  if (diagnostics.has_errors() || program_->modules.empty()) fail(program_->sources, diagnostics);
  if (!diagnostics.all().empty()) warnings = std::make_shared<Error>(WAVE_OK, program_->sources, diagnostics);
  for (const Item* model : models_of(program_->main())) model_names.push_back(model->name.text);
  for (const std::string& model : imported_models(program_->main())) model_names.push_back(model);
}

const Item* LoadedProgram::choose_model(const std::string& wanted) const {
  const auto models = models_of(program_->main());
  for (const Item* model : models) {
    if (model->name.text == (wanted.empty() ? "main" : wanted) || (wanted.empty() && models.size() == 1)) return model;
  }
  const Item* imported = wanted.empty() ? nullptr : find_imported(program_->main(), wanted);
  return imported && std::holds_alternative<frontend::item::Model>(imported->node) ? imported : nullptr;
}

void LoadedProgram::check_given(const Item& model, const std::string& given) {
  if (overrides_.count({&model, given}) != 0) return;
  frontend::Diagnostics diagnostics;
  read_within(limits_of(settings, nullptr), [&] {
    auto checked = frontend::check_given(*program_, model, {given}, diagnostics);
    if (!diagnostics.has_errors() && checked.size() == 1)
      overrides_.emplace(Key{&model, given}, std::move(checked.front()));
  });
  if (diagnostics.has_errors()) fail(program_->sources, diagnostics);
}

const std::string& LoadedProgram::id() {
  const auto lock = reading();
  if (id_.empty()) {
    analysis::StudyDescription all;
    all.version = WAVE_VERSION;
    all.inputs = analysis::inputs_of(*program_);
    id_ = hexadecimal(analysis::id_of(all));
  }
  return id_;
}

const wave_program_info& LoadedProgram::description() {
  id();
  const auto lock = reading();
  if (!description_.id) {
    const Item* const main = choose_model("");
    main_ = main ? main->name.text : "";
    model_lines_ = lines_of(model_names);
    description_ = {0, id_.c_str(), model_lines_.c_str(), main_.c_str()};
  }
  return description_;
}

std::string stand_in_name(const std::string& path, const std::string& text) { return path + "<-" + text; }

void LoadedProgram::check_stand_in(const Item& model, const std::string& path, const std::string& text) {
  const Key key{&model, stand_in_name(path, text)};
  if (overrides_.count(key) != 0) return;
  frontend::Diagnostics diagnostics;
  read_within(limits_of(settings, nullptr), [&] {
    const auto type = parameter_type(*program_, model, path, {}, diagnostics);
    if (!type) return;
    auto value = frontend::check_expression(*program_, &model, path, text, type, diagnostics);
    if (!value) return;
    auto [place, is_new] = set_from_outside_.try_emplace(path);
    if (is_new)
      place->second = {program_->sources.add("the value of " + path, path), 0, static_cast<std::uint32_t>(path.size())};
    overrides_.emplace(key, frontend::Override{path, std::move(value), place->second});
  });
  if (diagnostics.has_errors()) fail(program_->sources, diagnostics);
}

std::string LoadedProgram::known_stand_in(const Item& model, const std::string& path) const {
  const auto found = stand_ins_.find({&model, path});
  return found == stand_ins_.end() ? "" : found->second;
}

void LoadedProgram::remember_stand_ins(const Item& model, const std::map<std::string, std::string>& texts) {
  for (const auto& [path, text] : texts) stand_ins_.emplace(Key{&model, path}, text);
}

void LoadedProgram::with_overrides(const Item& model, const std::vector<std::string>& given,
                                   const std::function<void(const std::vector<frontend::Override>&)>& use) {
  struct Lent {
    std::vector<frontend::Override*> owners;
    std::vector<frontend::Override> all;
    ~Lent() {
      for (std::size_t i = 0; i < all.size(); ++i) *owners[i] = std::move(all[i]);
    }
  } lent;
  lent.owners.reserve(given.size());
  lent.all.reserve(given.size());
  for (const std::string& one : given) {
    frontend::Override& owner = overrides_.at({&model, one});
    lent.owners.push_back(&owner);
    lent.all.push_back(std::move(owner));
  }
  use(lent.all);
}

}  // namespace wave::api

using namespace wave::api;

namespace {

wave_program* load(wave_context* context, const std::string& name, const std::string* text,
                   const std::vector<std::pair<std::string, std::string>>& modules) {
  auto settings = get<Context>(context, "context")->settings();
  wave::frontend::OpenTexts texts;
  const std::string folder = wave::frontend::folder_of(name);
  for (const auto& [module, its_text] : modules) {
    std::string file = module;
    std::replace(file.begin(), file.end(), '.', '/');
    const std::string path = wave::frontend::join(folder.empty() ? "." : folder, file + ".wave");
    texts[wave::frontend::canonical(path)] = std::make_shared<const std::string>(its_text);
  }
  return open_handle<wave_program>(std::make_shared<LoadedProgram>(std::move(settings), name, text, std::move(texts)));
}

}  // namespace

extern "C" {

wave_status wave_program_load(wave_context* context, const char* name, const char* text, const wave_module* modules,
                              size_t module_count, wave_program** program, wave_error** error) {
  return call(error, [&] {
    need(name, "name");
    need_array(modules, module_count, "modules");
    need(program, "program");
    if (!text && std::string(name) == "-") throw Misuse{"`name` is `-`: the library reads no standard input"};
    std::vector<std::pair<std::string, std::string>> all;
    for (size_t i = 0; i < module_count; ++i) {
      need(modules[i].name, "modules.name");
      need(modules[i].text, "modules.text");
      all.emplace_back(modules[i].name, modules[i].text);
    }
    const std::string own = text ? text : "";
    *program = load(context, name, text ? &own : nullptr, all);
  });
}

wave_status wave_program_describe(wave_program* program, wave_program_info* info, wave_error** error) {
  return call(error, [&] {
    const auto found = get<LoadedProgram>(program, "program");
    need(info, "info");
    fill(info, found->description(), "info");
  });
}

}  // extern "C"
