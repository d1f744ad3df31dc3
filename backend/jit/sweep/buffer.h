// Memory for vectors.
#pragma once

#include <algorithm>
#include <cstddef>
#include <new>

namespace wave::jit::sweep {

// Zeroed vectors, aligned for the widest.
class Buffer {
 public:
  explicit Buffer(std::size_t doubles) {
    if (doubles > 0) data_ = static_cast<double*>(::operator new(doubles * sizeof(double), alignment));
    std::fill(data_, data_ + doubles, 0.0);
  }
  ~Buffer() {
    if (data_) ::operator delete(data_, alignment);
  }
  Buffer(Buffer&& other) noexcept : data_(other.data_) { other.data_ = nullptr; }
  Buffer(const Buffer&) = delete;
  Buffer& operator=(const Buffer&) = delete;
  Buffer& operator=(Buffer&&) = delete;
  double* data() const { return data_; }

 private:
  static constexpr std::align_val_t alignment{64};
  double* data_ = nullptr;
};

}  // namespace wave::jit::sweep
