// See counters.h.
#include "analysis/study/reduce/counters.h"

#include <algorithm>

namespace wave::analysis {

void Counters::add(const Bin& bin) {
  Bin& own = bin_of(bin.least);
  own.least = own.count == 0 ? bin.least : std::min(own.least, bin.least);
  own.greatest = std::max(own.greatest, bin.greatest);
  own.count += bin.count;
}

void Counters::merge(const Counters& other) {
  for (const Bin& bin : other.all()) add(bin);
}

std::vector<Counters::Bin> Counters::all() const {
  std::vector<Bin> bins;
  for (const auto& page : pages_) {
    if (!page) continue;
    std::copy_if(page->begin(), page->end(), std::back_inserter(bins), [](const Bin& one) { return one.count > 0; });
  }
  return bins;
}

std::uint64_t Counters::count() const {
  std::uint64_t count = 0;
  for (const Bin& bin : all()) count += bin.count;
  return count;
}

void Counters::write(ByteWriter& writer) const {
  std::vector<std::uint64_t> numbers;
  for (const Bin& bin : all()) numbers.insert(numbers.end(), {bin.count, bin.least, bin.greatest});
  writer.numbers(numbers);
}

bool Counters::read(ByteReader& reader) {
  const auto numbers = reader.numbers<std::uint64_t>();
  if (!reader.ok() || numbers.size() % 3 != 0) return false;
  for (std::size_t i = 0; i < numbers.size(); i += 3) {
    const Bin bin{numbers[i], numbers[i + 1], numbers[i + 2]};
    const auto is_own = [&](std::uint64_t key) { return known_ == 0 || key >> (64 - known_) == prefix_; };
    const int rest = 64 - known_in_bins();
    if (bin.count == 0 || bin.least == 0 || bin.least > bin.greatest || !is_own(bin.least) ||
        bin.least >> rest != bin.greatest >> rest) {
      return false;
    }
    add(bin);
  }
  return true;
}

}  // namespace wave::analysis
