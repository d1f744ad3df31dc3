// A log as its benchmark wrote it, without what others have put into it on the way: escape sequences of terminals, and
// labels before each line (`mpirun --tag-output`, `srun -l`, time stamps, loggers). Lines of several ranks that are
// interleaved come one rank after the other.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace wave::analysis::machine_fit {

class CleanLog {
 public:
  // `text` outlives the log, and has less than 4 GiB.
  explicit CleanLog(std::string_view text);
  CleanLog(const CleanLog&) = delete;

  std::string_view text() const { return text_; }
  // Where a byte of the text is in what was given.
  std::uint32_t original(std::uint32_t at) const;
  // What was taken off, and what was moved.
  const std::vector<std::string>& notes() const { return notes_; }

 private:
  struct Piece {
    std::uint32_t at = 0, original = 0;
  };
  struct LabelledLine;

  void keep(std::string& out, std::vector<Piece>& pieces, std::uint32_t begin, std::uint32_t end) const;
  void take(std::string text, std::vector<Piece> pieces);
  void remove_escapes();
  bool has_labels() const;
  void remove_labels();
  std::vector<LabelledLine> labelled_lines() const;

  std::string_view text_;
  std::string own_;            // what `text_` is of, once something was taken off
  std::vector<Piece> pieces_;  // empty: nothing was
  std::vector<std::string> notes_;
};

}  // namespace wave::analysis::machine_fit
