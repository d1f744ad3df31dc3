// Reads the note NT_GNU_BUILD_ID where the system has mapped it. LLVM would look for it in the file, and tens of
// megabytes of that are sections and symbols.
#include "backend/jit/build_id.h"

#include <cstring>
#include <elf.h>
#include <link.h>
#include <string_view>

namespace wave::jit {

namespace {

std::size_t with_padding(std::size_t bytes) { return (bytes + 3) / 4 * 4; }

std::string find_id(std::string_view notes) {
  for (std::size_t at = 0; at + sizeof(ElfW(Nhdr)) <= notes.size();) {
    ElfW(Nhdr) note;
    std::memcpy(&note, notes.data() + at, sizeof note);
    const std::size_t name = at + sizeof note, content = name + with_padding(note.n_namesz);
    if (note.n_type == NT_GNU_BUILD_ID && notes.substr(name).starts_with(std::string_view("GNU\0", 4))) {
      return std::string(notes.substr(content, note.n_descsz));
    }
    at = content + with_padding(note.n_descsz);
  }
  return {};
}

struct Search {
  ElfW(Addr) inside;
  std::string id{};
};

// Called for the files of the process, until the one that `inside` lies in.
int look_at(dl_phdr_info* file, std::size_t, void* search) {
  auto& wanted = *static_cast<Search*>(search);
  bool is_own = false;
  for (std::size_t i = 0; i < file->dlpi_phnum; ++i) {
    const ElfW(Phdr)& part = file->dlpi_phdr[i];
    is_own = is_own || (part.p_type == PT_LOAD && wanted.inside - (file->dlpi_addr + part.p_vaddr) < part.p_memsz);
  }
  for (std::size_t i = 0; is_own && wanted.id.empty() && i < file->dlpi_phnum; ++i) {
    const ElfW(Phdr)& part = file->dlpi_phdr[i];
    if (part.p_type != PT_NOTE) continue;
    wanted.id = find_id({reinterpret_cast<const char*>(file->dlpi_addr + part.p_vaddr), part.p_memsz});
  }
  return is_own;
}

}  // namespace

std::string build_id() {
  Search search{reinterpret_cast<ElfW(Addr)>(&look_at)};
  dl_iterate_phdr(look_at, &search);
  return search.id;
}

}  // namespace wave::jit
