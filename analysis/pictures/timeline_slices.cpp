// See timeline_slices.h.
#include "analysis/pictures/timeline_slices.h"

#include <algorithm>
#include <functional>
#include <limits>
#include <map>

namespace wave::analysis::pictures {

namespace {

using backend::processes::Slice;

class Innermost {
 public:
  // A slice without a name shows nothing.
  explicit Innermost(std::function<std::string(const Slice&)> name) : name_(std::move(name)) {}

  std::vector<ShownSlice> of(const std::vector<const Slice*>& slices) {
    for (const Slice* const slice : slices) {
      close(slice->begin);
      show(slice->begin);
      open_.push_back(slice);
    }
    close(std::numeric_limits<double>::infinity());
    return std::move(shown_);
  }

 private:
  void show(double until) {
    if (!open_.empty() && until > at_) {
      if (std::string name = name_(*open_.back()); !name.empty()) shown_.push_back({at_, until, std::move(name)});
    }
    at_ = std::max(at_, until);
  }
  void close(double until) {
    while (!open_.empty() && open_.back()->end <= until) {
      show(open_.back()->end);
      open_.pop_back();
    }
  }

  std::function<std::string(const Slice&)> name_;
  std::vector<const Slice*> open_;
  std::vector<ShownSlice> shown_;
  double at_ = 0;
};

}  // namespace

std::vector<ShownSlice> activities_of(const std::vector<const Slice*>& slices) {
  return Innermost([](const Slice& slice) {
           return slice.kind == Slice::Kind::phase ? std::string() : std::string(slice_kind(slice));
         })
      .of(slices);
}

std::vector<ShownSlice> phases_of(const std::vector<const Slice*>& slices, const ir::Process& process) {
  std::vector<const Slice*> phases;
  std::ranges::copy_if(slices, std::back_inserter(phases),
                       [](const Slice* slice) { return slice->kind == Slice::Kind::phase; });
  return Innermost([&](const Slice& slice) { return process.phases[slice.phase.index]; }).of(phases);
}

std::vector<ShownSlice> merged(std::vector<ShownSlice> slices, double shortest) {
  std::vector<ShownSlice> result;
  std::map<std::string, double> times;  // of the last one's parts, by name
  for (ShownSlice& slice : slices) {
    const bool touches = !result.empty() && slice.begin == result.back().end;
    const bool is_alike = touches && slice.name == result.back().name;
    const bool is_unseen = !result.empty() && slice.end - result.back().begin < shortest;
    if (!is_alike && !is_unseen) times.clear();
    times[slice.name] += slice.end - slice.begin;
    if (is_alike || is_unseen) {
      result.back().end = slice.end;
      result.back().name = std::ranges::max_element(times, {}, [](const auto& one) { return one.second; })->first;
    } else {
      result.push_back(std::move(slice));
    }
  }
  return result;
}

}  // namespace wave::analysis::pictures
