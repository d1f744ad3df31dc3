// JSON that is written from its beginning to its end.
#pragma once

#include <nlohmann/json.hpp>

#include <string>
#include <string_view>
#include <vector>

namespace wave::api {

class JsonText {
 public:
  JsonText& begin_object() { return open(nlohmann::ordered_json::object()); }
  JsonText& end_object() { return close(); }
  JsonText& begin_array() { return open(nlohmann::ordered_json::array()); }
  JsonText& end_array() { return close(); }
  JsonText& key(std::string_view name) {
    key_ = name;
    return *this;
  }
  template <class Value>
  JsonText& value(const Value& value) {
    add(value);
    return *this;
  }
  JsonText& null() { return value(nullptr); }
  JsonText& texts(std::string_view name, const std::vector<std::string>& texts) { return key(name).value(texts); }
  // Malformed UTF-8 becomes U+FFFD.
  std::string take() const { return top_.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace); }

 private:
  nlohmann::ordered_json& add(nlohmann::ordered_json value) {
    if (open_.empty()) return top_ = std::move(value);
    auto& inside = *open_.back();
    if (inside.is_array()) return inside.emplace_back(std::move(value));
    return inside[key_] = std::move(value);
  }
  JsonText& open(nlohmann::ordered_json value) {
    open_.push_back(&add(std::move(value)));  // stays where it is while it is open: only it grows
    return *this;
  }
  JsonText& close() {
    open_.pop_back();
    return *this;
  }

  nlohmann::ordered_json top_;
  std::vector<nlohmann::ordered_json*> open_;
  std::string key_;
};

}  // namespace wave::api
