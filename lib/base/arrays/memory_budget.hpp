// memory_budget.hpp -- how much memory large arrays may take, and who gives some of it up when another needs it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "base/files/page_file.hpp"
#include "base/result.hpp"

namespace tarry {

/// Pages for large arrays, of which no more are in memory than a limit of the process allows. The others lie in an
/// unnamed temporary file.
///
/// Pages come in units of a thousandth of the limit. Whoever touches a unit that is not in memory waits for it: the
/// touch is a fault, and the thread that makes it asks the budget. The budget looks how much memory the process holds.
/// It takes the units that came first out of memory until there is room, and maps the wanted one.
///
/// No thread waits for another one, except for the lock while a unit is mapped. A unit can be taken from any thread at
/// any time, as its owner touches it again and asks again. So no thread holds a unit that another one needs, and there
/// is no deadlock. A sixteenth of the limit is for units in any case: 64 of them, where an instruction touches at most
/// four. So each thread gets on, if slowly.
///
/// What else the process needs is not asked for. The budget sees it at the next touch, and leaves it a sixteenth of the
/// limit until then. So arrays that grow with the trace belong here.
///
/// The system must not be handed an address in a unit: read(2) or write(2) would fail. Copy the bytes, as
/// MessageBuffer does.
class MemoryBudget {
 public:
  /// `bytes`: of the whole process, with all it holds beside these pages. `folder`: for the temporary file.
  static Result<std::unique_ptr<MemoryBudget>> create(std::uint64_t bytes, const std::string& folder);

  MemoryBudget(const MemoryBudget&) = delete;
  MemoryBudget& operator=(const MemoryBudget&) = delete;
  /// To be called when all blocks have been released.
  ~MemoryBudget();

  /// What blocks are multiples of.
  std::size_t unit() const { return unit_; }

  /// Pages for at least `bytes` bytes. Throws if there is no room for them in the file.
  void* allocate(std::size_t bytes);

  /// The same bytes in a larger block, elsewhere.
  void* extend(void* block, std::size_t bytes);

  /// Gives back the units of a block behind its first `bytes` bytes.
  void trim(void* block, std::size_t bytes);

  void release(void* block);

  /// A part of a block that many small arrays have together.
  void* allocate_part(std::size_t bytes);
  void release_part(void* part);

  /// Takes all units out of memory. What comes next needs memory of another kind.
  void clear_memory();

  /// The most memory that the process held beside the units, as far as it was seen. Between passes only.
  std::uint64_t most_elsewhere() const { return most_elsewhere_; }

  /// What units may take in any case.
  std::uint64_t least() const { return kLeastUnits * unit_; }

  /// Brings the unit at `address` into memory; false if it is none of this budget. For the handler of faults.
  bool bring(std::uintptr_t address);

 private:
  static constexpr std::size_t kUnits = 1024;  // of which a limit consists
  static constexpr std::size_t kLeastUnits = kUnits / 16;
  static constexpr std::uint32_t kAbsent = 0xffffffffu;

  struct Unit {
    std::uint32_t slot = 0;            // in the file
    std::uint32_t position = kAbsent;  // in present_
    bool is_new = true;                // has not been touched
  };
  struct Block {
    std::vector<Unit> units;
    std::size_t parts = 0;  // that are in use, where it consists of parts
  };
  using Blocks = std::map<std::uintptr_t, Block>;  // by their first byte

  MemoryBudget(std::uint64_t bytes, std::size_t unit, PageFile file, File resident);

  Blocks::iterator block_of(std::uintptr_t address);
  std::uintptr_t add_block(std::size_t units);
  void add_units(Block& block, std::size_t count);
  void remove_units(Blocks::iterator block, std::size_t kept);
  void remove_block(Blocks::iterator block);
  void release_locked(std::uintptr_t begin);
  void leave_part_block();

  std::size_t allowed_units();
  std::uint64_t resident_bytes() const;
  void evict_next();
  void evict(std::uintptr_t address);
  void forget(Unit& unit);
  bool make_present(std::uintptr_t address, Unit& unit);

  const std::uint64_t bytes_;
  const std::size_t unit_;
  PageFile file_;
  const File resident_;  // /proc/self/statm
  std::mutex mutex_;     // of all that follows; whoever holds it touches no unit
  Blocks blocks_;
  std::vector<std::uintptr_t> present_;  // a ring of the units in memory, in the order in which they came; 0: none
  std::vector<std::uint32_t> free_;      // positions in present_
  std::size_t hand_ = 0;                 // the position of the next one to go
  std::uintptr_t part_block_ = 0;        // that is being filled with parts
  std::size_t part_used_ = 0;            // bytes of it
  std::uint64_t most_elsewhere_ = 0;
};

}  // namespace tarry
