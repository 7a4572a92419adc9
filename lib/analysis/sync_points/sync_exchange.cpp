// sync_exchange.cpp -- what analysis processes tell one another about sync points.
#include "analysis/sync_points/sync_exchange.hpp"

#include <algorithm>
#include <bit>

namespace tarry {
namespace {

void put_index(MessageBuffer& buffer, const NumberedPlaces& index) {
  buffer.put<std::uint64_t>(index.size());
  index.for_each([&](std::uint32_t record, const SyncPlace& at) {
    buffer.put(record);
    buffer.put(at);
  });
}

void get_index(MessageBuffer& buffer, NumberedPlaces& index) {
  for (auto left = buffer.get<std::uint64_t>(); left > 0; --left) {
    const auto record = buffer.get<std::uint32_t>();
    index.add(record, buffer.get<SyncPlace>());
  }
  index.finish();
}

// Everybody gets a copy of what `pack` puts into a buffer.
template <class Pack, class Unpack>
void share(const Trace& trace, Pack pack, Unpack unpack) {
  MessageBuffer own;
  for (const RankIndex r : trace.ranks().ids())
    if (trace.is_hosted(r)) {
      own.put(r);
      pack(r, own);
    }
  std::vector<MessageBuffer> buffers(static_cast<std::size_t>(trace.exchange().size()), own);
  buffers[static_cast<std::size_t>(trace.exchange().rank())] = MessageBuffer();
  for (MessageBuffer& buffer : trace.exchange().all_to_all(std::move(buffers)))
    while (!buffer.is_read()) unpack(buffer.get<RankIndex>(), buffer);
}

}  // namespace

void NumberedPlaces::finish() {
  const auto is_before = [](const Entry& a, const Entry& b) { return a.record < b.record; };
  if (!std::is_sorted(entries_.begin(), entries_.end(), is_before))
    std::stable_sort(entries_.begin(), entries_.end(), is_before);
  entries_.finish();
  if (entries_.empty()) return;
  const std::uint32_t last = entries_.back().record;
  block_bits_ = std::bit_width(last / entries_.size());
  blocks_.clear();
  blocks_.resize((last >> block_bits_) + 2);
  for (const Entry& entry : entries_) ++blocks_[(entry.record >> block_bits_) + 1];
  for (std::size_t block = 1; block < blocks_.size(); ++block) blocks_[block] += blocks_[block - 1];
}

const SyncPlace* NumberedPlaces::find(std::uint32_t record) const {
  const auto is_before = [](std::uint32_t wanted, const Entry& entry) { return wanted < entry.record; };
  const std::size_t block = record >> block_bits_;
  if (block + 1 >= blocks_.size()) return nullptr;
  const Entry* const begin = entries_.data() + blocks_[block];
  const Entry* const behind = std::upper_bound(begin, entries_.data() + blocks_[block + 1], record, is_before);
  return behind != begin && behind[-1].record == record ? &behind[-1].at : nullptr;
}

bool has_sync_point(const WindowWait& wait) {
  return wait.kind != WindowWait::Kind::kEarlyFence && wait.kind != WindowWait::Kind::kLateComplete &&
         wait.kind != WindowWait::Kind::kProgress;
}

WindowCauses collect_window_causes(const Trace& trace, const FoundWaits& waits) {
  WindowCauses all(trace.ranks().size());
  if (trace.definitions().windows.empty()) return all;
  std::vector<MessageBuffer> buffers(static_cast<std::size_t>(trace.exchange().size()));
  const auto add = [&](RankIndex rank, const WindowCause& cause) { all[rank].push_back(cause); };
  for (const RankIndex r : trace.ranks().ids()) {
    if (!trace.is_hosted(r)) continue;
    for (const WindowWait& wait : waits.ranks[r].windows) {
      if (!has_sync_point(wait)) continue;
      const WindowCause cause{.record = wait.cause_record, .waiter = r};
      if (trace.is_hosted(wait.cause_rank)) {
        add(wait.cause_rank, cause);
      } else {
        MessageBuffer& buffer = buffers[static_cast<std::size_t>(trace.host_of(wait.cause_rank))];
        buffer.put(wait.cause_rank);
        buffer.put(cause);
      }
    }
  }
  if (trace.exchange().size() > 1)
    for (MessageBuffer& arrived : trace.exchange().all_to_all(std::move(buffers)))
      while (!arrived.is_read()) {
        const auto rank = arrived.get<RankIndex>();
        add(rank, arrived.get<WindowCause>());
      }
  trace.for_each_hosted([&](RankIndex r) {
    Rows<WindowCause>& causes = all[r];
    std::sort(causes.begin(), causes.end(), [](const WindowCause& a, const WindowCause& b) {
      return std::pair(a.record, a.waiter) < std::pair(b.record, b.waiter);
    });
    causes.finish();
  });
  return all;
}

void share_cause_index(const Trace& trace, SyncRecordIndices& index) {
  share(
      trace,
      [&](RankIndex r, MessageBuffer& buffer) {
        put_index(buffer, index[r].send_starts.by_number());
        put_index(buffer, index[r].receive_starts.by_number());
        put_index(buffer, index[r].collectives.by_number());
        put_index(buffer, index[r].collective_starts.by_number());
        put_index(buffer, index[r].window_starts.by_number());
      },
      [&](RankIndex r, MessageBuffer& buffer) {
        get_index(buffer, index[r].send_starts.by_number());
        get_index(buffer, index[r].receive_starts.by_number());
        get_index(buffer, index[r].collectives.by_number());
        get_index(buffer, index[r].collective_starts.by_number());
        get_index(buffer, index[r].window_starts.by_number());
      });
}

void share_points(const Trace& trace, AllSyncPoints& all) {
  share(
      trace,
      [&](RankIndex r, MessageBuffer& buffer) {
        buffer.put<std::uint64_t>(all[r].size());
        for (const SyncPoints& thread : all[r]) {
          buffer.put_all(thread.points);
          buffer.put<std::uint64_t>(thread.lists.size());
          for (const auto& list : thread.lists) buffer.put_all(list);
          buffer.put(thread.first_time);
          buffer.put(thread.last_time);
          buffer.put(thread.log_end);
          buffer.put(thread.init);
          buffer.put(thread.finalize);
        }
      },
      [&](RankIndex r, MessageBuffer& buffer) {
        all[r].resize(buffer.get<std::uint64_t>());
        for (SyncPoints& thread : all[r]) {
          thread.points = buffer.get_rows<SyncPoint>(trace.budget());
          thread.lists.resize(buffer.get<std::uint64_t>());
          for (auto& list : thread.lists) list = buffer.get_all<RankIndex>();
          thread.first_time = buffer.get<Ticks>();
          thread.last_time = buffer.get<Ticks>();
          thread.log_end = buffer.get<LogPosition>();
          thread.init = buffer.get<SyncIndex>();
          thread.finalize = buffer.get<SyncIndex>();
        }
      });
}

}  // namespace tarry
