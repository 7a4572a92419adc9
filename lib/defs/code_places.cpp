// code_places.cpp -- functions by their addresses, with libdw.
#include "defs/code_places.hpp"

#include <dlfcn.h>
#include <dwarf.h>
#include <elfutils/libdw.h>
#include <elfutils/libdwelf.h>
#include <elfutils/libdwfl.h>
#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <optional>
#include <span>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/files/input_file.hpp"
#include "base/text/mangled_name.hpp"
#include "defs/debug_files.hpp"

// Of the compilers' sanitizers, where the program is built with one.
extern "C" [[gnu::weak]] int __lsan_do_recoverable_leak_check();

namespace tarry {
namespace {

// A search for leaks knows thread-local storage of glibc 2.19 by its place: 16 bytes behind the begin of a page. It
// takes the two words in front for begin and size, and the program ends. The C library takes the storage of libdw and
// libelf from the program's allocator when they first use it. So that one is led to the middle of a page.
void lead_storage_to_middle_of_page() {
  constexpr std::size_t kStorageBytes = 16, kPageBytes = 4096;
  constexpr int kMostBlocks = 1000;
  bool is_in_middle = !__lsan_do_recoverable_leak_check;
  for (int i = 0; !is_in_middle && i < kMostBlocks; ++i) {  // sanitizers do not give the same block again at once
    void* volatile block = std::malloc(kStorageBytes);
    const std::size_t place = reinterpret_cast<std::uintptr_t>(block) % kPageBytes;
    is_in_middle = place > kPageBytes / 4 && place < kPageBytes * 3 / 4;
    std::free(block);
  }
}

// The functions of libdw, and of libelf behind it, that are used here.
// clang-format off
#define TARRY_LIBDW_FUNCTIONS \
  TARRY_LIBDW(dwarf_getsrc_die) TARRY_LIBDW(dwarf_lineaddr) TARRY_LIBDW(dwarf_lineno) TARRY_LIBDW(dwarf_linesrc) \
  TARRY_LIBDW(dwfl_begin) TARRY_LIBDW(dwfl_end) TARRY_LIBDW(dwfl_report_begin) TARRY_LIBDW(dwfl_report_elf) \
  TARRY_LIBDW(dwfl_report_end) TARRY_LIBDW(dwfl_module_info) TARRY_LIBDW(dwfl_module_nextcu) \
  TARRY_LIBDW(dwfl_module_getsymtab) TARRY_LIBDW(dwfl_module_getsym_info) TARRY_LIBDW(dwfl_module_getelf) \
  TARRY_LIBDW(dwfl_module_getdwarf) TARRY_LIBDW(dwarf_getelf) \
  TARRY_LIBDW(dwfl_offline_section_address) TARRY_LIBDW(dwarf_diename) TARRY_LIBDW(dwarf_decl_file) \
  TARRY_LIBDW(dwarf_decl_line) TARRY_LIBDW(dwarf_getfuncs) TARRY_LIBDW(dwarf_ranges) TARRY_LIBDW(dwarf_srclang) \
  TARRY_LIBDW(dwarf_attr) TARRY_LIBDW(dwarf_attr_integrate) TARRY_LIBDW(dwarf_formstring) \
  TARRY_LIBDW(dwarf_formudata) TARRY_LIBDW(dwarf_formref_die) TARRY_LIBDW(dwarf_tag) \
  TARRY_LIBDW(dwarf_child) TARRY_LIBDW(dwarf_siblingof) TARRY_LIBDW(dwarf_haspc) TARRY_LIBDW(dwarf_dieoffset) \
  TARRY_LIBDW(dwarf_entrypc) TARRY_LIBDW(dwarf_getscopes_die) TARRY_LIBDW(dwarf_getsrcfiles) \
  TARRY_LIBDW(dwarf_filesrc) TARRY_LIBDW(dwarf_cu_die) \
  TARRY_LIBDW(dwfl_module_build_id) TARRY_LIBDW(dwelf_elf_gnu_build_id) TARRY_LIBDW(elf_begin) TARRY_LIBDW(elf_end) \
  TARRY_LIBDW(elf_nextscn) TARRY_LIBDW(elf_getscn) TARRY_LIBDW(elf_getdata) TARRY_LIBDW(gelf_getshdr) \
  TARRY_LIBDW(gelf_getclass)
// clang-format on

// Found at run time.
struct Libdw {
#define TARRY_LIBDW(name) decltype(&::name) name = nullptr;
  TARRY_LIBDW_FUNCTIONS
#undef TARRY_LIBDW
  bool is_there = false;

  Libdw() {
    void* library = ::dlopen("libdw.so.1", RTLD_NOW | RTLD_LOCAL);
    if (!library) return;
    lead_storage_to_middle_of_page();
    is_there = true;
    const auto load = [&](auto& function, const char* name) {
      function = reinterpret_cast<std::remove_reference_t<decltype(function)>>(::dlsym(library, name));
      is_there = is_there && function;
    };
#define TARRY_LIBDW(name) load(name, #name);
    TARRY_LIBDW_FUNCTIONS
#undef TARRY_LIBDW
  }
};
#undef TARRY_LIBDW_FUNCTIONS

// Never destroyed: it may be needed while the process ends.
const Libdw& libdw() {
  static const auto* const functions = new Libdw;
  return *functions;
}

bool has_build_id(const File& file, std::span<const std::uint8_t> wanted) {
  const Libdw& dw = libdw();
  Elf* const elf = dw.elf_begin(file.descriptor(), ELF_C_READ, nullptr);
  const void* id = nullptr;
  const ssize_t size = elf ? dw.dwelf_elf_gnu_build_id(elf, &id) : 0;
  const bool is_same = size == std::ssize(wanted) && std::memcmp(id, wanted.data(), wanted.size()) == 0;
  if (elf) dw.elf_end(elf);
  return is_same;
}

// A descriptor of the first of these files that is the right one; -1 if there is none.
template <class IsRight>
int open_first(const std::vector<std::string>& paths, const IsRight& is_right) {
  for (const std::string& path : paths)
    if (const auto file = open_input(path); file.ok() && is_right(file.value()))
      return ::fcntl(file.value().descriptor(), F_DUPFD_CLOEXEC, 0);
  return -1;
}

std::span<const std::uint8_t> build_id_of(Dwfl_Module* module) {
  const unsigned char* bits = nullptr;
  GElf_Addr address = 0;
  const int size = libdw().dwfl_module_build_id(module, &bits, &address);
  return {bits, size > 0 ? static_cast<std::size_t>(size) : 0};
}

// By the build ID, then by the .gnu_debuglink.
int find_local_debug_file(Dwfl_Module* module, const char* path, const char* link, GElf_Word checksum) {
  const std::vector<std::string> folders = debug_folders();
  const std::span<const std::uint8_t> id = build_id_of(module);
  const int by_id =
      open_first(paths_by_build_id(id, folders), [&](const File& file) { return has_build_id(file, id); });
  if (by_id >= 0 || !path || !link) return by_id;
  return open_first(paths_by_link(path, link, folders), [&](const File& file) { return has_checksum(file, checksum); });
}

// Where the file itself has no debug information. The module's own data is whom to ask.
int find_debug_file(Dwfl_Module* module, void** data, const char*, Dwarf_Addr, const char* path, const char* link,
                    GElf_Word checksum, char**) {
  const int file = find_local_debug_file(module, path, link, checksum);
  const auto* const ask = static_cast<const CodePlaces::AskServers*>(*data);
  return file < 0 && ask && *ask ? (*ask)(build_id_of(module)) : file;
}

constexpr std::size_t kMostCompilers = 4;  // that a message or a table can take
constexpr std::size_t kMostInlined = 64;   // functions in one another

int find_no_elf_file(Dwfl_Module*, void**, const char*, Dwarf_Addr, char**, Elf**) { return -1; }

bool is_fortran(int language) {
  switch (language) {
    case DW_LANG_Fortran77:
    case DW_LANG_Fortran90:
    case DW_LANG_Fortran95:
    case DW_LANG_Fortran03:
    case DW_LANG_Fortran08: return true;
    default: return false;
  }
}

}  // namespace

// The functions of one compilation unit are read when the first of them is asked for.
class CodePlaces::Module {
 public:
  Module(const std::string& path, const AskServers& ask) {
    const Libdw& dw = libdw();
    if (!dw.is_there) return;
    callbacks_ = {find_no_elf_file, find_debug_file, dw.dwfl_offline_section_address, nullptr};
    dwfl_ = dw.dwfl_begin(&callbacks_);
    if (!dwfl_) return;
    dw.dwfl_report_begin(dwfl_);
    // The path is in a trace. A descriptor that is taken over closes with the module.
    if (const auto file = open_input(path); file.ok()) {
      const int descriptor = ::fcntl(file.value().descriptor(), F_DUPFD_CLOEXEC, 0);
      module_ = dw.dwfl_report_elf(dwfl_, path.c_str(), path.c_str(), descriptor, 0, true);
      if (!module_) ::close(descriptor);
    }
    dw.dwfl_report_end(dwfl_, nullptr, nullptr);
    if (!module_) return;
    void** data = nullptr;
    dw.dwfl_module_info(module_, &data, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr);
    *data = const_cast<AskServers*>(&ask);
    list_units();
  }

  ~Module() {
    if (dwfl_) libdw().dwfl_end(dwfl_);
  }

  CodePlace find(std::uint64_t address) {
    CodePlace place;
    if (!module_) return place;
    const Libdw& dw = libdw();
    if (const char* name = symbol_at(address)) {
      place.mangled_name = without_clone_suffix(name);
      place.name = demangle(place.mangled_name);
    }
    const Function* function = find_function(address);
    if (!function) return place;
    Dwarf_Die die = function->die;
    if (const char* plain = dw.dwarf_diename(&die)) {
      if (place.mangled_name.empty()) place.mangled_name = place.name = plain;
      if (function->is_fortran) place.name = fortran_name(place.mangled_name, plain);
    }
    if (const char* file = file_of_declaration(die)) place.file = file;
    int line = 0;
    if (dw.dwarf_decl_line(&die, &line) == 0 && line > 0) place.line = static_cast<std::uint32_t>(line);
    return place;
  }

  // In so many rows of the table of lines, from that of the address on towards the begin.
  CodePlace find_line(std::uint64_t address, int most_rows) {
    Unit* const unit = unit_at(address);
    Dwarf_Addr at = unit ? address - unit->bias : 0;
    for (int i = 0; unit && i < most_rows; ++i) {
      Dwarf_Line* const row = libdw().dwarf_getsrc_die(&unit->die, at);
      if (CodePlace place = place_of(row); place.line != 0) return place;
      if (!row || libdw().dwarf_lineaddr(row, &at) != 0 || at-- == 0) break;
    }
    return {};
  }

  std::vector<InlinedCall> find_inlined(std::uint64_t address) {
    std::vector<InlinedCall> calls;
    Unit* const unit = unit_at(address);
    if (!unit) return calls;
    if (!unit->is_read) read(*unit);
    Dwarf_Die scope;
    if (!find_scope(*unit, address, scope)) return calls;
    std::size_t steps = 0;
    while (calls.size() < kMostInlined && step_inside(scope, address - unit->bias, steps))
      if (libdw().dwarf_tag(&scope) == DW_TAG_inlined_subroutine) calls.push_back(describe(scope, *unit));
    return calls;
  }

  std::vector<std::string> compilers() {
    const Libdw& dw = libdw();
    std::vector<std::string> names;
    for (Unit& unit : units_) {
      Dwarf_Attribute attribute;
      Dwarf_Attribute* const producer = dw.dwarf_attr(&unit.die, DW_AT_producer, &attribute);
      const char* const name = producer ? dw.dwarf_formstring(producer) : nullptr;
      if (!name || std::find(names.begin(), names.end(), name) != names.end()) continue;
      names.emplace_back(name);
      if (names.size() == kMostCompilers) break;
    }
    return names;
  }

 private:
  static CodePlace place_of(Dwarf_Line* row) {
    CodePlace place;
    int number = 0;
    if (!row || libdw().dwarf_lineno(row, &number) != 0 || number <= 0) return place;
    if (const char* file = libdw().dwarf_linesrc(row, nullptr, nullptr)) place.file = file;
    place.line = static_cast<std::uint32_t>(number);
    return place;
  }

  struct Function {
    Dwarf_Die die;
    bool is_fortran;
  };
  struct Part {
    Dwarf_Addr begin, end;
    Dwarf_Die die;
  };
  struct Unit {
    Dwarf_Die die;
    Dwarf_Addr bias = 0;
    std::vector<std::pair<Dwarf_Addr, Dwarf_Addr>> ranges;
    bool is_read = false;
    std::vector<Part> functions;  // once it is read, ascending

    bool has(std::uint64_t address) const {
      return std::ranges::any_of(
          ranges, [&](const auto& range) { return address - bias >= range.first && address - bias < range.second; });
    }
  };

  struct Symbol {
    std::uint64_t address;
    const char* name;
    int rank;  // of several at an address the one with the highest counts; of several with that, the first
  };

  // What other modules can see first; what has a size before a mere label.
  static int rank_of(const GElf_Sym& symbol) {
    const int binding = GELF_ST_BIND(symbol.st_info);
    return (binding == STB_GLOBAL ? 4 : binding == STB_WEAK ? 2 : 0) + (symbol.st_size > 0);
  }

  static bool is_code(const GElf_Sym& symbol) {
    const int type = GELF_ST_TYPE(symbol.st_info);
    return type == STT_FUNC || type == STT_GNU_IFUNC || type == STT_NOTYPE;
  }

  // The symbol of the function that begins there, or nullptr. libdw would search all of them each time.
  const char* symbol_at(std::uint64_t address) {
    if (!has_symbols_) list_symbols();
    const auto found = std::ranges::lower_bound(symbols_, address, {}, &Symbol::address);
    return found == symbols_.end() || found->address != address ? nullptr : found->name;
  }

  // libdw takes some 300 instructions to tell of a symbol, and libraries of C++ have tens of thousands. So tables are
  // read as they are, unless libdw knows of more: it unpacks what some systems leave in stripped files.
  void list_symbols() {
    has_symbols_ = true;
    const Libdw& dw = libdw();
    const int count = dw.dwfl_module_getsymtab(module_);
    GElf_Addr bias = 0;
    Dwarf_Addr debug_bias = 0;
    Elf* const elf = dw.dwfl_module_getelf(module_, &bias);
    Dwarf* const debug = dw.dwfl_module_getdwarf(module_, &debug_bias);
    Elf* const debug_elf = debug ? dw.dwarf_getelf(debug) : nullptr;
    std::int64_t listed = elf ? list_symbols_of(elf, bias) : 0;
    if (debug_elf && debug_elf != elf) listed += list_symbols_of(debug_elf, debug_bias);
    if (count > listed) list_symbols_of_libdw(count);
    std::ranges::stable_sort(symbols_, {}, [](const Symbol& each) { return std::pair(each.address, -each.rank); });
  }

  void add_symbol(const GElf_Sym& symbol, std::uint64_t address, const char* name) {
    if (*name) symbols_.push_back({address, name, rank_of(symbol)});
  }

  void list_symbols_of_libdw(int count) {
    for (int i = 1; i < count; ++i) {
      GElf_Sym symbol;
      GElf_Addr address = 0;
      GElf_Word section = SHN_UNDEF;
      const char* name = libdw().dwfl_module_getsym_info(module_, i, &symbol, &address, &section, nullptr, nullptr);
      if (name && section != SHN_UNDEF && is_code(symbol)) add_symbol(symbol, address, name);
    }
  }

  // How many symbols the tables of a file have.
  std::int64_t list_symbols_of(Elf* elf, std::uint64_t bias) {
    const Libdw& dw = libdw();
    std::int64_t count = 0;
    if (dw.gelf_getclass(elf) != ELFCLASS64) return count;
    for (Elf_Scn* section = dw.elf_nextscn(elf, nullptr); section; section = dw.elf_nextscn(elf, section)) {
      GElf_Shdr header;
      if (!dw.gelf_getshdr(section, &header) || (header.sh_type != SHT_SYMTAB && header.sh_type != SHT_DYNSYM))
        continue;
      const Elf_Data* const table = dw.elf_getdata(section, nullptr);
      Elf_Scn* const strings = dw.elf_getscn(elf, header.sh_link);
      const Elf_Data* const names = strings ? dw.elf_getdata(strings, nullptr) : nullptr;
      if (table && table->d_buf && names && names->d_buf) count += list_table(*table, *names, bias);
    }
    return count;
  }

  std::int64_t list_table(const Elf_Data& table, const Elf_Data& names, std::uint64_t bias) {
    const std::span symbols(static_cast<const Elf64_Sym*>(table.d_buf), table.d_size / sizeof(Elf64_Sym));
    const std::string_view text(static_cast<const char*>(names.d_buf), names.d_size);
    const std::size_t end = text.rfind('\0');  // no name goes on behind it
    for (const Elf64_Sym& symbol : symbols)
      if (symbol.st_shndx != SHN_UNDEF && is_code(symbol) && end != text.npos && symbol.st_name < end)
        add_symbol(symbol, symbol.st_value + bias, text.data() + symbol.st_name);
    return std::ssize(symbols);
  }

  void list_units() {
    const Libdw& dw = libdw();
    Dwarf_Addr bias = 0;
    for (Dwarf_Die* die = dw.dwfl_module_nextcu(module_, nullptr, &bias); die;
         die = dw.dwfl_module_nextcu(module_, die, &bias)) {
      Unit unit;
      unit.die = *die;
      unit.bias = bias;
      Dwarf_Addr base = 0, begin = 0, end = 0;
      std::ptrdiff_t at = 0;
      while ((at = dw.dwarf_ranges(die, at, &base, &begin, &end)) > 0) {
        unit.ranges.emplace_back(begin, end);
        unit_begins_.emplace_back(begin + bias, units_.size());
      }
      units_.push_back(std::move(unit));
    }
    std::ranges::sort(unit_begins_);
  }

  const Function* find_function(std::uint64_t address) {
    if (const auto known = functions_.find(address); known != functions_.end()) return &known->second;
    Unit* const unit = unit_at(address);
    if (!unit || unit->is_read) return nullptr;
    read(*unit);
    const auto found = functions_.find(address);
    return found == functions_.end() ? nullptr : &found->second;
  }

  // Parts of units do not overlap, except those that a linker has dropped, or in a damaged file.
  Unit* unit_at(std::uint64_t address) {
    const auto behind = std::ranges::upper_bound(unit_begins_, std::pair(address, units_.size()));
    if (behind == unit_begins_.begin()) return nullptr;
    Unit& near = units_[std::prev(behind)->second];
    if (near.has(address)) return &near;
    const auto unit = std::ranges::find_if(units_, [&](const Unit& each) { return each.has(address); });
    return unit == units_.end() ? nullptr : &*unit;
  }

  void read(Unit& unit) {
    unit.is_read = true;
    reading_ = &unit;
    libdw().dwarf_getfuncs(&unit.die, &Module::add_function, this, 0);
    std::ranges::stable_sort(unit.functions, {}, &Part::begin);
  }

  // The function that has this code.
  static bool find_scope(const Unit& unit, std::uint64_t address, Dwarf_Die& scope) {
    const Dwarf_Addr place = address - unit.bias;
    auto behind = std::ranges::upper_bound(unit.functions, place, {}, &Part::begin);
    if (behind == unit.functions.begin() || place >= (--behind)->end) return false;
    scope = behind->die;
    return true;
  }

  // From a scope to the one inside it that has this code. A damaged file may lead around in a circle.
  static bool step_inside(Dwarf_Die& scope, Dwarf_Addr place, std::size_t& steps) {
    constexpr std::size_t kMostSteps = std::size_t{1} << 20;
    const Libdw& dw = libdw();
    Dwarf_Die inner;
    for (int found = dw.dwarf_child(&scope, &inner); found == 0; found = dw.dwarf_siblingof(&inner, &inner)) {
      if (++steps > kMostSteps) return false;
      const int tag = dw.dwarf_tag(&inner);
      if (tag != DW_TAG_inlined_subroutine && tag != DW_TAG_lexical_block) continue;
      if (dw.dwarf_haspc(&inner, place) != 1) continue;
      scope = inner;
      return true;
    }
    return false;
  }

  InlinedCall describe(Dwarf_Die& die, Unit& unit) {
    const Libdw& dw = libdw();
    InlinedCall call;
    call.function = describe_inlined(die, unit);
    Dwarf_Files* files = nullptr;
    std::size_t count = 0;
    const auto number = number_of(die, DW_AT_call_file);  // 0 is a file from DWARF 5 on
    if (number && dw.dwarf_getsrcfiles(&unit.die, &files, &count) == 0 && *number < count)
      if (const char* file = dw.dwarf_filesrc(files, *number, nullptr, nullptr)) call.call_file = file;
    call.call_line = static_cast<std::uint32_t>(number_of(die, DW_AT_call_line).value_or(0));
    return call;
  }

  CodePlace describe_inlined(Dwarf_Die& die, Unit& unit) {
    const Libdw& dw = libdw();
    CodePlace place;
    Dwarf_Attribute attribute;
    Dwarf_Die origin = die;
    if (dw.dwarf_attr(&die, DW_AT_abstract_origin, &attribute)) dw.dwarf_formref_die(&attribute, &origin);
    const char* const plain = dw.dwarf_diename(&die);
    const char* mangled = nullptr;
    if (dw.dwarf_attr_integrate(&die, DW_AT_linkage_name, &attribute)) mangled = dw.dwarf_formstring(&attribute);
    // Not all calls of a function need be inlined: for the others it has a symbol.
    const auto copy = copies_.find(dw.dwarf_dieoffset(&origin));
    if (!mangled && copy != copies_.end()) mangled = symbol_at(copy->second);
    if (mangled) place.name = demangle(place.mangled_name = without_clone_suffix(mangled));
    else if (plain) place.name = place.mangled_name = scope_of(origin) + plain;
    if (plain && is_fortran(dw.dwarf_srclang(&unit.die))) place.name = fortran_name(place.mangled_name, plain);
    if (const char* file = file_of_declaration(die)) place.file = file;
    int line = 0;
    if (dw.dwarf_decl_line(&die, &line) == 0 && line > 0) place.line = static_cast<std::uint32_t>(line);
    return place;
  }

  // "space::Class::", or "space::function::{lambda}::", of a function that linkers do not know.
  static std::string scope_of(Dwarf_Die die) {
    constexpr int kMostFunctions = 8;  // in one another: a damaged file may lead around in a circle
    std::string text;
    for (int i = 0; i < kMostFunctions && step_outside(die, text); ++i) continue;
    return text;
  }

  // nullptr if it is no scope of names.
  static const char* scope_name(Dwarf_Die& scope) {
    const char* const name = libdw().dwarf_diename(&scope);
    switch (libdw().dwarf_tag(&scope)) {
      case DW_TAG_namespace: return name ? name : "(anonymous namespace)";
      case DW_TAG_structure_type:
      case DW_TAG_union_type:
      case DW_TAG_class_type: return name ? name : "{lambda}";
      case DW_TAG_subprogram: return name;
      default: return nullptr;
    }
  }

  // Puts the names of what is around a function in front. At the next function around it, goes on there: true.
  static bool step_outside(Dwarf_Die& die, std::string& text) {
    const Libdw& dw = libdw();
    Dwarf_Attribute attribute;
    if (dw.dwarf_attr_integrate(&die, DW_AT_specification, &attribute)) dw.dwarf_formref_die(&attribute, &die);
    Dwarf_Die* scopes = nullptr;
    const int count = dw.dwarf_getscopes_die(&die, &scopes);
    bool is_in_function = false;
    for (int i = 1; i < count && !is_in_function; ++i) {
      is_in_function = dw.dwarf_tag(&scopes[i]) == DW_TAG_subprogram;
      if (is_in_function) die = scopes[i];
      if (const char* const name = scope_name(scopes[i])) text.insert(0, std::string(name) + "::");
    }
    std::free(scopes);
    return is_in_function;
  }

  static std::optional<std::uint64_t> number_of(Dwarf_Die& die, unsigned name) {
    Dwarf_Attribute attribute;
    Dwarf_Word number = 0;
    if (!libdw().dwarf_attr(&die, name, &attribute) || libdw().dwarf_formudata(&attribute, &number) != 0) return {};
    return number;
  }

  // libdw denies file 0, which is a unit's own source from DWARF 5 on: compilers of LLVM name it so.
  static const char* file_of_declaration(Dwarf_Die& die) {
    constexpr Dwarf_Half kFirstWithFile0 = 5;
    const Libdw& dw = libdw();
    if (const char* const file = dw.dwarf_decl_file(&die)) return file;
    Dwarf_Attribute attribute;
    Dwarf_Word number = 0;
    if (!dw.dwarf_attr_integrate(&die, DW_AT_decl_file, &attribute)) return nullptr;
    if (dw.dwarf_formudata(&attribute, &number) != 0 || number != 0) return nullptr;
    Dwarf_Die unit;
    Dwarf_Half version = 0;
    dw.dwarf_cu_die(attribute.cu, &unit, &version, nullptr, nullptr, nullptr, nullptr, nullptr);
    Dwarf_Files* files = nullptr;
    std::size_t count = 0;
    if (version < kFirstWithFile0 || dw.dwarf_getsrcfiles(&unit, &files, &count) != 0 || count == 0) return nullptr;
    return dw.dwarf_filesrc(files, 0, nullptr, nullptr);
  }

  static int add_function(Dwarf_Die* die, void* self) {
    const Libdw& dw = libdw();
    auto* module = static_cast<Module*>(self);
    const Function function{*die, is_fortran(dw.dwarf_srclang(&module->reading_->die))};
    Dwarf_Addr base = 0, begin = 0, end = 0;
    std::ptrdiff_t at = 0;  // a function may have parts elsewhere
    while ((at = dw.dwarf_ranges(die, at, &base, &begin, &end)) > 0) {
      module->functions_.try_emplace(begin + module->reading_->bias, function);
      module->reading_->functions.push_back({begin, end, *die});
    }
    Dwarf_Attribute attribute;
    Dwarf_Die original;
    if (dw.dwarf_attr(die, DW_AT_abstract_origin, &attribute) && dw.dwarf_formref_die(&attribute, &original) &&
        dw.dwarf_entrypc(die, &begin) == 0)
      module->copies_.try_emplace(dw.dwarf_dieoffset(&original), begin + module->reading_->bias);
    return DWARF_CB_OK;
  }

  Dwfl_Callbacks callbacks_{};
  Dwfl* dwfl_ = nullptr;
  Dwfl_Module* module_ = nullptr;
  std::vector<Symbol> symbols_;  // ascending
  bool has_symbols_ = false;
  std::vector<Unit> units_;
  std::vector<std::pair<std::uint64_t, std::size_t>> unit_begins_;  // of each of their parts, ascending
  Unit* reading_ = nullptr;
  std::unordered_map<std::uint64_t, Function> functions_;
  std::unordered_map<Dwarf_Off, std::uint64_t> copies_;  // of functions that are inlined elsewhere: their addresses
};

CodePlaces::CodePlaces(AskServers ask) : ask_(ask) {}
CodePlaces::~CodePlaces() = default;

bool CodePlaces::can_look_up() { return libdw().is_there; }

CodePlaces::Module* CodePlaces::open(const std::string& path) {
  std::unique_ptr<Module>& module = modules_[path];
  if (!module) module = std::make_unique<Module>(path, ask_);
  return module.get();
}

CodePlace CodePlaces::find(const std::string& path, std::uint64_t address) {
  CodePlace place = open(path)->find(address);
  if (place.name.empty()) place.name = place.mangled_name = address_name(path, address);
  return place;
}

CodePlace CodePlaces::find_line_or_before(const std::string& path, std::uint64_t address) {
  constexpr int kMostRows = 64;
  return open(path)->find_line(address, kMostRows);
}

CodePlace CodePlaces::find_line(const std::string& path, std::uint64_t address) {
  return open(path)->find_line(address, 1);
}

std::vector<InlinedCall> CodePlaces::find_inlined(const std::string& path, std::uint64_t address) {
  return open(path)->find_inlined(address);
}

std::vector<std::string> CodePlaces::compilers(const std::string& path) { return open(path)->compilers(); }

std::string without_clone_suffix(std::string name) {
  constexpr std::string_view kSuffixes[] = {".isra", ".constprop", ".part", ".cold", ".lto_priv"};
  for (bool is_cut = true; is_cut;) {
    is_cut = false;
    const std::size_t number = name.find_last_not_of("0123456789");
    const bool has_number = number != std::string::npos && number + 1 < name.size() && name[number] == '.';
    const std::string_view stem(name.data(), has_number ? number : name.size());
    for (const std::string_view suffix : kSuffixes)
      if (stem.size() > suffix.size() && stem.ends_with(suffix)) {
        name.resize(stem.size() - suffix.size());
        is_cut = true;
        break;
      }
  }
  return name;
}

std::string demangle(const std::string& name) {
  if (!name.starts_with("_Z")) return fortran_name(name, name);
  return demangled(name).value_or(name);
}

// gfortran names procedure p of module m __m_MOD_p.
std::string fortran_name(const std::string& mangled, const std::string& procedure) {
  constexpr std::string_view kMark = "_MOD_";
  const std::size_t mark = mangled.find(kMark, 2);
  if (!mangled.starts_with("__") || mark == std::string::npos || mark == 2) return procedure;
  const std::string module = mangled.substr(2, mark - 2);
  return module + "::" + (procedure == mangled ? mangled.substr(mark + kMark.size()) : procedure);
}

std::string address_name(const std::string& path, std::uint64_t address) {
  char text[32];
  std::snprintf(text, sizeof text, "+0x%llx", static_cast<unsigned long long>(address));
  return path.substr(path.rfind('/') + 1) + text;
}

bool is_address_name(std::string_view name) {
  const std::size_t mark = name.rfind("+0x");
  if (mark == 0 || mark == name.npos || mark + 3 == name.size()) return false;
  return name.find_first_not_of("0123456789abcdef", mark + 3) == name.npos;
}

}  // namespace tarry
