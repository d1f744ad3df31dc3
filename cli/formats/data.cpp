// See data.h.
#include "cli/formats/data.h"

namespace wave::cli {

DataWriter& DataWriter::key(std::string_view name) {
  key_ = name;
  return *this;
}

Data& DataWriter::add(Data data) {
  if (open_.empty()) return top_ = std::move(data);
  if (auto* const object = std::get_if<Data::Object>(&open_.back()->is))
    return object->members.emplace_back(std::move(key_), std::move(data)).second;
  return std::get<Data::List>(open_.back()->is).items.emplace_back(std::move(data));
}

DataWriter& DataWriter::put(Data data) {
  add(std::move(data));
  return *this;
}

DataWriter& DataWriter::open(Data data) {
  open_.push_back(&add(std::move(data)));
  return *this;
}

DataWriter& DataWriter::close() {
  open_.pop_back();
  return *this;
}

DataWriter& DataWriter::texts(std::string_view name, const std::vector<std::string>& texts, Layout layout) {
  key(name).begin_array(layout);
  for (const auto& text : texts) value(text);
  return end_array();
}

}  // namespace wave::cli
