// Keeps compiled code between runs, in a folder with a file per entry. A file is found by the digest of everything that
// its code depends on, and carries a digest of its contents. A file that is cut short, damaged or foreign counts as
// missing, and is replaced.
//
// What is found is executed, so the folder must be its user's own: it is made for nobody else, and left alone where it
// belongs to somebody else or others may write to it. The same is asked of each file, which may be older than the
// rights of its folder. Files come about under other names and are renamed, so that processes at the same time do not
// disturb each other. Nothing here is an error: without a cache, code is compiled.
//
// LLVM has a cache of files (llvm::localCache, llvm::pruneCache), but it asks neither whose folder it is nor whether a
// file is whole, follows links, and ends the process where the room that is left on the disk cannot be found out.
#pragma once

#include "backend/jit/thresholds.h"
#include "base/digest.h"

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace wave::jit {

class KernelCache {
 public:
  // The files that have not been used for longest go beyond these bytes. One store in so many looks, by its key.
  struct Bound {
    std::size_t bytes = cache_bytes;
    unsigned stores = stores_between_looks;
  };

  explicit KernelCache(std::string folder);  // empty: no cache
  KernelCache(std::string folder, Bound bound);

  std::optional<std::string> find(const Digest& key);
  void store(const Digest& key, std::string_view contents);

  // Why there is no cache, or why it could not be written to; empty: all is well.
  const std::string& trouble() const { return trouble_; }

 private:
  int open_folder();  // negative: there is none, or none that may be used
  void trim(int folder);

  std::string folder_;
  Bound bound_;
  std::string trouble_;
};

}  // namespace wave::jit
