// Memory that counts against the limit as long as this lives.
#pragma once

#include <cstdint>
#include <functional>

namespace wave::backend::processes {

class Claimed {
 public:
  // `claim`: bytes, or bytes given back (negative); throws Failed where the limit is exceeded. It has to live as long.
  Claimed(const std::function<void(std::int64_t bytes)>& claim, std::int64_t bytes) : claim_(claim), bytes_(bytes) {
    claim_(bytes_);
  }
  ~Claimed() { claim_(-bytes_); }
  Claimed(const Claimed&) = delete;

 private:
  const std::function<void(std::int64_t)>& claim_;
  std::int64_t bytes_;
};

}  // namespace wave::backend::processes
