// See needed_libraries.h.
#include "cli/needed_libraries.h"

#include <cstring>
#include <elf.h>
#include <fstream>
#include <optional>

namespace wave::cli {

namespace {

constexpr std::uint64_t largest_part = 1 << 20;  // of what is read: a table, or the names
constexpr std::size_t longest_name = 4096, most_names = 256;

class Elf {
 public:
  explicit Elf(const std::string& file) : stream_(file, std::ios::binary) {}

  std::vector<std::string> needed() {
    const auto header = at<Elf64_Ehdr>(0);
    if (!header || std::memcmp(header->e_ident, ELFMAG, SELFMAG) != 0 || header->e_ident[EI_CLASS] != ELFCLASS64 ||
        header->e_phentsize != sizeof(Elf64_Phdr))
      return {};
    for (std::uint16_t i = 0; i < header->e_phnum; ++i) {
      const auto part = at<Elf64_Phdr>(header->e_phoff + i * sizeof(Elf64_Phdr));
      if (!part) return {};
      if (part->p_type == PT_LOAD) loaded_.push_back(*part);
      if (part->p_type == PT_DYNAMIC) dynamic_ = *part;
    }
    if (!dynamic_ || dynamic_->p_filesz > largest_part) return {};
    std::vector<std::uint64_t> offsets;
    std::uint64_t names = 0, length = 0;
    for (std::uint64_t k = 0; k < dynamic_->p_filesz / sizeof(Elf64_Dyn); ++k) {
      const auto entry = at<Elf64_Dyn>(dynamic_->p_offset + k * sizeof(Elf64_Dyn));
      if (!entry || entry->d_tag == DT_NULL) break;
      if (entry->d_tag == DT_NEEDED) offsets.push_back(entry->d_un.d_val);
      if (entry->d_tag == DT_STRTAB) names = entry->d_un.d_ptr;
      if (entry->d_tag == DT_STRSZ) length = entry->d_un.d_val;
    }
    const auto begin = in_file(names);
    if (!begin || length > largest_part) return {};
    std::string text(length, '\0');
    if (!read(*begin, text.data(), length)) return {};
    std::vector<std::string> result;
    for (const std::uint64_t offset : offsets) {
      if (offset >= length || result.size() == most_names) continue;
      const char* const begin = text.c_str() + offset;
      result.emplace_back(begin, strnlen(begin, longest_name));
    }
    return result;
  }

 private:
  bool read(std::uint64_t offset, void* into, std::uint64_t size) {
    stream_.clear();
    stream_.seekg(static_cast<std::streamoff>(offset));
    return static_cast<bool>(stream_.read(static_cast<char*>(into), static_cast<std::streamsize>(size)));
  }
  template <class Struct>
  std::optional<Struct> at(std::uint64_t offset) {
    Struct result;
    return read(offset, &result, sizeof result) ? std::optional(result) : std::nullopt;
  }
  // Where an address of memory is in the file.
  std::optional<std::uint64_t> in_file(std::uint64_t address) const {
    for (const Elf64_Phdr& part : loaded_) {
      if (address >= part.p_vaddr && address - part.p_vaddr < part.p_filesz)
        return part.p_offset + (address - part.p_vaddr);
    }
    return std::nullopt;
  }

  std::ifstream stream_;
  std::vector<Elf64_Phdr> loaded_;
  std::optional<Elf64_Phdr> dynamic_;
};

}  // namespace

std::vector<std::string> needed_libraries(const std::string& file) { return Elf(file).needed(); }

}  // namespace wave::cli
