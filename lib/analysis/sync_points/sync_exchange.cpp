// sync_exchange.cpp -- what analysis processes tell one another about sync points.
#include "analysis/sync_points/sync_exchange.hpp"

#include <algorithm>

namespace tarry {
namespace {

// Tells the host of each partner of a message that the other end waited.
template <class Message>
void pack_waits(World& world, std::uint32_t rank, const Rows<MessageWait>& waits, const Rows<Message>& messages,
                const std::vector<std::uint32_t>& peers, std::vector<Parcel>& parcels) {
  for (const MessageWait& wait : waits) {
    const std::uint32_t peer = peers[messages[wait.message].channel];
    if (world.is_hosted(peer)) continue;
    Parcel& parcel = parcels[static_cast<std::size_t>(world.host_of(peer))];
    parcel.put(rank);
    parcel.put(wait.message);
  }
}

// The receives whose messages were waited for in a probe.
Rows<MessageWait> receives_of_probes(const LogicalRank& rank) {
  Rows<MessageWait> waits;
  for (const MessageWait& late : rank.late_probes) waits.push_back({rank.probes[late.message].receive, late.wait});
  return waits;
}

// Marks the messages of ranks hosted elsewhere that waited there.
template <class Message>
void unpack_waits(World& world, std::vector<Parcel> parcels, Rows<Message> LogicalRank::*messages,
                  std::vector<std::uint32_t> LogicalRank::*origins) {
  for (Parcel& parcel : parcels) {
    while (!parcel.is_read()) {
      LogicalRank& rank = world.ranks()[parcel.get<std::uint32_t>()];
      const auto record = parcel.get<std::uint32_t>();
      const auto& all = rank.*origins;
      const auto found = std::lower_bound(all.begin(), all.end(), record);
      (rank.*messages)[static_cast<std::size_t>(found - all.begin())].waits = 1;
    }
  }
}

void put_index(Parcel& parcel, const SyncPlaces& index) {
  std::vector<std::pair<std::uint32_t, SyncPlace>> pairs;
  index.for_each([&](std::uint32_t record, SyncPlace at) { pairs.emplace_back(record, at); });
  parcel.put<std::uint64_t>(pairs.size());
  for (const auto& [record, at] : pairs) {
    parcel.put(record);
    parcel.put(at);
  }
}

void get_index(Parcel& parcel, SyncPlaces& index) {
  for (auto left = parcel.get<std::uint64_t>(); left > 0; --left) {
    const auto record = parcel.get<std::uint32_t>();
    index.insert(record) = parcel.get<SyncPlace>();
  }
}

// Everybody gets a copy of what `pack` puts into a parcel.
template <class Pack, class Unpack>
void share(World& world, Pack pack, Unpack unpack) {
  Parcel own;
  for (std::uint32_t r = 0; r < world.ranks().size(); ++r)
    if (world.is_hosted(r)) {
      own.put(r);
      pack(r, own);
    }
  std::vector<Parcel> parcels(static_cast<std::size_t>(world.exchange().size()), own);
  parcels[static_cast<std::size_t>(world.exchange().rank())] = Parcel();
  for (Parcel& parcel : world.exchange().all_to_all(std::move(parcels)))
    while (!parcel.is_read()) unpack(parcel.get<std::uint32_t>(), parcel);
}

}  // namespace

void exchange_waits(World& world) {
  const auto processes = static_cast<std::size_t>(world.exchange().size());
  std::vector<Parcel> of_receives(processes), of_sends(processes);
  for (std::uint32_t r = 0; r < world.ranks().size(); ++r) {
    if (!world.is_hosted(r)) continue;
    const LogicalRank& rank = world.ranks()[r];
    pack_waits(world, r, rank.late_senders, rank.receives, rank.receive_channels.peers, of_receives);
    pack_waits(world, r, receives_of_probes(rank), rank.receives, rank.receive_channels.peers, of_receives);
    pack_waits(world, r, rank.late_receivers, rank.sends, rank.send_channels.peers, of_sends);
  }
  unpack_waits(world, world.exchange().all_to_all(std::move(of_receives)), &LogicalRank::receives, &LogicalRank::receive_origin);
  unpack_waits(world, world.exchange().all_to_all(std::move(of_sends)), &LogicalRank::sends, &LogicalRank::send_origin);
}

bool has_sync_point(const WindowWait& wait) {
  return wait.kind != WindowWait::Kind::kEarlyFence && wait.kind != WindowWait::Kind::kLateComplete &&
         wait.kind != WindowWait::Kind::kProgress;
}

void collect_window_causes(World& world) {
  if (world.definitions().windows.empty()) return;
  std::vector<Parcel> parcels(static_cast<std::size_t>(world.exchange().size()));
  const auto add = [&](std::uint32_t rank, const WindowCause& cause) {
    world.ranks()[rank].window_causes.push_back(cause);
  };
  for (std::uint32_t r = 0; r < world.ranks().size(); ++r) {
    if (!world.is_hosted(r)) continue;
    for (const WindowWait& wait : world.ranks()[r].window_waits) {
      if (!has_sync_point(wait)) continue;
      const WindowCause cause{.record = wait.cause_record, .waiter = r};
      if (world.is_hosted(wait.cause_rank)) {
        add(wait.cause_rank, cause);
      } else {
        Parcel& parcel = parcels[static_cast<std::size_t>(world.host_of(wait.cause_rank))];
        parcel.put(wait.cause_rank);
        parcel.put(cause);
      }
    }
  }
  if (world.exchange().size() > 1)
    for (Parcel& arrived : world.exchange().all_to_all(std::move(parcels)))
      while (!arrived.is_read()) {
        const auto rank = arrived.get<std::uint32_t>();
        add(rank, arrived.get<WindowCause>());
      }
  world.for_each_hosted([&](std::uint32_t r) {
    Rows<WindowCause>& causes = world.ranks()[r].window_causes;
    std::sort(causes.begin(), causes.end(), [](const WindowCause& a, const WindowCause& b) {
      return std::pair(a.record, a.waiter) < std::pair(b.record, b.waiter);
    });
    causes.finish();
  });
}

void share_cause_index(World& world, ParallelArray<SyncRecordIndex>& index) {
  share(
      world,
      [&](std::uint32_t r, Parcel& parcel) {
        put_index(parcel, index[r].send_starts);
        put_index(parcel, index[r].receive_starts);
        put_index(parcel, index[r].collectives);
        put_index(parcel, index[r].collective_starts);
        put_index(parcel, index[r].window_starts);
      },
      [&](std::uint32_t r, Parcel& parcel) {
        get_index(parcel, index[r].send_starts);
        get_index(parcel, index[r].receive_starts);
        get_index(parcel, index[r].collectives);
        get_index(parcel, index[r].collective_starts);
        get_index(parcel, index[r].window_starts);
      });
}

void share_points(World& world, AllSyncPoints& all) {
  share(
      world,
      [&](std::uint32_t r, Parcel& parcel) {
        parcel.put<std::uint64_t>(all[r].size());
        for (const SyncPoints& thread : all[r]) {
          parcel.put_all(thread.points);
          parcel.put<std::uint64_t>(thread.lists.size());
          for (const auto& list : thread.lists) parcel.put_all(list);
          parcel.put(thread.first_time);
          parcel.put(thread.last_time);
          parcel.put(thread.log_end);
          parcel.put(thread.init);
          parcel.put(thread.finalize);
        }
      },
      [&](std::uint32_t r, Parcel& parcel) {
        all[r].resize(parcel.get<std::uint64_t>());
        for (SyncPoints& thread : all[r]) {
          thread.points = parcel.get_rows<SyncPoint>();
          thread.lists.resize(parcel.get<std::uint64_t>());
          for (auto& list : thread.lists) list = parcel.get_all<std::uint32_t>();
          thread.first_time = parcel.get<Ticks>();
          thread.last_time = parcel.get<Ticks>();
          thread.log_end = parcel.get<LogPosition>();
          thread.init = parcel.get<SyncIndex>();
          thread.finalize = parcel.get<SyncIndex>();
        }
      });
}

}  // namespace tarry
