// Counts of values by the leading bits of their keys (chunk_values.h), with the least and the greatest value of each
// bin. The first bits of a key are sign, exponent and ten bits of the mantissa: bins of a relative width of 2^-10.
#pragma once

#include "base/bytes.h"

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

namespace wave::analysis {

class Counters {
 public:
  struct Bin {
    std::uint64_t count = 0, least = 0, greatest = 0;  // keys
  };
  static constexpr int bits = 22;

  // Of all values.
  static Counters whole_values() { return Counters(0, 0); }
  // Of those whose keys begin with these bits, by the bits that follow.
  Counters(std::uint64_t prefix, int known_bits)
      : prefix_(prefix), known_(known_bits), pages_(std::size_t{1} << (bits - page_bits)) {}

  void add(std::uint64_t key) {
    if (known_ > 0 && key >> (64 - known_) != prefix_) return;
    Bin& bin = bin_of(key);
    if (bin.count++ == 0 || key < bin.least) bin.least = key;
    if (key > bin.greatest) bin.greatest = key;
  }
  void merge(const Counters& other);

  // Those with values, rising.
  std::vector<Bin> all() const;
  std::uint64_t count() const;
  std::uint64_t prefix() const { return prefix_; }
  // How many leading bits the keys of a bin have in common.
  int known_in_bins() const { return known_ + bits < 64 ? known_ + bits : 64; }

  void write(ByteWriter& writer) const;
  // Into counters of the same bits that have counted nothing. False: these are none.
  bool read(ByteReader& reader);

 private:
  static constexpr int page_bits = 10;
  using Page = std::array<Bin, std::size_t{1} << page_bits>;

  Bin& bin_of(std::uint64_t key) {
    const std::uint64_t index = key << known_ >> (64 - bits);
    auto& page = pages_[index >> page_bits];
    if (!page) page = std::make_unique<Page>();
    return (*page)[index & ((std::uint64_t{1} << page_bits) - 1)];
  }
  void add(const Bin& bin);

  std::uint64_t prefix_;
  int known_;
  std::vector<std::unique_ptr<Page>> pages_;
};

}  // namespace wave::analysis
