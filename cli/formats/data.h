// A document for programs: members and lists of values, as JSON has them. Rows of a table and what is known only behind
// them have a place in it, and are not there before they are written.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace wave::cli {

// Whether members stand on a line each.
enum class Layout { compact, lines };

struct Data {
  struct List {
    Layout layout = Layout::compact;
    std::vector<Data> items;
  };
  struct Object {
    Layout layout = Layout::compact;
    std::vector<std::pair<std::string, Data>> members;
  };
  // The rows of a table of the document: lists, or objects by the columns' names.
  struct Rows {
    std::size_t table = 0;
    bool are_objects = false;
  };
  using Later = std::function<Data()>;

  std::variant<std::nullptr_t, bool, std::int64_t, double, std::string, List, Object, Rows, Later> is = nullptr;
};

// Makes one from its beginning to its end.
class DataWriter {
 public:
  DataWriter& begin_object(Layout layout = Layout::compact) { return open({Data::Object{layout, {}}}); }
  DataWriter& end_object() { return close(); }
  DataWriter& begin_array(Layout layout = Layout::compact) { return open({Data::List{layout, {}}}); }
  DataWriter& end_array() { return close(); }
  DataWriter& key(std::string_view name);
  DataWriter& value(std::string_view text) { return put({std::string(text)}); }
  DataWriter& value(const std::string& text) { return put({text}); }
  DataWriter& value(const char* text) { return put({std::string(text)}); }
  DataWriter& value(double number) { return put({number}); }
  DataWriter& value(std::int64_t number) { return put({number}); }
  DataWriter& value(std::uint64_t number) { return put({static_cast<std::int64_t>(number)}); }
  DataWriter& value(std::uint32_t number) { return put({static_cast<std::int64_t>(number)}); }
  DataWriter& value(int number) { return put({static_cast<std::int64_t>(number)}); }
  DataWriter& value(bool truth) { return put({truth}); }
  DataWriter& value(Data data) { return put(std::move(data)); }
  DataWriter& null() { return put({nullptr}); }
  DataWriter& rows(std::size_t table, bool are_objects) { return put({Data::Rows{table, are_objects}}); }
  DataWriter& later(Data::Later make) { return put({std::move(make)}); }
  // A member that is a list of texts.
  DataWriter& texts(std::string_view name, const std::vector<std::string>& texts, Layout layout = Layout::compact);
  Data take() { return std::move(top_); }

 private:
  DataWriter& put(Data data);
  DataWriter& open(Data data);
  DataWriter& close();
  Data& add(Data data);

  Data top_;
  std::vector<Data*> open_;  // none of them moves while it is open
  std::string key_;
};

}  // namespace wave::cli
