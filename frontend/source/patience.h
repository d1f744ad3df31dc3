// Reading and checking that is given up before its end: it takes too long, or nobody wants the result any more. Whoever
// waits says so for the thread that reads, since hardly any of the functions on the way has to know.
#pragma once

#include <functional>

namespace wave::frontend {

// Passes through the front end as std::bad_alloc does. What was being read is of no use then.
struct GivenUp {};

// While one lives, the front end asks it now and then on this thread, besides those that live longer.
class Patience {
 public:
  explicit Patience(std::function<bool()> is_over);
  ~Patience();
  Patience(const Patience&) = delete;
  Patience& operator=(const Patience&) = delete;

  // Called wherever a text makes work: for each token, expression and declaration. Throws GivenUp.
  static void ask();

 private:
  bool ends() const;

  std::function<bool()> is_over_;
  Patience* outer_;
  unsigned calls_ = 0;
};

}  // namespace wave::frontend
