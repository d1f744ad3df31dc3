// See tracer.h.
#include "tests/faults/tracer.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstddef>
#include <cstring>
#include <elf.h>
#include <fcntl.h>
#include <filesystem>
#include <limits.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <map>
#include <optional>
#include <stdexcept>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <unistd.h>

namespace wave::test {
namespace {

// What the arguments of a call are.
struct CallKind {
  long number;
  const char* name;
  int folder = -1;      // place of the descriptor of the folder that a path starts from
  int path = -1;        // of a path
  int descriptor = -1;  // of the file
  int bytes = -1;       // of the count of bytes
  int to_folder = -1, to = -1;
};

// A call by a path that starts where the program is has no folder.
const std::vector<CallKind>& call_kinds() {
  static const std::vector<CallKind> kinds = {
#ifdef SYS_open  // processors of before 2010 or so
      {SYS_open, "open", -1, 0},
      {SYS_stat, "stat", -1, 0},
      {SYS_lstat, "lstat", -1, 0},
      {SYS_access, "access", -1, 0},
      {SYS_unlink, "unlink", -1, 0},
      {SYS_rename, "rename", -1, 0, -1, -1, -1, 1},
      {SYS_mkdir, "mkdir", -1, 0},
      {SYS_readlink, "readlink", -1, 0},
      {SYS_renameat, "renameat", 0, 1, -1, -1, 2, 3},
#endif
      {SYS_openat, "openat", 0, 1},
      {SYS_newfstatat, "newfstatat", 0, 1},
      {SYS_faccessat, "faccessat", 0, 1},
      {SYS_faccessat2, "faccessat2", 0, 1},
      {SYS_unlinkat, "unlinkat", 0, 1},
      {SYS_renameat2, "renameat2", 0, 1, -1, -1, 2, 3},
      {SYS_mkdirat, "mkdirat", 0, 1},
      {SYS_readlinkat, "readlinkat", 0, 1},
      {SYS_utimensat, "utimensat", 0, 1},
      {SYS_fstat, "fstat", -1, -1, 0},
      {SYS_read, "read", -1, -1, 0, 2},
      {SYS_pread64, "pread", -1, -1, 0, 2},
      {SYS_readv, "readv", -1, -1, 0},
      {SYS_write, "write", -1, -1, 0, 2},
      {SYS_pwrite64, "pwrite", -1, -1, 0, 2},
      {SYS_writev, "writev", -1, -1, 0},
      {SYS_copy_file_range, "copy_file_range", -1, -1, 2, 4},
      {SYS_sendfile, "sendfile", -1, -1, 0, 3},
      {SYS_fsync, "fsync", -1, -1, 0},
      {SYS_fdatasync, "fdatasync", -1, -1, 0},
      {SYS_ftruncate, "ftruncate", -1, -1, 0},
      {SYS_flock, "flock", -1, -1, 0},
      {SYS_fchmod, "fchmod", -1, -1, 0},
      {SYS_fchown, "fchown", -1, -1, 0},
      {SYS_getdents64, "getdents", -1, -1, 0},
      {SYS_close, "close", -1, -1, 0},
      {SYS_mmap, "mmap", -1, -1, 4},
  };
  return kinds;
}

const CallKind* kind_of(long number) {
  const auto& kinds = call_kinds();
  const auto found = std::find_if(kinds.begin(), kinds.end(), [&](const auto& one) { return one.number == number; });
  return found == kinds.end() ? nullptr : &*found;
}

// The registers that carry a call.
#if defined(__x86_64__)
constexpr bool is_known_processor = true;
struct Registers {
  user_regs_struct all{};
  bool get(pid_t thread) { return ptrace(PTRACE_GETREGS, thread, nullptr, &all) == 0; }
  void set(pid_t thread) { ptrace(PTRACE_SETREGS, thread, nullptr, &all); }
  long number() const { return static_cast<long>(all.orig_rax); }
  unsigned long long& argument(int place) {
    const std::array<unsigned long long*, 6> places{&all.rdi, &all.rsi, &all.rdx, &all.r10, &all.r8, &all.r9};
    return *places[static_cast<std::size_t>(place)];
  }
  long result() const { return static_cast<long>(all.rax); }
  void set_result(long value) { all.rax = static_cast<unsigned long long>(value); }
  void skip(pid_t) { all.orig_rax = ~0ULL; }
};
#elif defined(__aarch64__)
constexpr bool is_known_processor = true;
struct Registers {
  user_regs_struct all{};
  bool get(pid_t thread) {
    iovec place{&all, sizeof all};
    return ptrace(PTRACE_GETREGSET, thread, NT_PRSTATUS, &place) == 0;
  }
  void set(pid_t thread) {
    iovec place{&all, sizeof all};
    ptrace(PTRACE_SETREGSET, thread, NT_PRSTATUS, &place);
  }
  long number() const { return static_cast<long>(all.regs[8]); }
  unsigned long long& argument(int place) { return all.regs[place]; }
  long result() const { return static_cast<long>(all.regs[0]); }
  void set_result(long value) { all.regs[0] = static_cast<unsigned long long>(value); }
  void skip(pid_t thread) {
    int none = -1;
    iovec place{&none, sizeof none};
    ptrace(PTRACE_SETREGSET, thread, NT_ARM_SYSTEM_CALL, &place);
  }
};
#else
constexpr bool is_known_processor = false;
struct Registers {
  unsigned long long none = 0;
  bool get(pid_t) { return false; }
  void set(pid_t) {}
  long number() const { return -1; }
  unsigned long long& argument(int) { return none; }
  long result() const { return -1; }
  void set_result(long) {}
  void skip(pid_t) {}
};
#endif

// In the new process: stops at the calls of the table from now on.
bool ask_to_be_traced() {
  std::vector<sock_filter> filter;
  filter.push_back(BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, nr)));
  for (const CallKind& kind : call_kinds()) {
    filter.push_back(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, static_cast<unsigned>(kind.number), 0, 1));
    filter.push_back(BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_TRACE));
  }
  filter.push_back(BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW));
  const sock_fprog program{static_cast<unsigned short>(filter.size()), filter.data()};
  if (ptrace(PTRACE_TRACEME, 0, nullptr, nullptr) != 0 || raise(SIGSTOP) != 0) return false;
  return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 && prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0;
}

std::string text_at(pid_t thread, unsigned long long address) {
  std::array<char, PATH_MAX> text{};
  // Up to the end of its page: what lies behind that may not be there.
  std::size_t length = 0;
  while (length < text.size() - 1 && std::memchr(text.data(), 0, length) == nullptr) {
    const std::size_t piece = std::min<std::size_t>(4096 - (address + length) % 4096, text.size() - 1 - length);
    iovec here{text.data() + length, piece}, there{reinterpret_cast<void*>(address + length), piece};
    if (process_vm_readv(thread, &here, 1, &there, 1, 0) <= 0) break;
    length += piece;
  }
  return text.data();
}

std::string link_at(const std::string& path) {
  std::array<char, PATH_MAX> target{};
  const ssize_t length = readlink(path.c_str(), target.data(), target.size());
  return length < 0 ? std::string() : std::string(target.data(), static_cast<std::size_t>(length));
}

std::string path_of_descriptor(pid_t thread, int descriptor) {
  return link_at(descriptor == AT_FDCWD ? fmt::format("/proc/{}/cwd", thread)
                                        : fmt::format("/proc/{}/fd/{}", thread, descriptor));
}

std::string path_of(pid_t thread, Registers& registers, int folder, int path) {
  const int from = folder < 0 ? AT_FDCWD : static_cast<int>(registers.argument(folder));
  const std::filesystem::path named(text_at(thread, registers.argument(path)));
  if (named.empty()) return path_of_descriptor(thread, from);  // AT_EMPTY_PATH
  return (std::filesystem::path(path_of_descriptor(thread, from)) / named).lexically_normal().string();
}

std::optional<FileCall> read_call(pid_t thread, Registers& registers, const std::vector<std::string>& folders) {
  const CallKind* const kind = kind_of(registers.number());
  if (kind == nullptr) return std::nullopt;
  FileCall call{kind->number, kind->name, {}, {}, 0};
  call.path = kind->path >= 0 ? path_of(thread, registers, kind->folder, kind->path)
                              : path_of_descriptor(thread, static_cast<int>(registers.argument(kind->descriptor)));
  if (kind->to >= 0) call.to = path_of(thread, registers, kind->to_folder, kind->to);
  if (kind->bytes >= 0) call.bytes = registers.argument(kind->bytes);
  const bool counts = std::any_of(folders.begin(), folders.end(), [&](const std::string& folder) {
    return call.path == folder || call.path.starts_with(folder + "/");
  });
  return counts ? std::optional(call) : std::nullopt;
}

class Tracing {
 public:
  Tracing(const Watch& watch, pid_t process) : watch_(watch), process_(process) {}
  // The status with which the process ended.
  int follow();

 private:
  struct Pending {
    FileCall call;
    Fault fault;
  };
  void begin_call(pid_t thread);
  void end_call(pid_t thread);
  void die() { kill(process_, SIGKILL); }

  const Watch& watch_;
  const pid_t process_;
  std::map<pid_t, Pending> pending_;  // by thread
};

void Tracing::begin_call(pid_t thread) {
  Registers registers;
  auto call = registers.get(thread) ? read_call(thread, registers, watch_.folders) : std::nullopt;
  if (!call) {
    ptrace(PTRACE_CONT, thread, nullptr, nullptr);
    return;
  }
  const Fault fault = watch_.before ? watch_.before(*call) : Fault{};
  if (fault.kind == Fault::Kind::death_before) die();
  // What cannot be closed is closed all the same.
  if (fault.kind == Fault::Kind::error && call->number != SYS_close) {
    registers.skip(thread);
    registers.set(thread);
  }
  if (fault.kind == Fault::Kind::short_count && call->bytes > 1) {
    registers.argument(kind_of(call->number)->bytes) = call->bytes / 2;
    registers.set(thread);
  }
  pending_[thread] = {std::move(*call), fault};
  ptrace(PTRACE_SYSCALL, thread, nullptr, nullptr);
}

void Tracing::end_call(pid_t thread) {
  const auto found = pending_.find(thread);
  Registers registers;
  if (found != pending_.end() && registers.get(thread)) {
    const Pending pending = std::move(found->second);
    pending_.erase(found);
    if (pending.fault.kind == Fault::Kind::error) {
      registers.set_result(-pending.fault.error);
      registers.set(thread);
    }
    if (watch_.after) watch_.after(pending.call, registers.result());
    if (pending.fault.kind == Fault::Kind::death_after) die();
  }
  ptrace(PTRACE_CONT, thread, nullptr, nullptr);
}

int Tracing::follow() {
  for (;;) {
    int status = 0;
    const pid_t thread = waitpid(-1, &status, __WALL | __WNOTHREAD);
    if (thread < 0) throw std::runtime_error("the program that is traced is gone");
    if (WIFEXITED(status) || WIFSIGNALED(status)) {
      if (thread == process_) return status;
      pending_.erase(thread);
      continue;
    }
    const int signal = WSTOPSIG(status);
    if (status >> 8 == (SIGTRAP | PTRACE_EVENT_SECCOMP << 8)) {
      begin_call(thread);
    } else if (signal == (SIGTRAP | 0x80)) {
      end_call(thread);
    } else {
      // A new thread, exec, or a signal, which the program gets; threads begin with a SIGSTOP that is not theirs.
      const bool is_own = status >> 16 == 0 && signal != SIGSTOP && signal != SIGTRAP;
      ptrace(PTRACE_CONT, thread, nullptr, is_own ? signal : 0);
    }
  }
}

}  // namespace

bool FileCall::writes() const {
  return number == SYS_write || number == SYS_pwrite64 || number == SYS_writev || number == SYS_copy_file_range;
}

std::string FileCall::file() const { return std::filesystem::path(path).filename().string(); }

std::string FileCall::text() const {
  const std::string other = std::filesystem::path(to).filename().string();
  return fmt::format("{} {}{}{}", name, file(), other.empty() ? "" : " to " + other,
                     bytes > 0 ? fmt::format(", {} bytes", bytes) : "");
}

bool can_trace(std::string& why) {
  if (!is_known_processor) {
    why = "the registers of this processor are not known";
    return false;
  }
  const pid_t child = fork();
  if (child == 0) {
    if (!ask_to_be_traced()) _exit(1);
    _exit(0);
  }
  int status = 0;
  waitpid(child, &status, __WALL);
  if (WIFSTOPPED(status)) {
    ptrace(PTRACE_CONT, child, nullptr, nullptr);
    waitpid(child, &status, __WALL);
  }
  const bool can = WIFEXITED(status) && WEXITSTATUS(status) == 0;
  if (!can) why = "the system allows no tracing (ptrace, seccomp)";
  return can;
}

Finished trace(const std::string& folder, const std::vector<std::string>& arguments, const Watch& watch) {
  Run run(folder, arguments, [&] { return (!watch.prepare || watch.prepare()) && ask_to_be_traced(); });
  int status = 0;
  if (waitpid(run.process(), &status, __WALL) != run.process() || !WIFSTOPPED(status))
    throw std::runtime_error("the program cannot be traced");
  ptrace(PTRACE_SETOPTIONS, run.process(), nullptr,
         PTRACE_O_TRACESECCOMP | PTRACE_O_TRACECLONE | PTRACE_O_TRACEFORK | PTRACE_O_TRACEVFORK | PTRACE_O_TRACEEXEC |
             PTRACE_O_TRACESYSGOOD | PTRACE_O_EXITKILL);
  ptrace(PTRACE_CONT, run.process(), nullptr, nullptr);
  run.ended_with(Tracing(watch, run.process()).follow());
  return run.finish();
}

}  // namespace wave::test
