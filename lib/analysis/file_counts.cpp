// file_counts.cpp -- gathers the counts of files, process by process.
#include "analysis/file_counts.hpp"

#include <algorithm>

namespace tarry {
namespace {

struct FileOfProcess {
  std::uint32_t process = 0;
  FileCount count;
};

std::vector<FileOfProcess> own_files(const Trace& trace) {
  Indexed<RankIndex, std::vector<std::vector<FileOfProcess>>> of_ranks;
  of_ranks.resize(trace.ranks().size());
  trace.for_each_hosted([&](RankIndex index) {
    trace.ranks()[index].file_counts.for_each([&](std::uint32_t, const FileCount& count) {
      of_ranks[index].push_back({static_cast<std::uint32_t>(index.value), count});
    });
  });
  std::vector<FileOfProcess> all;
  for (const std::vector<FileOfProcess>& files : of_ranks) std::ranges::copy(files, std::back_inserter(all));
  return all;
}

}  // namespace

FileTable count_files(const Trace& trace) {
  MessageBuffer own;
  if (const std::vector<FileOfProcess> files = own_files(trace); !files.empty()) own.put_all(files);
  FileTableBuilder all(trace.definitions());
  for (MessageBuffer& arrived : trace.exchange().gather(std::move(own)))
    while (!arrived.is_read()) {
      std::vector<FileCount> of_process;
      std::uint32_t process = 0;
      for (const FileOfProcess& file : arrived.get_all<FileOfProcess>()) {
        if (file.process != process) all.add_process(std::exchange(of_process, {}));
        process = file.process;
        of_process.push_back(file.count);
      }
      all.add_process(of_process);
    }
  return all.take();
}

}  // namespace tarry
