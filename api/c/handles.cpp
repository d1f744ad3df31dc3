// See handles.h.
#include "api/c/handles.h"

#include <cstdint>
#include <mutex>
#include <shared_mutex>
#include <unordered_map>

namespace wave::api {
namespace {

// What is open in this process.
class OpenHandles {
 public:
  void* add(std::shared_ptr<Object> object) {
    const std::unique_lock lock(mutex_);
    last_ += step;
    objects_.emplace(last_, std::move(object));
    return reinterpret_cast<void*>(last_);
  }
  std::shared_ptr<Object> find(const void* handle) const {
    const std::shared_lock lock(mutex_);
    const auto found = objects_.find(reinterpret_cast<std::uintptr_t>(handle));
    return found == objects_.end() ? nullptr : found->second;
  }
  void remove(const void* handle) {
    std::shared_ptr<Object> last;  // goes when the table is free again: it may take a while
    const std::unique_lock lock(mutex_);
    const auto found = objects_.find(reinterpret_cast<std::uintptr_t>(handle));
    if (found == objects_.end()) return;
    last = std::move(found->second);
    objects_.erase(found);
  }

 private:
  static constexpr std::uintptr_t step = 16;  // as aligned as any pointer

  mutable std::shared_mutex mutex_;
  std::unordered_map<std::uintptr_t, std::shared_ptr<Object>> objects_;
  std::uintptr_t last_ = 0;
};

// Never destroyed: other threads may still be calling when the process ends.
OpenHandles& open_handles() {
  static OpenHandles& all = *new OpenHandles;
  return all;
}

}  // namespace

void Object::set_option(const std::string&, const std::string&) {
  throw Misuse{"`handle` has no options", "contexts, models and questions have some"};
}

void Object::stop_call() { throw Misuse{"`handle` cannot be stopped", "models, batches and questions can"}; }

std::shared_ptr<Error> Object::said() { throw Misuse{"`handle` has no warnings", "programs and results have some"}; }

void* add_handle(std::shared_ptr<Object> object) { return open_handles().add(std::move(object)); }

std::shared_ptr<Object> find_handle(const void* handle) { return open_handles().find(handle); }

void remove_handle(const void* handle) { open_handles().remove(handle); }

void refuse_handle(const void* handle, const char* argument, const char* kind, bool is_open) {
  const std::string name = std::string("`") + argument + "`";
  if (handle == nullptr) throw Misuse{name + " is a null pointer"};
  if (is_open) throw Misuse{name + " is a handle of another kind: a " + kind + " is expected"};
  throw Misuse{name + " is no open " + kind, "it may have been closed already"};
}

}  // namespace wave::api
