// fortran.cpp -- MPI calls of Fortran programs: mpif.h, `use mpi` and `use mpi_f08`, under every name mangling.
//
// Open MPI's Fortran libraries are thin: whatever name a program calls (mpi_send, mpi_send_, mpi_send__, MPI_SEND,
// mpi_send_f08_), its arguments are converted (handles, status and buffer sentinels, logicals, strings, indices) and
// PMPI_Send of the C library is called. Wrappers named mpi_send_ would have to repeat these conversions for recording,
// and the mpi_f08 module would go past them: it calls internal names. So nothing of Fortran is wrapped here. Instead
// the places through which the Fortran libraries reach PMPI_X of the C library (the entries of their linkage tables)
// are pointed at our MPI_X, which gets arguments that the MPI library itself has converted.
//
// What is not seen: attributes, keyvals and error handlers of Fortran programs, for which these libraries go to the
// inside of MPI (no enter and leave; none of them communicates), and programs that link the Fortran library statically.
#include "measure/mpi/fortran.hpp"

#include <dlfcn.h>
#include <elf.h>
#include <link.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <string>
#include <string_view>

#include "base/file.hpp"
#include "measure/core/say.hpp"
#include "measure/mpi/mpi_entry.hpp"

namespace tarry::measure {

namespace {

#if defined(__aarch64__)
constexpr std::uint32_t kJumpSlot = R_AARCH64_JUMP_SLOT, kGlobalData = R_AARCH64_GLOB_DAT;
#else
constexpr std::uint32_t kJumpSlot = R_X86_64_JUMP_SLOT, kGlobalData = R_X86_64_GLOB_DAT;
#endif

bool is_fortran_library(std::string_view path) {
  const std::string_view file = path.substr(path.rfind('/') + 1);
  return file.starts_with("libmpi_mpifh") || file.starts_with("libmpi_usempi");
}

/// True if a call comes from the binding of that name, and not from another one that needs the number for itself.
class Caller {
 public:
  explicit Caller(const char* binding) {
    Dl_info info;
    ElfW(Sym)* symbol = nullptr;
    begin_ = static_cast<const char*>(::dlsym(RTLD_DEFAULT, binding));
    if (begin_ && ::dladdr1(begin_, &info, reinterpret_cast<void**>(&symbol), RTLD_DL_SYMENT) && symbol)
      size_ = symbol->st_size;
  }
  bool is(const void* address) const {
    return size_ == 0 || static_cast<std::size_t>(static_cast<const char*>(address) - begin_) < size_;
  }

 private:
  const char* begin_ = nullptr;
  std::size_t size_ = 0;  // 0: not known
};

// The bindings of the collectives with counts ask for the size of the communicator; the program did not.
int comm_size_for_fortran(MPI_Comm comm, int* size) {
  static const Caller caller("ompi_comm_size_f");
  return caller.is(__builtin_return_address(0)) ? MPI_Comm_size(comm, size) : PMPI_Comm_size(comm, size);
}

// As MPI_Cart_rank does for the number of dimensions.
int cartdim_get_for_fortran(MPI_Comm comm, int* dimensions) {
  static const Caller caller("ompi_cartdim_get_f");
  return caller.is(__builtin_return_address(0)) ? MPI_Cartdim_get(comm, dimensions)
                                                : PMPI_Cartdim_get(comm, dimensions);
}

void* entry_of(const char* name) {
  if (std::strcmp(name, "PMPI_Comm_size") == 0) return reinterpret_cast<void*>(comm_size_for_fortran);
  if (std::strcmp(name, "PMPI_Cartdim_get") == 0) return reinterpret_cast<void*>(cartdim_get_for_fortran);
  const EntryPoint* end = kEntryPoints + kEntryPointCount;
  const EntryPoint* found = std::lower_bound(kEntryPoints, end, name, [](const EntryPoint& entry, const char* wanted) {
    return std::strcmp(entry.name, wanted) < 0;
  });
  return found != end && std::strcmp(found->name, name) == 0 ? found->entry : nullptr;
}

/// One loaded library and its tables for the dynamic linker.
class LinkageTables {
 public:
  explicit LinkageTables(const dl_phdr_info& library) : base_(library.dlpi_addr) {
    for (int i = 0; i < library.dlpi_phnum; ++i) {
      const ElfW(Phdr)& segment = library.dlpi_phdr[i];
      if (segment.p_type == PT_DYNAMIC) read_dynamic(reinterpret_cast<const ElfW(Dyn)*>(base_ + segment.p_vaddr));
      if (segment.p_type == PT_GNU_RELRO) {
        fixed_begin_ = base_ + segment.p_vaddr;
        fixed_end_ = fixed_begin_ + segment.p_memsz;
      }
    }
  }

  /// False if a table could not be written to.
  bool redirect() const { return redirect(jumps_, jump_bytes_) && redirect(data_, data_bytes_); }

 private:
  void read_dynamic(const ElfW(Dyn)* entry) {
    for (; entry->d_tag != DT_NULL; ++entry) {
      if (entry->d_tag == DT_SYMTAB) symbols_ = at<ElfW(Sym)>(entry->d_un.d_ptr);
      if (entry->d_tag == DT_STRTAB) names_ = at<char>(entry->d_un.d_ptr);
      if (entry->d_tag == DT_JMPREL) jumps_ = at<ElfW(Rela)>(entry->d_un.d_ptr);
      if (entry->d_tag == DT_PLTRELSZ) jump_bytes_ = entry->d_un.d_val;
      if (entry->d_tag == DT_RELA) data_ = at<ElfW(Rela)>(entry->d_un.d_ptr);
      if (entry->d_tag == DT_RELASZ) data_bytes_ = entry->d_un.d_val;
    }
  }

  // The dynamic linker has made addresses of these offsets, except where it cannot write.
  template <class T>
  const T* at(ElfW(Addr) address) const {
    return reinterpret_cast<const T*>(address < base_ ? base_ + address : address);
  }

  bool redirect(const ElfW(Rela)* table, std::size_t bytes) const {
    for (std::size_t i = 0; table && i < bytes / sizeof *table; ++i) {
      const auto type = static_cast<std::uint32_t>(ELF64_R_TYPE(table[i].r_info));
      if (type != kJumpSlot && type != kGlobalData) continue;
      void* entry = entry_of(names_ + symbols_[ELF64_R_SYM(table[i].r_info)].st_name);
      if (entry && !write_slot(base_ + table[i].r_offset, entry)) return false;
    }
    return true;
  }

  bool write_slot(std::uintptr_t slot, void* entry) const {
    const auto page_size = static_cast<std::uintptr_t>(::sysconf(_SC_PAGESIZE));
    const bool is_fixed = slot >= fixed_begin_ && slot < fixed_end_;
    void* page = reinterpret_cast<void*>(slot & ~(page_size - 1));
    if (is_fixed && ::mprotect(page, page_size, PROT_READ | PROT_WRITE) != 0) return false;
    *reinterpret_cast<void**>(slot) = entry;
    if (is_fixed) ::mprotect(page, page_size, PROT_READ);
    return true;
  }

  std::uintptr_t base_;
  std::uintptr_t fixed_begin_ = 0, fixed_end_ = 0;  // read-only after relocation
  const ElfW(Sym)* symbols_ = nullptr;
  const char* names_ = nullptr;
  const ElfW(Rela)* jumps_ = nullptr;
  const ElfW(Rela)* data_ = nullptr;
  std::size_t jump_bytes_ = 0, data_bytes_ = 0;
};

int redirect_library(dl_phdr_info* library, std::size_t, void*) {
  if (library->dlpi_name && is_fortran_library(library->dlpi_name) && !LinkageTables(*library).redirect())
    say(std::string(library->dlpi_name) + ": " + system_error() + ": MPI calls from Fortran are not recorded");
  return 0;
}

// Before the program starts: its first MPI call may be the one of a Fortran main program.
__attribute__((constructor)) void redirect_at_start() { redirect_fortran_calls(); }

}  // namespace

void redirect_fortran_calls() { ::dl_iterate_phdr(redirect_library, nullptr); }

}  // namespace tarry::measure
