// memory_budget.cpp -- pages that come into memory at a touch, and go when there are too many.
#include "base/arrays/memory_budget.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <charconv>
#include <csignal>
#include <iterator>
#include <new>

#include "base/arrays/round_up.hpp"

namespace tarry {
namespace {

constexpr std::size_t kLeastUnit = std::size_t{64} << 10, kLargestUnit = std::size_t{1} << 20;
constexpr std::size_t kPartBlock = std::size_t{4} << 20;
constexpr std::size_t kPartAlignment = 64;
// Of the limit, for what the process takes from the heap before the budget looks again.
constexpr std::uint64_t kMargin = 16;

std::uintptr_t address_number(const void* address) { return reinterpret_cast<std::uintptr_t>(address); }
void* address_of(std::uintptr_t number) { return reinterpret_cast<void*>(number); }

// A range of addresses with nothing behind it.
std::uintptr_t reserve_addresses(std::size_t bytes) {
  void* range = ::mmap(nullptr, bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (range == MAP_FAILED) throw std::bad_alloc();
  return address_number(range);
}

// Signals belong to the process. Their handler must find the budgets; nothing else looks at this.
std::atomic<MemoryBudget*> g_budgets[16];
struct sigaction g_before;

void handle_fault(int, siginfo_t* info, void*) {
  const int error = errno;
  const bool is_served = std::ranges::any_of(g_budgets, [&](const std::atomic<MemoryBudget*>& one) {
    MemoryBudget* budget = one.load(std::memory_order_acquire);
    return budget && budget->bring(address_number(info->si_addr));
  });
  // A fault of the program: the instruction is repeated under the handler that was there before.
  if (!is_served) ::sigaction(SIGSEGV, &g_before, nullptr);
  errno = error;
}

Status watch_faults(MemoryBudget* budget) {
  const auto takes = [budget](std::atomic<MemoryBudget*>& one) {
    MemoryBudget* none = nullptr;
    return one.compare_exchange_strong(none, budget);
  };
  if (std::ranges::none_of(g_budgets, takes)) return Error{"memory", "has too many limits", ""};
  struct sigaction action = {}, before;
  action.sa_sigaction = handle_fault;
  action.sa_flags = SA_SIGINFO | SA_ONSTACK;
  if (::sigaction(SIGSEGV, &action, &before) == 0 && before.sa_sigaction != handle_fault) g_before = before;
  return {};
}

}  // namespace

Result<std::unique_ptr<MemoryBudget>> MemoryBudget::create(std::uint64_t bytes, const std::string& folder) {
  const auto page = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
  const std::size_t unit = std::clamp<std::size_t>(bytes / kUnits, kLeastUnit, kLargestUnit) / page * page;
  TARRY_TRY_ASSIGN(file, PageFile::open(folder, unit));
  TARRY_TRY_ASSIGN(resident, open_file("/proc/self/statm", O_RDONLY));
  std::unique_ptr<MemoryBudget> budget(new MemoryBudget(bytes, unit, std::move(file), std::move(resident)));
  TARRY_TRY(watch_faults(budget.get()));
  return budget;
}

MemoryBudget::MemoryBudget(std::uint64_t bytes, std::size_t unit, PageFile file, File resident)
    : bytes_(bytes), unit_(unit), file_(std::move(file)), resident_(std::move(resident)) {
  present_.resize(std::max<std::size_t>(bytes / unit, kLeastUnits));
  for (auto position = static_cast<std::uint32_t>(present_.size()); position > 0; --position)
    free_.push_back(position - 1);
}

MemoryBudget::~MemoryBudget() {
  for (std::atomic<MemoryBudget*>& one : g_budgets)
    if (one == this) one = nullptr;
  for (const auto& [begin, block] : blocks_) ::munmap(address_of(begin), block.units.size() * unit_);
}

void* MemoryBudget::allocate(std::size_t bytes) {
  const std::lock_guard lock(mutex_);
  return address_of(add_block((bytes + unit_ - 1) / unit_));
}

std::uintptr_t MemoryBudget::add_block(std::size_t units) {
  Block block;
  add_units(block, units);
  const std::uintptr_t begin = reserve_addresses(units * unit_);
  blocks_.emplace(begin, std::move(block));
  return begin;
}

void MemoryBudget::add_units(Block& block, std::size_t count) {
  std::vector<std::uint32_t> slots;
  file_.take(count, slots);
  for (const std::uint32_t slot : slots) block.units.push_back({.slot = slot});
}

void* MemoryBudget::extend(void* block, std::size_t bytes) {
  const std::lock_guard lock(mutex_);
  const auto old = block_of(address_number(block));
  const std::size_t units = (bytes + unit_ - 1) / unit_, before = old->second.units.size();
  const std::uintptr_t begin = reserve_addresses(units * unit_);
  add_units(old->second, units - before);
  for (Unit& unit : old->second.units) forget(unit);
  ::munmap(block, before * unit_);
  blocks_.emplace(begin, std::move(old->second));
  blocks_.erase(old);
  return address_of(begin);
}

void MemoryBudget::trim(void* block, std::size_t bytes) {
  const std::lock_guard lock(mutex_);
  remove_units(block_of(address_number(block)), (bytes + unit_ - 1) / unit_);
}

void MemoryBudget::release(void* block) {
  const std::lock_guard lock(mutex_);
  remove_block(block_of(address_number(block)));
}

void MemoryBudget::remove_units(Blocks::iterator block, std::size_t kept) {
  std::vector<Unit>& units = block->second.units;
  std::vector<std::uint32_t> slots;
  for (std::size_t i = kept; i < units.size(); ++i) {
    forget(units[i]);
    slots.push_back(units[i].slot);
  }
  file_.give_back(slots);
  if (kept < units.size()) ::munmap(address_of(block->first + kept * unit_), (units.size() - kept) * unit_);
  units.resize(std::min(kept, units.size()));
}

void MemoryBudget::remove_block(Blocks::iterator block) {
  remove_units(block, 0);
  blocks_.erase(block);
}

void* MemoryBudget::allocate_part(std::size_t bytes) {
  const std::size_t room = round_up(bytes, kPartAlignment);
  const std::lock_guard lock(mutex_);
  if (part_block_ == 0 || part_used_ + room > block_of(part_block_)->second.units.size() * unit_) {
    const std::uintptr_t next = add_block((std::max(room, kPartBlock) + unit_ - 1) / unit_);
    leave_part_block();
    part_block_ = next;
    part_used_ = 0;
  }
  ++block_of(part_block_)->second.parts;
  void* part = address_of(part_block_ + part_used_);
  part_used_ += room;
  return part;
}

// It goes with the last of its parts.
void MemoryBudget::leave_part_block() {
  if (part_block_ == 0) return;
  if (const auto full = block_of(part_block_); full->second.parts == 0) remove_block(full);
}

void MemoryBudget::release_part(void* part) {
  const std::lock_guard lock(mutex_);
  const auto block = block_of(address_number(part));
  if (--block->second.parts == 0 && block->first != part_block_) remove_block(block);
}

void MemoryBudget::clear_memory() {
  const std::lock_guard lock(mutex_);
  for (const std::uintptr_t address : present_)
    if (address != 0) evict(address);
}

MemoryBudget::Blocks::iterator MemoryBudget::block_of(std::uintptr_t address) {
  auto next = blocks_.upper_bound(address);
  if (next == blocks_.begin()) return blocks_.end();
  --next;
  return address - next->first < next->second.units.size() * unit_ ? next : blocks_.end();
}

bool MemoryBudget::bring(std::uintptr_t address) {
  const std::lock_guard lock(mutex_);
  const auto block = block_of(address);
  if (block == blocks_.end()) return false;
  const std::size_t number = (address - block->first) / unit_;
  Unit& unit = block->second.units[number];
  // Another thread may have waited for the same unit.
  return unit.position != kAbsent || make_present(block->first + number * unit_, unit);
}

bool MemoryBudget::make_present(std::uintptr_t address, Unit& unit) {
  for (const std::size_t allowed = allowed_units(); present_.size() - free_.size() >= allowed;) evict_next();
  if (!file_.map(address, unit.slot, unit.is_new)) return false;
  unit.is_new = false;
  unit.position = free_.back();
  free_.pop_back();
  present_[unit.position] = address;
  return true;
}

// What the process holds beside the units leaves them the rest.
std::size_t MemoryBudget::allowed_units() {
  const std::uint64_t resident = resident_bytes(), units = (present_.size() - free_.size()) * unit_;
  const std::uint64_t elsewhere = resident > units ? resident - units : 0;
  most_elsewhere_ = std::max(most_elsewhere_, elsewhere);
  const std::uint64_t target = bytes_ - bytes_ / kMargin;
  const std::uint64_t left = target > elsewhere ? (target - elsewhere) / unit_ : 0;
  return std::clamp<std::uint64_t>(left, kLeastUnits, present_.size());
}

// Of /proc/self/statm the second number: no memory is needed to read it.
std::uint64_t MemoryBudget::resident_bytes() const {
  char text[64];
  const ssize_t bytes = ::pread(resident_.descriptor(), text, sizeof text, 0);
  const char* const end = text + std::max<ssize_t>(bytes, 0);
  const char* const second = std::find(static_cast<const char*>(text), end, ' ');
  std::uint64_t pages = 0;
  if (second != end) std::from_chars(second + 1, end, pages);
  return pages * static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE));
}

void MemoryBudget::evict_next() {
  while (present_[hand_] == 0) hand_ = (hand_ + 1) % present_.size();
  evict(present_[hand_]);
  hand_ = (hand_ + 1) % present_.size();
}

// What cannot be unmapped remains readable, and is written back by the kernel.
void MemoryBudget::evict(std::uintptr_t address) {
  const auto block = block_of(address);
  const int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED;
  [[maybe_unused]] const void* const gone = ::mmap(address_of(address), unit_, PROT_NONE, flags, -1, 0);
  forget(block->second.units[(address - block->first) / unit_]);
}

void MemoryBudget::forget(Unit& unit) {
  if (unit.position == kAbsent) return;
  present_[unit.position] = 0;
  free_.push_back(unit.position);
  unit.position = kAbsent;
}

}  // namespace tarry
