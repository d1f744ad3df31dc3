// See grammar.h. Reads the notation of ANTLR as far as the parser's grammar uses it.
#include "tests/scaling/grammar.h"

#include <algorithm>
#include <cctype>
#include <cstddef>
#include <map>
#include <set>
#include <string_view>

namespace wave::test {
namespace {

bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }
bool is_rule(const std::string& token) { return std::islower(static_cast<unsigned char>(token.front())) != 0; }

// Words and symbols of the rules. The head of the grammar and its options are left out, and so are comments.
std::vector<std::string> tokens_of(const std::string& grammar) {
  std::vector<std::string> tokens;
  std::size_t at = grammar.find('}') + 1;
  while (at < grammar.size()) {
    if (grammar.compare(at, 2, "//") == 0) {
      at = std::min(grammar.find('\n', at), grammar.size());
      continue;
    }
    std::size_t end = at;
    while (end < grammar.size() && is_word(grammar[end])) ++end;
    if (end == at && std::isspace(static_cast<unsigned char>(grammar[at])) == 0) end = at + 1;
    if (end > at) tokens.push_back(grammar.substr(at, end - at));
    at = std::max(end, at + 1);
  }
  return tokens;
}

struct Rule {
  std::string name;
  std::vector<std::string> alternatives;  // as texts
  std::vector<bool> has_rules;            // in which of them
  std::vector<std::string> lists;         // with their `*` or `+`
  std::set<std::string> refers;           // to other rules
};

class Reader {
 public:
  explicit Reader(const std::string& grammar) : tokens_(tokens_of(grammar)) {}

  std::vector<Rule> run() {
    std::vector<Rule> rules;
    while (at_ + 1 < tokens_.size()) {
      rule_ = {};
      rule_.name = take();
      take();  // the colon
      read_alternatives(true);
      take();  // the semicolon
      rules.push_back(rule_);
    }
    return rules;
  }

 private:
  // A text that ends too soon ends with semicolons.
  std::string take() { return at_ < tokens_.size() ? tokens_[at_++] : ";"; }
  bool is_at(std::string_view token) const { return (at_ < tokens_.size() ? tokens_[at_] : ";") == token; }

  std::string read_alternatives(bool are_of_rule) {
    std::string all;
    do {
      if (!all.empty()) all += " " + take() + " ";
      bool has_rules = false;
      const std::string one = read_sequence(has_rules);
      all += one;
      if (!are_of_rule) continue;
      rule_.alternatives.push_back(one);
      rule_.has_rules.push_back(has_rules);
    } while (is_at("|"));
    return all;
  }

  std::string read_sequence(bool& has_rules) {
    std::string all;
    while (!is_at("|") && !is_at(")") && !is_at(";")) {
      std::string one = take();
      if (one == "(") {
        const std::size_t before = rule_.refers.size();
        one += read_alternatives(false);
        one += take();
        has_rules |= rule_.refers.size() > before;
      } else if (is_rule(one)) {
        rule_.refers.insert(one);
        has_rules = true;
      }
      if (is_at("*") || is_at("+") || is_at("?")) one += take();
      if (one.back() == '*' || one.back() == '+') rule_.lists.push_back(one);
      all += (all.empty() ? "" : " ") + one;
    }
    return all;
  }

  std::vector<std::string> tokens_;
  std::size_t at_ = 0;
  Rule rule_;
};

bool is_in_itself(const std::string& name, const std::map<std::string, std::set<std::string>>& refers) {
  std::set<std::string> met;
  std::vector<std::string> open{name};
  while (!open.empty()) {
    const auto found = refers.find(open.back());
    open.pop_back();
    if (found == refers.end()) continue;
    for (const std::string& next : found->second) {
      if (next == name) return true;
      if (met.insert(next).second) open.push_back(next);
    }
  }
  return false;
}

}  // namespace

std::vector<std::string> what_grows(const std::string& grammar) {
  const std::vector<Rule> rules = Reader(grammar).run();
  std::map<std::string, std::set<std::string>> refers;
  for (const Rule& rule : rules) refers[rule.name] = rule.refers;
  std::vector<std::string> all;
  for (const Rule& rule : rules) {
    std::map<std::string, int> met;
    for (const std::string& list : rule.lists) {
      const int number = ++met[list];
      all.push_back(rule.name + ": " + list + (number > 1 ? " (" + std::to_string(number) + ")" : ""));
    }
    if (is_in_itself(rule.name, refers)) all.push_back(rule.name + " in itself");
    // A rule with several alternatives of rules is a choice between kinds of nodes.
    const auto kinds = std::count(rule.has_rules.begin(), rule.has_rules.end(), true);
    for (std::size_t i = 0; i < rule.alternatives.size(); ++i) {
      if (rule.alternatives.size() > 2 && kinds > 1 && rule.has_rules[i])
        all.push_back(rule.name + " | " + rule.alternatives[i]);
    }
  }
  return all;
}

}  // namespace wave::test
