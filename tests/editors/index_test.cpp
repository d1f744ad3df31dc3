// The index of a project answers after any edits as a server does that has just read everything.
#include "tests/editors/client.h"
#include "tests/random/environment.h"

#include <catch2/catch.hpp>

#include <cctype>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <optional>
#include <random>
#include <set>
#include <unistd.h>

using namespace wave::editors;
using testing::Client;
namespace fs = std::filesystem;

namespace {

constexpr int modules = 8;  // some of them in a folder of their own

std::string module_name(int i) { return "m" + std::to_string(i); }
std::string module_path(int i) { return (i % 3 == 2 ? "sub/" : "") + module_name(i) + ".wave"; }

// A folder of models that a random hand edits, in two ways: in an editor, and behind its back.
class RandomProject {
 public:
  explicit RandomProject(unsigned seed)
      : random_(seed), has_cycles_(seed % 3 == 1), has_open_functions_(seed % 3 == 2) {
    folder_ = fs::canonical(fs::temp_directory_path()) / ("wave-index-" + std::to_string(getpid()));
    fs::remove_all(folder_);
    fs::create_directories(folder_ / "sub");
    for (int i = 0; i < modules; ++i) {
      if (chance(6)) write(i, text_of(i));
    }
    client_ = fresh();
  }
  ~RandomProject() { fs::remove_all(folder_); }

  void edit() {
    const int i = below(modules);
    const std::string path = path_of(i);
    const bool is_open = open_.count(path) > 0;
    switch (below(8)) {
      case 0:
      case 1:
      case 2: type(path, text_of(i)); break;
      case 3: is_open ? close(path) : type(path, text_of(i)); break;
      case 4: is_open ? save(i) : write_behind(i); break;
      case 5: write_behind(i); break;
      case 6: remove(path); break;
      default: toggle_manifest(); break;
    }
  }

  void compare() {
    const auto other = fresh();
    for (const auto& [path, text] : open_) other->open(path, text);
    const auto same = [&](const std::string& method, const Json& params) {
      INFO(method << " " << params.dump());
      CHECK(response(*client_, method, params) == response(*other, method, params));
    };
    same("workspace/symbol", {{"query", ""}});
    for (const auto& [path, text] : open_) {
      for (const Json& position : names_in(text)) {
        const Json about = {{"textDocument", {{"uri", Client::uri(path)}}},
                            {"position", position},
                            {"context", {{"includeDeclaration", true}}},
                            {"newName", chance(2) ? "renamed" : "v1"}};
        same("textDocument/references", about);
        same("textDocument/rename", about);
        const Json items = response(*other, "textDocument/prepareCallHierarchy", about)["result"];
        if (items.is_array()) same("callHierarchy/incomingCalls", {{"item", items[0]}});
      }
    }
  }

  std::size_t references_seen() {
    std::size_t seen = 0;
    for (const auto& [path, text] : open_) {
      for (const Json& position : names_in(text))
        seen += response(*client_, "textDocument/references",
                         {{"textDocument", {{"uri", Client::uri(path)}}},
                          {"position", position},
                          {"context", {{"includeDeclaration", false}}}})["result"]
                    .size();
    }
    return seen;
  }

 private:
  int below(int n) { return std::uniform_int_distribution<int>(0, n - 1)(random_); }
  bool chance(int of) { return below(of) != 0; }
  std::string path_of(int i) const { return (folder_ / module_path(i)).string(); }

  std::unique_ptr<Client> fresh() const {
    return std::make_unique<Client>(Json::object(), std::vector<std::string>{folder_.string()},
                                    Json{{"evaluate", false}});
  }

  // Imports of other modules, by a name or a path, sometimes of one that is not there or that imports this one.
  std::string text_of(int i) {
    const std::string own = std::to_string(i);
    std::string text = "wave 1\n", used = "1";
    for (int k = below(3); k > 0; --k) {
      const int j = has_cycles_ && !chance(4) ? below(modules) : below(i + 1);
      const std::string name = module_name(j), other = std::to_string(j);
      if (j == i || text.find(name) != std::string::npos) continue;
      const std::string prefix = chance(4) ? "import " : "export import ";
      const int form = below(4);
      if (form == 0) text += prefix + "\"" + (i % 3 == 2 ? "../" : "./") + module_path(j) + "\"\n";
      if (form == 1) text += prefix + name + " { v" + other + ", f" + other + " as g" + own + ", M" + other + " }\n";
      if (form == 2) text += prefix + (j % 3 == 2 ? "sub." : "") + name + "\n";
      if (form == 3) text += prefix + "mine." + (j % 3 == 2 ? "sub." : "") + name + "\n";
      used = form == 1 ? "v" + other + " + g" + own + "(2)"
                       : name + ".v" + other + " + " + name + ".f" + other + "(x = 3)";
      if (form == 1 && chance(3) && text.find("machine") == std::string::npos)
        text += "machine M" + own + " extends M" + other + " {\n  let own = L\n}\n";
    }
    if (chance(3)) text += "// some words\n";
    if (text.find("machine") == std::string::npos) text += "machine M" + own + " { param L: time = 1 us }\n";
    text += "let v" + own + " = " + used + "\n";
    text += "fn f" + own + "(x: int): int = x + v" + own + "\n";
    if (has_open_functions_ && !chance(3))
      text += "fn any" + own + "(m) = m.L\nlet t" + own + " = any" + own + "(M" + own + "())\n";
    return text;
  }

  // The beginnings of some words of a text.
  std::vector<Json> names_in(const std::string& text) {
    std::vector<Json> all;
    int line = 0, character = 0;
    bool is_inside = false;
    for (const char c : text) {
      const bool is_letter = std::isalnum(static_cast<unsigned char>(c)) || c == '_';
      if (is_letter && !is_inside && !chance(4)) all.push_back({{"line", line}, {"character", character}});
      is_inside = is_letter;
      ++character;
      if (c == '\n') ++line, character = 0;
    }
    return all;
  }

  static Json response(Client& client, const std::string& method, const Json& params) {
    const int id = client.begin(method, params);
    client.settle();
    for (const Json& message : client.sent()) {
      if (message.contains("id") && message["id"] == id) {
        Json found = message;
        found.erase("id");
        return found;
      }
    }
    return nullptr;
  }

  void write(int i, const std::string& text) { std::ofstream(path_of(i)) << text; }
  void watched(const std::string& path) {
    client_->notify("workspace/didChangeWatchedFiles", {{"changes", {{{"uri", Client::uri(path)}, {"type", 2}}}}});
  }
  void type(const std::string& path, const std::string& text) {
    open_.count(path) ? client_->type(path, text) : client_->open(path, text);
    open_[path] = text;
  }
  void close(const std::string& path) {
    open_.erase(path);
    client_->close(path);
  }
  void save(int i) {
    write(i, open_[path_of(i)]);
    client_->notify("textDocument/didSave", {{"textDocument", {{"uri", Client::uri(path_of(i))}}}});
  }
  void write_behind(int i) {
    write(i, text_of(i));
    watched(path_of(i));
  }
  void remove(const std::string& path) {
    fs::remove(path);
    watched(path);
  }
  void toggle_manifest() {
    const fs::path path = folder_ / (chance(2) ? "wave.toml" : "sub/wave.toml");
    if (fs::exists(path))
      fs::remove(path);
    else
      std::ofstream(path) << "[project]\nname = \"mine\"\nversion = \"0.1.0\"\n";
    watched(path.string());
  }

  std::mt19937 random_;
  // Either has all files of the project read together, so some projects have neither.
  bool has_cycles_, has_open_functions_;
  fs::path folder_;
  std::map<std::string, std::string> open_;  // texts by path
  std::unique_ptr<Client> client_;
};

}  // namespace

TEST_CASE("after any edits the index answers as a server that has just read everything") {
  const char* const given = std::getenv("WAVE_SEED");
  const unsigned first = given ? static_cast<unsigned>(std::stoul(given)) : 44;
  const auto projects = static_cast<unsigned>(wave::test::number_from("WAVE_COUNT", wave::test::fewer(9)));
  std::size_t seen = 0;
  for (unsigned seed = first; seed < first + projects; ++seed) {
    RandomProject project(seed);
    for (int step = 0; step < 12; ++step) {
      INFO("WAVE_SEED=" << seed << ", step " << step);
      project.edit();
      project.compare();
    }
    seen += project.references_seen();
  }
  CHECK(seen * 9 > 50 * projects);  // so that it was about something
}

TEST_CASE("a file that imports an edited one through another is read again") {
  Client client;
  client.open("/p/a.wave", "machine A { param ‹a›L: time = 1 us }\n");
  client.open("/p/b.wave", "import a { A }\nmachine B extends A { }\n");
  client.open("/p/c.wave", "import b { B }\nmachine C extends B { let own = ‹c›L }\n");
  const Json all = {{"context", {{"includeDeclaration", true}}}};
  CHECK(client.ask("references", "a", all).size() == 2);
  client.type("/p/a.wave", "// What was here before stands further below.\nmachine A { param ‹a›L: time = 1 us }\n");
  CHECK(client.ask("references", "a", all).size() == 2);
  CHECK(client.ask("references", "c", all).size() == 2);
}

TEST_CASE("a text that is typed is found before it is saved, and the saved one after the document is closed") {
  const fs::path folder = fs::canonical(fs::temp_directory_path()) / ("wave-typed-" + std::to_string(getpid()));
  fs::create_directories(folder);
  std::ofstream(folder / "a.wave") << "let saved = 1\n";
  Client client(Json::object(), {folder.string()});
  const auto names = [&] {
    std::vector<std::string> all;
    for (const Json& one : client.request("workspace/symbol", {{"query", ""}})) all.push_back(one["name"]);
    return all;
  };
  CHECK(names() == std::vector<std::string>{"saved"});
  client.open((folder / "a.wave").string(), "let typed = 1\nlet another = 2\n");
  CHECK(names() == std::vector<std::string>{"typed", "another"});
  client.close((folder / "a.wave").string());
  CHECK(names() == std::vector<std::string>{"saved"});
  fs::remove_all(folder);
}
