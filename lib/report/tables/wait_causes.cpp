// wait_causes.cpp -- the table of causes, to bytes and back.
#include "report/tables/wait_causes.hpp"

#include <algorithm>
#include <cmath>
#include <tuple>

#include "base/bytes/bytes.hpp"
#include "base/arrays/sum_equal.hpp"
#include "report/tables/file_end.hpp"

namespace tarry {
namespace {

constexpr char kCausesName[] = "waits.causes";
constexpr std::uint64_t kCausesVersion = 1;

auto thread_of(const CauseOfThread& part) { return std::tuple(part.process, part.thread); }

// Parts of the same thread become one; the largest stay, most first.
void keep_largest_threads(CauseAtPath& cause) {
  std::vector<CauseOfThread>& parts = cause.worst;
  const std::size_t before = parts.size();
  sum_equal(parts, thread_of, [](CauseOfThread& sum, const CauseOfThread& part) { sum.seconds += part.seconds; });
  cause.threads -= before - parts.size();
  std::ranges::stable_sort(parts, [](auto& a, auto& b) { return a.seconds > b.seconds; });
  if (parts.size() > kMostCauseThreads) parts.resize(kMostCauseThreads);
}

void put_causes(const std::vector<CauseAtPath>& causes, ByteWriter& out) {
  out.varint(causes.size());
  for (const CauseAtPath& cause : causes) {
    out.varint(std::uint32_t(cause.path.value + 1));  // 0: none
    out.f64(cause.direct);
    out.f64(cause.indirect);
    out.varint(cause.threads);
    out.varint(cause.worst.size());
    for (const CauseOfThread& part : cause.worst) {
      out.varint(part.process);
      out.varint(part.thread);
      out.f64(part.seconds);
    }
  }
}

// Reads what put_causes() has written, and checks it against a report.
class CauseReader {
 public:
  CauseReader(const ReportStructure& structure, ByteReader& in) : structure_(structure), in_(in) {}

  bool is_good() const { return is_good_ && !in_.failed(); }

  CallPathId path(bool may_be_none) {
    const std::uint32_t number = in_.varint32();
    is_good_ &= number <= structure_.call_paths.size() && (may_be_none || number > 0);
    return number == 0 ? CallPathId() : CallPathId(number - 1);
  }

  Seconds seconds() {
    const Seconds value = in_.f64();
    is_good_ &= std::isfinite(value);
    return value;
  }

  std::vector<CauseAtPath> causes() {
    std::vector<CauseAtPath> all;
    for (std::uint64_t left = in_.varint(); left > 0 && is_good(); --left) all.push_back(cause());
    return all;
  }

 private:
  CauseAtPath cause() {
    CauseAtPath cause;
    cause.path = path(true);
    cause.direct = seconds();
    cause.indirect = seconds();
    cause.threads = in_.varint();
    for (std::uint64_t left = in_.varint(); left > 0 && is_good(); --left) {
      const std::uint32_t process = in_.varint32(), thread = in_.varint32();
      is_good_ &= process < structure_.processes.size();
      cause.worst.push_back({process, thread, seconds()});
    }
    return cause;
  }

  const ReportStructure& structure_;
  ByteReader& in_;
  bool is_good_ = true;
};

}  // namespace

void CauseSums::add(const CauseAtPath& cause) {
  CauseAtPath& sum = of_path_[cause.path];
  sum.path = cause.path;
  sum.direct += cause.direct;
  sum.indirect += cause.indirect;
  sum.threads += cause.threads;
  sum.worst.insert(sum.worst.end(), cause.worst.begin(), cause.worst.end());
  if (sum.worst.size() > 8 * kMostCauseThreads) keep_largest_threads(sum);
}

std::vector<CauseAtPath> CauseSums::take() {
  std::vector<CauseAtPath> all;
  for (auto& [path, cause] : of_path_)
    if (path.is_valid()) all.push_back(std::move(cause));
  std::ranges::stable_sort(all, [](const CauseAtPath& a, const CauseAtPath& b) { return a.seconds() > b.seconds(); });
  CauseAtPath rest = std::move(of_path_[CallPathId()]);
  of_path_.clear();
  CauseSums beyond;
  for (std::size_t i = kMostCausePaths; i < all.size(); ++i) {
    all[i].path = CallPathId();
    beyond.add(all[i]);
  }
  if (rest.seconds() > 0) beyond.add(rest);
  if (all.size() > kMostCausePaths) all.resize(kMostCausePaths);
  for (auto& [path, cause] : beyond.of_path_) all.push_back(std::move(cause));
  for (CauseAtPath& cause : all) keep_largest_threads(cause);
  return all;
}

void add_causes(const std::vector<WaitCauses>& causes, std::vector<ReportFile>& files) {
  if (causes.empty()) return;
  ByteWriter out;
  out.varint(kCausesVersion);
  for (const WaitCauses& waits : causes) {
    out.text(waits.kind);
    out.varint(std::uint32_t(waits.path.value + 1));
    out.f64(waits.waiting);
    put_causes(waits.delays, out);
    put_causes(waits.passed_on, out);
  }
  files.push_back({kCausesName, out.bytes()});
}

void replace_causes(const std::vector<WaitCauses>& causes, std::vector<ReportFile>& files) {
  std::erase_if(files, [](const ReportFile& file) { return file.name == kCausesName; });
  add_causes(causes, files);
}

Result<std::vector<WaitCauses>> read_causes(const ReportStructure& structure, const std::vector<ReportFile>& files) {
  std::vector<WaitCauses> all;
  const auto file = std::ranges::find(files, kCausesName, &ReportFile::name);
  if (file == files.end()) return all;
  ByteReader in(file->bytes);
  if (in.varint() != kCausesVersion)
    return Error{kCausesName, "has a form that this version does not know", "use the version that wrote the report"};
  CauseReader reader(structure, in);
  while (!is_at_end(in, *file) && reader.is_good()) {
    WaitCauses waits;
    waits.kind = in.text();
    waits.path = reader.path(false);
    waits.waiting = reader.seconds();
    waits.delays = reader.causes();
    waits.passed_on = reader.causes();
    all.push_back(std::move(waits));
  }
  if (!reader.is_good()) return Error{kCausesName, "is malformed", ""};
  return all;
}

std::vector<WaitCauses> renumber_causes(const std::vector<WaitCauses>& causes, const std::vector<CallPathId>& places) {
  struct Sums {
    Seconds waiting = 0;
    CauseSums delays, passed_on;
  };
  const auto place = [&](CallPathId path) { return path.is_valid() ? places[path.value] : path; };
  std::vector<std::pair<std::string, CallPathId>> order;
  std::map<std::pair<std::string, CallPathId>, Sums> sums;
  for (const WaitCauses& waits : causes) {
    const auto [at, is_new] = sums.try_emplace({waits.kind, place(waits.path)});
    if (is_new) order.push_back(at->first);
    at->second.waiting += waits.waiting;
    const auto add_all = [&](const std::vector<CauseAtPath>& from, CauseSums& into) {
      for (CauseAtPath cause : from) {
        cause.path = place(cause.path);
        into.add(cause);
      }
    };
    add_all(waits.delays, at->second.delays);
    add_all(waits.passed_on, at->second.passed_on);
  }
  std::vector<WaitCauses> renumbered;
  for (const auto& key : order) {
    Sums& sum = sums.at(key);
    renumbered.push_back({key.first, key.second, sum.waiting, sum.delays.take(), sum.passed_on.take()});
  }
  return renumbered;
}

}  // namespace tarry
