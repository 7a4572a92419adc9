// text_pipeline.cpp -- the events of a trace in order of time, formatted by several threads, written in order.
#include "convert/text/text_pipeline.hpp"

#include <charconv>
#include <condition_variable>
#include <deque>
#include <exception>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

#include "archive/reading/open_source.hpp"
#include "base/processes/worker_pool.hpp"

namespace tarry {
namespace {

/// Locations that are open at a time. A chunk of an archive and its block of events take 300 KB, OTF2's buffers 2 MB.
constexpr std::size_t kOpenArchiveStreams = 256;
constexpr std::size_t kOpenOtf2Streams = 48;

struct Job {
  TimelineBlock block;
  std::string text;
  std::exception_ptr failure;
  bool is_done = false;
};

/// Threads that format blocks. One thread adds jobs and takes them back in order; without others it formats them.
class Formatters {
 public:
  Formatters(const FormatBlock& format, unsigned count) : format_(format) {
    while (threads_.size() < count && add_thread(threads_, [this] { work(); })) continue;
  }
  ~Formatters() {
    {
      const std::lock_guard lock(mutex_);
      is_closing_ = true;
    }
    changed_.notify_all();
    for (std::thread& thread : threads_) thread.join();
  }

  std::size_t in_flight() const { return order_.size(); }

  void add(std::shared_ptr<Job> job) {
    order_.push_back(job);
    if (threads_.empty()) {
      format(*job);
      job->is_done = true;
      return;
    }
    {
      const std::lock_guard lock(mutex_);
      waiting_.push_back(std::move(job));
    }
    changed_.notify_one();
  }

  /// The oldest job, done.
  std::shared_ptr<Job> take() {
    const std::shared_ptr<Job> job = std::move(order_.front());
    order_.pop_front();
    std::unique_lock lock(mutex_);
    done_.wait(lock, [&] { return job->is_done; });
    if (job->failure) std::rethrow_exception(job->failure);
    return job;
  }

 private:
  void format(Job& job) const {
    try {
      job.text.clear();
      format_(job.block, job.text);
    } catch (...) {
      job.failure = std::current_exception();
    }
  }

  void work() {
    std::unique_lock lock(mutex_);
    for (;;) {
      changed_.wait(lock, [this] { return is_closing_ || !waiting_.empty(); });
      if (waiting_.empty()) return;
      const std::shared_ptr<Job> job = std::move(waiting_.front());
      waiting_.pop_front();
      lock.unlock();
      format(*job);
      lock.lock();
      job->is_done = true;
      done_.notify_one();
    }
  }

  const FormatBlock& format_;
  std::deque<std::shared_ptr<Job>> order_;    // of the thread that adds
  std::deque<std::shared_ptr<Job>> waiting_;  // not begun
  std::mutex mutex_;
  std::condition_variable changed_, done_;
  bool is_closing_ = false;
  std::vector<std::thread> threads_;
};

}  // namespace

Result<std::unique_ptr<SortedStream>> open_timeline(Conversion& conversion) {
  TimelineOptions options;
  options.open_streams = is_otf2_anchor(conversion.options.input) ? kOpenOtf2Streams : kOpenArchiveStreams;
  return Timeline::open(conversion.source, options,
                        [&conversion](std::uint64_t events) { conversion.progress.add(events); });
}

Status write_formatted(SortedStream& stream, const FormatBlock& format, unsigned workers, const File& file,
                       const std::string& path) {
  Formatters formatters(format, workers);
  std::shared_ptr<Job> job = std::make_shared<Job>();
  for (;;) {
    TARRY_TRY(stream.next(job->block));
    const bool is_end = job->block.empty();
    if (!is_end) {
      job->is_done = false;
      formatters.add(std::move(job));
    }
    // Jobs are used again, and their memory with them.
    while (formatters.in_flight() > (is_end ? 0u : 2 * workers + 1)) {
      job = formatters.take();
      TARRY_TRY(write_all(file, job->text.data(), job->text.size(), path));
    }
    if (is_end) return {};
    if (!job) job = std::make_shared<Job>();
  }
}

Status write_text(Conversion& conversion, const std::string& header, const FormatBlock& format) {
  TARRY_TRY_ASSIGN(timeline, open_timeline(conversion));
  const std::string path = output_name(conversion.options.output);
  return write_file_with(conversion.options.output, [&](const File& file) -> Status {
    TARRY_TRY(write_all(file, header.data(), header.size(), path));
    return write_formatted(*timeline, format, conversion.workers, file, path);
  });
}

void append_number(std::string& text, std::uint64_t number) {
  char digits[20];
  text.append(digits, std::to_chars(digits, digits + sizeof digits, number).ptr);
}

void append_seconds(std::string& text, std::int64_t nanoseconds) {
  char line[32];
  char* at = line;
  std::uint64_t left = static_cast<std::uint64_t>(nanoseconds);
  if (nanoseconds < 0) {
    *at++ = '-';
    left = 0 - left;
  }
  at = std::to_chars(at, line + sizeof line, left / 1000000000).ptr;
  *at++ = '.';
  auto fraction = static_cast<std::uint32_t>(left % 1000000000);
  for (int i = 8; i >= 0; --i) {
    at[i] = static_cast<char>('0' + fraction % 10);
    fraction /= 10;
  }
  text.append(line, at + 9);
}

}  // namespace tarry
