// lock_log.cpp -- acquisitions of locks as bytes: a head that tells the width of each difference, then these.
#include "replay/scan/lock_log.hpp"

#include <algorithm>
#include <bit>
#include <cstring>

#include "base/bytes/varint.hpp"

namespace tarry {
namespace {

// Two bits for each field, from the lowest on. Widths do not depend on one another: no branch waits for a field.
using Head = std::uint32_t;
constexpr std::uint64_t kWidths[] = {0, 1, 3, 8};  // bytes
constexpr std::uint64_t kMasks[] = {0, 0xff, 0xffffff, ~std::uint64_t{0}};
static_assert(std::endian::native == std::endian::little);

// Differences of unsigned values wrap around; those of 32 bits are taken as signed, too.
std::uint64_t difference(std::uint64_t from, std::uint64_t to) { return zigzag(static_cast<std::int64_t>(to - from)); }
std::uint64_t difference(Ticks from, Ticks to) {
  return difference(static_cast<std::uint64_t>(from), static_cast<std::uint64_t>(to));
}
std::uint64_t difference(std::uint32_t from, std::uint32_t to) { return zigzag(static_cast<std::int32_t>(to - from)); }

// `value` and a difference to it; wraps around, too.
template <class T>
T sum(T value, std::uint64_t difference) {
  return static_cast<T>(static_cast<std::uint64_t>(value) + difference);
}

}  // namespace

LockLog::Fields LockLog::differences(const Record& before, const Record& record) {
  const auto& [lock, place] = record;
  Fields fields;
  fields[kLock] = difference(before.lock.lock, lock.lock);
  fields[kOrder] = difference(before.lock.order, lock.order);
  fields[kEnter] = difference(before.lock.enter, lock.enter);
  fields[kAcquire] = difference(lock.enter, lock.acquire);
  fields[kRelease] = difference(lock.acquire, lock.release);
  fields[kPath] = difference(before.lock.path, lock.path);
  fields[kFlags] = difference(0u, lock.is_shared | std::uint32_t{lock.is_unsuccessful} << 1);
  fields[kPosition] = difference(before.place.enter.position, place.enter.position);
  fields[kCalls] = difference(before.place.enter.calls_before, place.enter.calls_before);
  fields[kEvent] = difference(before.place.enter.event, place.enter.event);
  fields[kReleasePosition] = difference(place.enter.position, place.release.position);
  fields[kReleaseCalls] = difference(place.enter.calls_before, place.release.calls_before);
  fields[kReleaseEvent] = difference(place.enter.event, place.release.event);
  fields[kReleasePath] = difference(lock.path, place.release.path);
  fields[kReleaseTime] = difference(lock.release, place.release.time);
  return fields;
}

void LockLog::append(const Fields& fields) {
  std::uint8_t bytes[sizeof(Head) + sizeof(Fields)];
  std::uint8_t* end = bytes + sizeof(Head);
  Head head = 0;
  for (std::size_t i = 0; i < kFields; ++i) {
    const Head width = fields[i] == 0 ? 0 : fields[i] <= kMasks[1] ? 1 : fields[i] <= kMasks[2] ? 2 : 3;
    head |= width << 2 * i;
    std::memcpy(end, &fields[i], sizeof(fields[i]));
    end += kWidths[width];
  }
  std::memcpy(bytes, &head, sizeof(head));
  bytes_.append({bytes, end});
}

// `record` is the one before, and becomes the one at `at`.
const std::uint8_t* LockLog::decode(const std::uint8_t* at, Record& record) {
  Head head;
  std::memcpy(&head, at, sizeof(head));
  at += sizeof(head);
  const auto next = [&](Field field) {
    const Head width = head >> 2 * field & 3;
    std::uint64_t value;
    std::memcpy(&value, at, sizeof(value));
    at += kWidths[width];
    return static_cast<std::uint64_t>(unzigzag(value & kMasks[width]));
  };
  auto& [lock, place] = record;
  lock.lock += next(kLock);
  lock.order += next(kOrder);
  lock.enter = sum(lock.enter, next(kEnter));
  lock.acquire = sum(lock.enter, next(kAcquire));
  lock.release = sum(lock.acquire, next(kRelease));
  lock.path = sum(lock.path, next(kPath));
  const std::uint64_t flags = next(kFlags);
  lock.is_shared = flags & 1;
  lock.is_unsuccessful = flags & 2;
  place.enter.time = lock.enter;
  place.enter.path = lock.path;
  place.enter.position = sum(place.enter.position, next(kPosition));
  place.enter.calls_before = sum(place.enter.calls_before, next(kCalls));
  place.enter.event = sum(place.enter.event, next(kEvent));
  place.release.position = sum(place.enter.position, next(kReleasePosition));
  place.release.calls_before = sum(place.enter.calls_before, next(kReleaseCalls));
  place.release.event = sum(place.enter.event, next(kReleaseEvent));
  place.release.path = sum(lock.path, next(kReleasePath));
  place.release.time = sum(lock.release, next(kReleaseTime));
  return at;
}

LockIndex LockLogWriter::add(const LockAcquisition& lock, const LockPlace& place) {
  if (latest_.empty()) latest_.resize(kLatest);
  const LockIndex number(log_.count_++);
  if (number.value >= kLatest) write(latest(LockIndex(written_)));
  latest(number) = {lock, place};
  return number;
}

void LockLogWriter::release(LockIndex number, Ticks time, const std::optional<ThreadMoment>& moment) {
  const LockLog::LateRelease release{number, moment.has_value(), time, moment.value_or(ThreadMoment())};
  if (number.value >= written_) return release.apply(latest(number));
  log_.late_.push_back(release);
}

void LockLogWriter::mark_unsuccessful(LockIndex number) {
  if (number.value + 1 == log_.count_ && latest(number).lock.is_shared) latest(number).lock.is_unsuccessful = true;
}

void LockLogWriter::write(const LockLog::Record& record) {
  log_.append(LockLog::differences(before_, record));
  before_ = record;
  ++written_;
}

void LockLogWriter::finish() {
  while (written_ < log_.count_) write(latest(LockIndex(written_)));
  std::stable_sort(log_.late_.begin(), log_.late_.end(),
                   [](const auto& a, const auto& b) { return a.number < b.number; });
  constexpr std::uint8_t kBehind[sizeof(std::uint64_t)] = {};  // is read with the last field
  if (written_ > 0) log_.bytes_.append(kBehind);
  log_.bytes_.finish();
  log_.late_.finish();
  latest_ = {};
}

}  // namespace tarry
