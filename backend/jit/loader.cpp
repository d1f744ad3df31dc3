// ELF by the System V ABI and its supplement for x86-64. All offsets in an object are looked at before they are used.
#include "backend/jit/loader.h"

#include <cstring>
#include <elf.h>
#include <limits>
#include <optional>
#include <stdexcept>
#include <sys/mman.h>
#include <unistd.h>
#include <unordered_map>

namespace wave::jit {

namespace {

struct NotLoaded : std::runtime_error {
  using std::runtime_error::runtime_error;
};

constexpr std::size_t stub_bytes = 16;  // jmp *slot(%rip), padding

struct Mapping {
  std::uint8_t* begin = nullptr;
  std::size_t bytes = 0;

  explicit Mapping(std::size_t bytes) : bytes(bytes) {
    void* const place = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (place == MAP_FAILED) throw NotLoaded("no memory for code");
    begin = static_cast<std::uint8_t*>(place);
  }
  ~Mapping() { munmap(begin, bytes); }
  Mapping(const Mapping&) = delete;
  Mapping& operator=(const Mapping&) = delete;
};

// One object's tables.
class Object {
 public:
  explicit Object(std::string_view bytes) : bytes_(bytes) {
    const auto header = at<Elf64_Ehdr>(0);
    const bool is_ours = std::memcmp(header.e_ident, ELFMAG, SELFMAG) == 0 && header.e_ident[EI_CLASS] == ELFCLASS64 &&
                         header.e_ident[EI_DATA] == ELFDATA2LSB && header.e_type == ET_REL &&
                         header.e_machine == EM_X86_64;
    if (!is_ours) throw NotLoaded("not an object for x86-64");
    for (std::size_t i = 0; i < header.e_shnum; ++i)
      sections.push_back(at<Elf64_Shdr>(header.e_shoff + i * sizeof(Elf64_Shdr)));
    for (const Elf64_Shdr& section : sections) {
      if (section.sh_type != SHT_SYMTAB) continue;
      for (std::size_t i = 0; i < section.sh_size / sizeof(Elf64_Sym); ++i) {
        symbols.push_back(at<Elf64_Sym>(section.sh_offset + i * sizeof(Elf64_Sym)));
      }
      names_ = contents(sections_at(section.sh_link));
    }
    if (header.e_shstrndx < sections.size()) section_names_ = contents(sections[header.e_shstrndx]);
  }

  template <class Record>
  Record at(std::size_t offset) const {
    if (offset > bytes_.size() || bytes_.size() - offset < sizeof(Record)) throw NotLoaded("a truncated object");
    Record record;
    std::memcpy(&record, bytes_.data() + offset, sizeof record);
    return record;
  }
  std::string_view contents(const Elf64_Shdr& section) const {
    if (section.sh_type == SHT_NOBITS) return {};
    if (section.sh_offset > bytes_.size() || section.sh_size > bytes_.size() - section.sh_offset) {
      throw NotLoaded("a truncated object");
    }
    return bytes_.substr(section.sh_offset, section.sh_size);
  }
  const Elf64_Shdr& sections_at(std::size_t index) const {
    if (index >= sections.size()) throw NotLoaded("a section that is not there");
    return sections[index];
  }
  const Elf64_Sym& symbol_at(std::size_t index) const {
    if (index >= symbols.size()) throw NotLoaded("a symbol that is not there");
    return symbols[index];
  }
  std::string name(const Elf64_Sym& symbol) const { return name(names_, symbol.st_name); }
  std::string name(const Elf64_Shdr& section) const { return name(section_names_, section.sh_name); }

  // What of it is loaded: nobody unwinds through these functions, which do not throw.
  bool is_loaded(const Elf64_Shdr& section) const {
    const bool is_unwinding = section.sh_type == SHT_X86_64_UNWIND || name(section) == ".eh_frame";
    return (section.sh_flags & SHF_ALLOC) && section.sh_size > 0 && !is_unwinding;
  }

  std::vector<Elf64_Shdr> sections;
  std::vector<Elf64_Sym> symbols;
  std::vector<std::size_t> place;  // per section: where it is in the mapping

 private:
  static std::string name(std::string_view names, std::size_t offset) {
    if (offset >= names.size()) return {};
    const std::string_view rest = names.substr(offset);
    return std::string(rest.substr(0, rest.find('\0')));
  }

  std::string_view bytes_, names_, section_names_;
};

class ElfImage final : public Image {
 public:
  ElfImage(const std::vector<std::string>& bytes, const Resolve& resolve) : resolve_(resolve) {
    for (const std::string& one : bytes) objects_.emplace_back(one);
    find_needed();
    lay_out();
    copy();
    for (const Object& object : objects_) note_functions(object);
    fill_slots();
    for (const Object& object : objects_) relocate(object);
    protect();
    objects_.clear();
  }

  void* find(const std::string& symbol) const override {
    const auto found = functions_.find(symbol);
    return found == functions_.end() ? nullptr : mapping_->begin + found->second;
  }

 private:
  // Each name that some object does not define gets a slot with its address and a stub that jumps there.
  void find_needed() {
    for (const Object& object : objects_) {
      for (const Elf64_Sym& symbol : object.symbols) {
        if (symbol.st_shndx == SHN_UNDEF && symbol.st_name != 0) slots_.try_emplace(object.name(symbol), slots_.size());
      }
    }
  }

  // Code, stubs; on pages of their own, what is only read: constants and slots.
  void lay_out() {
    std::size_t bytes = 0;
    const auto place = [&](bool executable) {
      for (Object& object : objects_) {
        object.place.resize(object.sections.size());
        for (std::size_t i = 0; i < object.sections.size(); ++i) {
          const Elf64_Shdr& section = object.sections[i];
          if (!object.is_loaded(section) || executable != ((section.sh_flags & SHF_EXECINSTR) != 0)) continue;
          if (section.sh_flags & SHF_WRITE) throw NotLoaded("data that is written to");
          object.place[i] = take(bytes, section.sh_size, std::max<std::size_t>(1, section.sh_addralign));
        }
      }
    };
    place(true);
    stubs_ = take(bytes, slots_.size() * stub_bytes, stub_bytes);
    const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
    code_bytes_ = take(bytes, 0, page);
    place(false);
    addresses_ = take(bytes, slots_.size() * sizeof(void*), sizeof(void*));
    mapping_.emplace(std::max(page, (bytes + page - 1) / page * page));
  }

  static std::size_t take(std::size_t& bytes, std::size_t size, std::size_t alignment) {
    constexpr std::size_t most = std::size_t{1} << 30;
    if (alignment > (std::size_t{1} << 12) || size > most || bytes > most) throw NotLoaded("too much code");
    const std::size_t begin = (bytes + alignment - 1) / alignment * alignment;
    bytes = begin + size;
    return begin;
  }

  void copy() {
    for (const Object& object : objects_) {
      for (std::size_t i = 0; i < object.sections.size(); ++i) {
        if (!object.is_loaded(object.sections[i])) continue;
        const std::string_view contents = object.contents(object.sections[i]);
        if (!contents.empty()) std::memcpy(mapping_->begin + object.place[i], contents.data(), contents.size());
      }
    }
  }

  void note_functions(const Object& object) {
    for (const Elf64_Sym& symbol : object.symbols) {
      if (ELF64_ST_BIND(symbol.st_info) == STB_LOCAL || symbol.st_shndx == SHN_UNDEF) continue;
      functions_[object.name(symbol)] = place_of(object, symbol);
    }
  }

  std::size_t place_of(const Object& object, const Elf64_Sym& symbol) const {
    const Elf64_Shdr& section = object.sections_at(symbol.st_shndx);
    if (!object.is_loaded(section) || symbol.st_value > section.sh_size) throw NotLoaded("a symbol in no section");
    return object.place[symbol.st_shndx] + symbol.st_value;
  }

  void fill_slots() {
    for (const auto& [name, number] : slots_) {
      const auto own = functions_.find(name);
      void* const target = own != functions_.end() ? mapping_->begin + own->second : resolve_(name);
      if (!target) throw NotLoaded("nobody has `" + name + "`");
      const std::size_t slot = addresses_ + number * sizeof(void*), stub = stubs_ + number * stub_bytes;
      std::memcpy(mapping_->begin + slot, &target, sizeof target);
      constexpr std::uint8_t jump[2] = {0xff, 0x25};
      std::memcpy(mapping_->begin + stub, jump, sizeof jump);
      write<std::int32_t>(stub + 2, static_cast<std::int64_t>(slot) - static_cast<std::int64_t>(stub + 6));
    }
  }

  void relocate(const Object& object) {
    for (const Elf64_Shdr& section : object.sections) {
      if (section.sh_type == SHT_REL) throw NotLoaded("relocations without addends");
      if (section.sh_type != SHT_RELA) continue;
      const Elf64_Shdr& target = object.sections_at(section.sh_info);
      if (!object.is_loaded(target)) continue;
      for (std::size_t i = 0; i < section.sh_size / sizeof(Elf64_Rela); ++i) {
        const auto one = object.at<Elf64_Rela>(section.sh_offset + i * sizeof(Elf64_Rela));
        if (one.r_offset > target.sh_size || target.sh_size - one.r_offset < 4)
          throw NotLoaded("a relocation outside its section");
        relocate(object, one, object.place[section.sh_info] + one.r_offset, target.sh_size - one.r_offset);
      }
    }
  }

  void relocate(const Object& object, const Elf64_Rela& one, std::size_t at, std::size_t room) {
    const Elf64_Sym& symbol = object.symbol_at(ELF64_R_SYM(one.r_info));
    const bool is_needed = symbol.st_shndx == SHN_UNDEF;
    const auto place = static_cast<std::int64_t>(at);
    const auto number = [&] {
      const auto found = slots_.find(object.name(symbol));
      if (found == slots_.end()) throw NotLoaded("a symbol without a name");
      return found->second;
    };
    switch (ELF64_R_TYPE(one.r_info)) {
      case R_X86_64_NONE: return;
      case R_X86_64_PC32:
      case R_X86_64_PLT32: {
        const std::size_t target = is_needed ? stubs_ + number() * stub_bytes : place_of(object, symbol);
        return write<std::int32_t>(at, static_cast<std::int64_t>(target) + one.r_addend - place);
      }
      case R_X86_64_GOTPCREL:
      case R_X86_64_GOTPCRELX:
      case R_X86_64_REX_GOTPCRELX: {
        if (!is_needed) break;
        return write<std::int32_t>(
            at, static_cast<std::int64_t>(addresses_ + number() * sizeof(void*)) + one.r_addend - place);
      }
      case R_X86_64_PC64:
        if (is_needed || room < 8) break;
        return write<std::int64_t>(at, static_cast<std::int64_t>(place_of(object, symbol)) + one.r_addend - place);
      case R_X86_64_64: {
        if (room < 8) break;
        // A function of another object is represented by its stub.
        const std::size_t target = is_needed ? stubs_ + number() * stub_bytes : place_of(object, symbol);
        const std::uint8_t* const address = mapping_->begin + target + one.r_addend;
        std::memcpy(mapping_->begin + at, &address, sizeof address);
        return;
      }
      default: break;
    }
    throw NotLoaded("a relocation of kind " + std::to_string(ELF64_R_TYPE(one.r_info)));
  }

  template <class Number>
  void write(std::size_t at, std::int64_t value) {
    if (value < std::numeric_limits<Number>::min() || value > std::numeric_limits<Number>::max())
      throw NotLoaded("code too far away");
    const auto number = static_cast<Number>(value);
    std::memcpy(mapping_->begin + at, &number, sizeof number);
  }

  void protect() {
    const bool done = mprotect(mapping_->begin, code_bytes_, PROT_READ | PROT_EXEC) == 0 &&
                      (mapping_->bytes == code_bytes_ ||
                       mprotect(mapping_->begin + code_bytes_, mapping_->bytes - code_bytes_, PROT_READ) == 0);
    if (!done) throw NotLoaded("memory cannot be made executable");
  }

  const Resolve& resolve_;
  std::vector<Object> objects_;
  std::unordered_map<std::string, std::size_t> slots_;      // by name
  std::unordered_map<std::string, std::size_t> functions_;  // places in the mapping
  std::size_t stubs_ = 0, addresses_ = 0, code_bytes_ = 0;
  std::optional<Mapping> mapping_;
};

}  // namespace

std::variant<std::unique_ptr<Image>, std::string> load_objects(const std::vector<std::string>& objects,
                                                               const Resolve& resolve) {
  try {
    return std::unique_ptr<Image>(std::make_unique<ElfImage>(objects, resolve));
  } catch (const NotLoaded& reason) {
    return std::string(reason.what());
  }
}

}  // namespace wave::jit
