// Reads the note NT_GNU_BUILD_ID by way of the program headers.
#include "backend/jit/build_id.h"

#include <cstring>
#include <dlfcn.h>
#include <elf.h>
#include <fcntl.h>
#include <link.h>
#include <unistd.h>

namespace wave::jit {

namespace {

class File {
 public:
  explicit File(const std::string& path) : number_(open(path.c_str(), O_RDONLY | O_CLOEXEC)) {}
  ~File() {
    if (number_ >= 0) close(number_);
  }
  File(const File&) = delete;
  File& operator=(const File&) = delete;

  bool read(void* into, std::size_t bytes, std::size_t offset) const {
    return number_ >= 0 && pread(number_, into, bytes, static_cast<off_t>(offset)) == static_cast<ssize_t>(bytes);
  }

 private:
  int number_;
};

constexpr std::size_t largest_notes = 4096;

std::size_t with_padding(std::size_t bytes) { return (bytes + 3) / 4 * 4; }

std::string find_id(const std::string& notes) {
  for (std::size_t at = 0; at + sizeof(ElfW(Nhdr)) <= notes.size();) {
    ElfW(Nhdr) note;
    std::memcpy(&note, notes.data() + at, sizeof note);
    const std::size_t name = at + sizeof note, content = name + with_padding(note.n_namesz);
    if (note.n_namesz > notes.size() || note.n_descsz > notes.size() || content + note.n_descsz > notes.size()) break;
    if (note.n_type == NT_GNU_BUILD_ID && notes.compare(name, 4, std::string("GNU\0", 4)) == 0) {
      return notes.substr(content, note.n_descsz);
    }
    at = content + with_padding(note.n_descsz);
  }
  return {};
}

}  // namespace

std::string build_id(const std::string& path) {
  const File file(path);
  ElfW(Ehdr) header;
  if (!file.read(&header, sizeof header, 0) || std::memcmp(header.e_ident, ELFMAG, SELFMAG) != 0) return {};
  for (std::size_t i = 0; i < header.e_phnum; ++i) {
    ElfW(Phdr) part;
    if (!file.read(&part, sizeof part, header.e_phoff + i * sizeof part)) return {};
    if (part.p_type != PT_NOTE || part.p_filesz > largest_notes) continue;
    std::string notes(part.p_filesz, '\0');
    if (!file.read(notes.data(), notes.size(), part.p_offset)) return {};
    if (std::string id = find_id(notes); !id.empty()) return id;
  }
  return {};
}

std::string own_file() {
  Dl_info info{};
  return dladdr(reinterpret_cast<void*>(&own_file), &info) != 0 && info.dli_fname ? info.dli_fname : std::string();
}

}  // namespace wave::jit
