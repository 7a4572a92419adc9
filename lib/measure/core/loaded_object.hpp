// loaded_object.hpp -- the program, or a library, as it lies in memory: what it defines and what it takes from others.
//
// The dynamic linker's own functions (dlsym, dlopen) see only what is in the caller's scope, change the answer of
// dlerror() and count references. Reading its tables does none of these.
//
// Calls: may block.
#pragma once

#include <elf.h>
#include <link.h>

#include <cstddef>
#include <cstdint>
#include <span>

#include "measure/processor/processor.hpp"

namespace tarry::measure {

/// A name to look up, with its hash in DT_GNU_HASH tables: many names are looked up in many objects.
struct SymbolName {
  const char* text;
  std::uint32_t hash = 5381;

  constexpr SymbolName(const char* name) : text(name) {
    for (; *name; ++name) hash = hash * 33 + static_cast<unsigned char>(*name);
  }
};

class LoadedObject {
 public:
  explicit LoadedObject(const dl_phdr_info& object);

  struct Definition {
    void* address = nullptr;  // nullptr: the object does not define the name
    std::size_t size = 0;     // 0: not known
  };

  Definition find(SymbolName name) const;

  /// What others call it (DT_SONAME); nullptr if it has no such name.
  const char* name() const { return own_name_ && names_ ? names_ + own_name_ : nullptr; }

  /// Whether it names that object among those which it needs (DT_NEEDED).
  bool needs(const char* name) const;

  /// Calls `visit(name, slot)` for each function or object whose address the dynamic linker puts into a slot of this
  /// object. Stops and returns false when `visit` returns false.
  template <class Visit>
  bool each_slot(Visit visit) const {
    const auto visit_slot = [&](std::uint32_t type, const ElfW(Sym) & symbol, void** slot) {
      return (type != processor::kJumpSlot && type != processor::kGlobalData) || visit(names_ + symbol.st_name, slot);
    };
    return each_relocation(jumps_, jump_bytes_, visit_slot) && each_relocation(data_, data_bytes_, visit_slot);
  }

  /// Calls `visit(name)` for each name that the object takes from others: far fewer than slots in C++. Stops and
  /// returns false when `visit` returns false.
  template <class Visit>
  bool each_import(Visit visit) const {
    const std::uint32_t end = symbols_ && names_ ? imports_end() : 0;
    for (std::uint32_t i = 1; i < end; ++i)
      if (symbols_[i].st_shndx == SHN_UNDEF && !visit(names_ + symbols_[i].st_name)) return false;
    return true;
  }

  /// Calls `visit(name, place)` for each place, in slots and data, with the address of an optional (weak) symbol. Where
  /// nothing defines the name, the place holds 0.
  template <class Visit>
  void each_weak_reference(Visit visit) const {
    const auto visit_weak = [&](std::uint32_t, const ElfW(Sym) & symbol, void** slot) {
      if (symbol.st_shndx == SHN_UNDEF && ELF64_ST_BIND(symbol.st_info) == STB_WEAK)
        visit(names_ + symbol.st_name, slot);
      return true;
    };
    each_relocation(data_, data_bytes_, visit_weak);
  }

  /// Writes to a slot, also where it is read-only by now. False, with errno, if that fails.
  bool write_slot(void** slot, void* value) const;

 private:
  void read_dynamic(const ElfW(Dyn) * entry);
  bool is_definition_of(const char* name, std::uint32_t symbol) const;
  std::span<const std::uint32_t> gnu_buckets() const;
  std::uint32_t find_by_gnu_hash(SymbolName name) const;
  std::uint32_t find_by_old_hash(const char* name) const;
  std::uint32_t imports_end() const;

  // The dynamic linker has made addresses of these offsets, except where it cannot write.
  template <class T>
  const T* at(ElfW(Addr) address) const {
    return reinterpret_cast<const T*>(address < base_ ? base_ + address : address);
  }

  template <class Visit>
  bool each_relocation(const ElfW(Rela) * table, std::size_t bytes, Visit& visit) const {
    for (std::size_t i = 0; table && i < bytes / sizeof *table; ++i) {
      const auto type = static_cast<std::uint32_t>(ELF64_R_TYPE(table[i].r_info));
      const ElfW(Sym)& symbol = symbols_[ELF64_R_SYM(table[i].r_info)];
      if (!visit(type, symbol, reinterpret_cast<void**>(base_ + table[i].r_offset))) return false;
    }
    return true;
  }

  std::uintptr_t base_;
  std::uintptr_t fixed_begin_ = 0, fixed_end_ = 0;  // read-only after relocation
  const ElfW(Sym) * symbols_ = nullptr;
  const char* names_ = nullptr;
  const std::uint32_t* gnu_hash_ = nullptr;
  const std::uint32_t* old_hash_ = nullptr;
  const ElfW(Rela) * jumps_ = nullptr;
  const ElfW(Rela) * data_ = nullptr;
  std::size_t jump_bytes_ = 0, data_bytes_ = 0;
  const ElfW(Dyn) * dynamic_ = nullptr;
  std::size_t own_name_ = 0;  // in the names
};

/// The first definition of a name among all objects of the process, in the order in which they were loaded. Libraries
/// that were opened with RTLD_LOCAL count, this library's own definitions do not.
LoadedObject::Definition find_loaded(const char* name);

/// Whether an object of the process calls a function, or holds its address. The C library, the dynamic linker, runtimes
/// of OpenMP and the recorder's libraries do not count.
bool is_called_by_program(const char* name);

/// Code of an object in memory, and what it finds where it looks a name up.
struct CallerDefinition {
  std::uintptr_t begin = 0, end = 0;  // of the object
  void* address = nullptr;            // nullptr: there is no definition
};

/// What the code at `caller` finds if neither the program nor its libraries define the name. That is the definition in
/// its own object, or in the first one that this needs. Else the first of all: as find_loaded(), which does not know
/// who asks.
CallerDefinition find_for_caller(const void* caller, const char* name);

/// The definition of a name in the object that `address` belongs to.
LoadedObject::Definition find_beside(const void* address, const char* name);

}  // namespace tarry::measure
