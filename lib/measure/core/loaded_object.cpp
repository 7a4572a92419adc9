// loaded_object.cpp -- looks names up in the symbol tables of what is loaded.
#include "measure/core/loaded_object.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <iterator>
#include <optional>
#include <string_view>

extern "C" __attribute__((visibility("hidden"))) const ElfW(Ehdr) __ehdr_start;  // of this library

namespace tarry::measure {
namespace {

constexpr std::size_t kGnuHashHeader = 4;  // words in front of the filter

std::uint32_t old_hash_of(const char* name) {
  std::uint32_t hash = 0;
  for (; *name; ++name) {
    hash = (hash << 4) + static_cast<unsigned char>(*name);
    hash ^= hash >> 24 & 0xf0;
    hash &= 0x0fffffff;
  }
  return hash;
}

struct Search {
  SymbolName name;
  std::uintptr_t address;  // of the object to look into, for find_beside()
  LoadedObject::Definition found;
};

struct CallerSearch {
  SymbolName name;
  std::uintptr_t address;
  std::optional<LoadedObject> caller;  // empty: not found yet
  CallerDefinition found;
};

bool covers(const dl_phdr_info& object, std::uintptr_t address) {
  for (int i = 0; i < object.dlpi_phnum; ++i) {
    const ElfW(Phdr)& segment = object.dlpi_phdr[i];
    if (segment.p_type == PT_LOAD && address - object.dlpi_addr - segment.p_vaddr < segment.p_memsz) return true;
  }
  return false;
}

bool is_this_library(const dl_phdr_info& object) {
  return object.dlpi_addr == reinterpret_cast<std::uintptr_t>(&__ehdr_start);
}

int look_beside(dl_phdr_info* object, std::size_t, void* data) {
  Search& search = *static_cast<Search*>(data);
  if (!covers(*object, search.address)) return 0;
  search.found = LoadedObject(*object).find(search.name);
  return 1;
}

bool is_of_system(const char* library) {
  constexpr std::string_view kLibraries[] = {"libc.so",    "ld-linux",  "libdl.so",
                                             "libgomp.so", "libomp.so", "libiomp5.so"};
  return library && std::any_of(std::begin(kLibraries), std::end(kLibraries),
                                [&](std::string_view each) { return std::string_view(library).starts_with(each); });
}

// What is in front of the program's libraries beside this one: for annotations, files and so on.
bool is_of_recorder(const dl_phdr_info& object) {
  const std::string_view path = object.dlpi_name ? object.dlpi_name : "";
  return path.substr(path.rfind('/') + 1).starts_with("libtarry-");
}

int look_for_call(dl_phdr_info* info, std::size_t, void* name) {
  const LoadedObject object(*info);
  if (is_this_library(*info) || is_of_recorder(*info) || is_of_system(object.name())) return 0;
  const auto is_other = [&](const char* called, void**) { return std::strcmp(called, static_cast<char*>(name)) != 0; };
  return object.each_slot(is_other) ? 0 : 1;
}

int look_into(dl_phdr_info* object, std::size_t, void* data) {
  Search& search = *static_cast<Search*>(data);
  if (is_this_library(*object)) return 0;
  search.found = LoadedObject(*object).find(search.name);
  return search.found.address != nullptr;
}

void note_extent(const dl_phdr_info& object, CallerDefinition& found) {
  found.begin = ~std::uintptr_t{0};
  for (int i = 0; i < object.dlpi_phnum; ++i) {
    const ElfW(Phdr)& segment = object.dlpi_phdr[i];
    if (segment.p_type != PT_LOAD) continue;
    found.begin = std::min<std::uintptr_t>(found.begin, object.dlpi_addr + segment.p_vaddr);
    found.end = std::max<std::uintptr_t>(found.end, object.dlpi_addr + segment.p_vaddr + segment.p_memsz);
  }
}

int look_for_caller(dl_phdr_info* object, std::size_t, void* data) {
  CallerSearch& search = *static_cast<CallerSearch*>(data);
  if (!covers(*object, search.address)) return 0;
  search.caller.emplace(*object);
  note_extent(*object, search.found);
  search.found.address = search.caller->find(search.name).address;
  return 1;
}

int look_into_needed(dl_phdr_info* object, std::size_t, void* data) {
  CallerSearch& search = *static_cast<CallerSearch*>(data);
  if (is_this_library(*object)) return 0;
  const LoadedObject other(*object);
  if (other.name() && search.caller->needs(other.name())) search.found.address = other.find(search.name).address;
  return search.found.address != nullptr;
}

}  // namespace

LoadedObject::LoadedObject(const dl_phdr_info& object) : base_(object.dlpi_addr) {
  for (int i = 0; i < object.dlpi_phnum; ++i) {
    const ElfW(Phdr)& segment = object.dlpi_phdr[i];
    if (segment.p_type == PT_DYNAMIC) read_dynamic(reinterpret_cast<const ElfW(Dyn)*>(base_ + segment.p_vaddr));
    if (segment.p_type == PT_GNU_RELRO) {
      fixed_begin_ = base_ + segment.p_vaddr;
      fixed_end_ = fixed_begin_ + segment.p_memsz;
    }
  }
}

void LoadedObject::read_dynamic(const ElfW(Dyn) * entry) {
  dynamic_ = entry;
  for (; entry->d_tag != DT_NULL; ++entry) {
    if (entry->d_tag == DT_SYMTAB) symbols_ = at<ElfW(Sym)>(entry->d_un.d_ptr);
    if (entry->d_tag == DT_STRTAB) names_ = at<char>(entry->d_un.d_ptr);
    if (entry->d_tag == DT_GNU_HASH) gnu_hash_ = at<std::uint32_t>(entry->d_un.d_ptr);
    if (entry->d_tag == DT_HASH) old_hash_ = at<std::uint32_t>(entry->d_un.d_ptr);
    if (entry->d_tag == DT_JMPREL) jumps_ = at<ElfW(Rela)>(entry->d_un.d_ptr);
    if (entry->d_tag == DT_PLTRELSZ) jump_bytes_ = entry->d_un.d_val;
    if (entry->d_tag == DT_RELA) data_ = at<ElfW(Rela)>(entry->d_un.d_ptr);
    if (entry->d_tag == DT_SONAME) own_name_ = entry->d_un.d_val;
    if (entry->d_tag == DT_RELASZ) data_bytes_ = entry->d_un.d_val;
  }
}

bool LoadedObject::needs(const char* name) const {
  for (const ElfW(Dyn)* entry = dynamic_; entry && names_ && entry->d_tag != DT_NULL; ++entry)
    if (entry->d_tag == DT_NEEDED && std::strcmp(names_ + entry->d_un.d_val, name) == 0) return true;
  return false;
}

LoadedObject::Definition LoadedObject::find(SymbolName name) const {
  if (!symbols_ || !names_) return {};
  const std::uint32_t index = gnu_hash_ ? find_by_gnu_hash(name) : old_hash_ ? find_by_old_hash(name.text) : STN_UNDEF;
  if (index == STN_UNDEF) return {};
  return {reinterpret_cast<void*>(base_ + symbols_[index].st_value), symbols_[index].st_size};
}

// A definition that is chosen at run time (STT_GNU_IFUNC) has another address than its symbol: it does not count.
bool LoadedObject::is_definition_of(const char* name, std::uint32_t symbol) const {
  const ElfW(Sym)& found = symbols_[symbol];
  const unsigned type = ELF64_ST_TYPE(found.st_info), binding = ELF64_ST_BIND(found.st_info);
  return found.st_shndx != SHN_UNDEF && (type == STT_FUNC || type == STT_OBJECT || type == STT_NOTYPE) &&
         (binding == STB_GLOBAL || binding == STB_WEAK) && std::strcmp(names_ + found.st_name, name) == 0;
}

std::span<const std::uint32_t> LoadedObject::gnu_buckets() const {
  const auto* filter = reinterpret_cast<const ElfW(Addr)*>(gnu_hash_ + kGnuHashHeader);
  return {reinterpret_cast<const std::uint32_t*>(filter + gnu_hash_[2]), gnu_hash_[0]};
}

// Buckets of symbols with consecutive numbers; the lowest bit of a symbol's hash ends its bucket. A filter in front
// says at once of most names that they are not there.
std::uint32_t LoadedObject::find_by_gnu_hash(SymbolName name) const {
  constexpr std::uint32_t kWordBits = sizeof(ElfW(Addr)) * 8;
  const std::uint32_t first_symbol = gnu_hash_[1], filter_words = gnu_hash_[2], filter_shift = gnu_hash_[3];
  const auto buckets = gnu_buckets();
  if (buckets.empty()) return STN_UNDEF;
  const auto* filter = reinterpret_cast<const ElfW(Addr)*>(gnu_hash_ + kGnuHashHeader);
  const std::uint32_t* hashes = buckets.data() + buckets.size();
  const std::uint32_t hash = name.hash;
  const ElfW(Addr) word = filter_words ? filter[hash / kWordBits % filter_words] : ~ElfW(Addr){0};
  if (!((word >> (hash % kWordBits)) & (word >> ((hash >> filter_shift) % kWordBits)) & 1)) return STN_UNDEF;
  std::uint32_t symbol = buckets[hash % buckets.size()];
  for (; symbol >= first_symbol; ++symbol) {
    const std::uint32_t other = hashes[symbol - first_symbol];
    if ((other | 1) == (hash | 1) && is_definition_of(name.text, symbol)) return symbol;
    if (other & 1) break;
  }
  return STN_UNDEF;
}

std::uint32_t LoadedObject::find_by_old_hash(const char* name) const {
  const std::uint32_t bucket_count = old_hash_[0];
  const std::uint32_t* buckets = old_hash_ + 2;
  const std::uint32_t* next = buckets + bucket_count;
  if (bucket_count == 0) return STN_UNDEF;
  for (std::uint32_t symbol = buckets[old_hash_of(name) % bucket_count]; symbol != STN_UNDEF; symbol = next[symbol])
    if (is_definition_of(name, symbol)) return symbol;
  return STN_UNDEF;
}

// The number of symbols up to the last one that is taken from another object. Those with hashes come behind. A table
// without any may tell any number: then relocations name them.
std::uint32_t LoadedObject::imports_end() const {
  if (gnu_hash_ && std::ranges::any_of(gnu_buckets(), [](std::uint32_t first) { return first != STN_UNDEF; }))
    return gnu_hash_[1];
  std::uint32_t end = 0;
  const auto look = [&](std::uint32_t, const ElfW(Sym) & symbol, void**) {
    end = std::max(end, static_cast<std::uint32_t>(&symbol - symbols_) + 1);
    return true;
  };
  each_relocation(jumps_, jump_bytes_, look);
  each_relocation(data_, data_bytes_, look);
  return end;
}

bool LoadedObject::write_slot(void** slot, void* value) const {
  const auto page_size = static_cast<std::uintptr_t>(::sysconf(_SC_PAGESIZE));
  const auto address = reinterpret_cast<std::uintptr_t>(slot);
  const bool is_fixed = address >= fixed_begin_ && address < fixed_end_;
  void* page = reinterpret_cast<void*>(address & ~(page_size - 1));
  if (is_fixed && ::mprotect(page, page_size, PROT_READ | PROT_WRITE) != 0) return false;
  *slot = value;
  if (is_fixed) ::mprotect(page, page_size, PROT_READ);
  return true;
}

bool is_called_by_program(const char* name) { return ::dl_iterate_phdr(look_for_call, const_cast<char*>(name)) != 0; }

LoadedObject::Definition find_loaded(const char* name) {
  Search search{name, 0, {}};
  ::dl_iterate_phdr(look_into, &search);
  return search.found;
}

CallerDefinition find_for_caller(const void* caller, const char* name) {
  CallerSearch search{name, reinterpret_cast<std::uintptr_t>(caller), {}, {}};
  if (::dl_iterate_phdr(look_for_caller, &search) != 0 && !search.found.address)
    ::dl_iterate_phdr(look_into_needed, &search);
  if (!search.found.address) search.found.address = find_loaded(name).address;
  return search.found;
}

LoadedObject::Definition find_beside(const void* address, const char* name) {
  Search search{name, reinterpret_cast<std::uintptr_t>(address), {}};
  ::dl_iterate_phdr(look_beside, &search);
  return search.found;
}

}  // namespace tarry::measure
