// exchange.cpp -- buffers between the processes of a parallel tool.
#include "exchange/exchange.hpp"

#include <exception>

#include "exchange/launcher.hpp"
#include "exchange/transport.hpp"
#include "exchange/transport_library.hpp"

namespace tarry {
namespace {

std::size_t index_of(int process) { return static_cast<std::size_t>(process); }

}  // namespace

Exchange::Exchange(const Transport& transport) : transport_(&transport) {
  transport_->start(nullptr, nullptr, &rank_, &size_);
}

Exchange::~Exchange() {
  // With an exception on its way the others wait for what this process will not send: their launcher ends them.
  if (transport_ && std::uncaught_exceptions() == 0) transport_->end();
}

Status Exchange::join_job(int* argc, char*** argv) {
  const std::optional<Launch> launch = find_launch();
  if (!launch || launch->processes == 1) return {};
  rank_ = launch->rank;
  TARRY_TRY_ASSIGN(transport, load_transport(*launch));
  transport_ = transport;
  transport_->start(argc, argv, &rank_, &size_);
  if (launch->processes > size_)
    return Error{"MPI",
                 "the launcher started " + std::to_string(launch->processes) +
                     " processes, but the MPI library finds " + std::to_string(size_),
                 "use the mpirun or srun that belongs to " + launch->libraries_in_words()};
  return {};
}

// Buffers with room for `incoming` bytes from each process, and the pieces that fill them.
std::vector<MessageBuffer> Exchange::arrange_arrivals(const std::vector<std::uint64_t>& incoming,
                                                      std::vector<Piece>& receives) const {
  std::vector<MessageBuffer> arrived(index_of(size_));
  for (int p = 0; p < size_; ++p) {
    if (p == rank_ || incoming[index_of(p)] == 0) continue;
    std::vector<std::uint8_t>& bytes = arrived[index_of(p)].bytes();
    bytes.resize(incoming[index_of(p)]);
    receives.push_back({p, bytes.data(), bytes.size()});
  }
  return arrived;
}

std::vector<MessageBuffer> Exchange::all_to_all(std::vector<MessageBuffer> buffers) {
  if (size_ == 1) return buffers;
  std::vector<std::uint64_t> outgoing(index_of(size_)), incoming(index_of(size_));
  for (int p = 0; p < size_; ++p) outgoing[index_of(p)] = p == rank_ ? 0 : buffers[index_of(p)].bytes().size();
  transport_->swap_numbers(outgoing.data(), incoming.data());
  std::vector<Piece> receives, sends;
  std::vector<MessageBuffer> arrived = arrange_arrivals(incoming, receives);
  arrived[index_of(rank_)] = std::move(buffers[index_of(rank_)]);
  for (int p = 0; p < size_; ++p)
    if (outgoing[index_of(p)]) sends.push_back({p, buffers[index_of(p)].bytes().data(), outgoing[index_of(p)]});
  transport_->transfer(receives.data(), receives.size(), sends.data(), sends.size());
  messages_ += sends.size();
  return arrived;
}

std::vector<MessageBuffer> Exchange::share(MessageBuffer buffer) {
  std::vector<std::uint8_t>& bytes = buffer.bytes();
  std::vector<Piece> receives, sends;
  std::vector<MessageBuffer> arrived(1);
  if (size_ > 1) {
    std::vector<std::uint64_t> outgoing(index_of(size_), bytes.size()), incoming(index_of(size_));
    transport_->swap_numbers(outgoing.data(), incoming.data());
    arrived = arrange_arrivals(incoming, receives);
    for (int p = 0; p < size_; ++p)
      if (p != rank_ && !bytes.empty()) sends.push_back({p, bytes.data(), bytes.size()});
    transport_->transfer(receives.data(), receives.size(), sends.data(), sends.size());
    messages_ += sends.size();
  }
  arrived[index_of(rank_)] = std::move(buffer);
  return arrived;
}

std::vector<MessageBuffer> Exchange::gather(MessageBuffer buffer) {
  std::vector<MessageBuffer> buffers(index_of(size_));
  buffers[0] = std::move(buffer);
  std::vector<MessageBuffer> arrived = all_to_all(std::move(buffers));
  if (rank_ != 0) arrived.clear();
  return arrived;
}

void Exchange::send(int to, std::vector<std::uint8_t> bytes) {
  std::uint64_t size = bytes.size();
  const Piece pieces[] = {{to, &size, sizeof size}, {to, bytes.data(), size}};
  transport_->transfer(nullptr, 0, pieces, 2);
}

std::vector<std::uint8_t> Exchange::receive(int from) {
  std::uint64_t size = 0;
  const Piece announcement = {from, &size, sizeof size};
  transport_->transfer(&announcement, 1, nullptr, 0);
  std::vector<std::uint8_t> bytes(size);
  const Piece piece = {from, bytes.data(), size};
  transport_->transfer(&piece, 1, nullptr, 0);
  return bytes;
}

std::uint64_t Exchange::broadcast(std::uint64_t value) { return size_ > 1 ? transport_->broadcast(value) : value; }

bool Exchange::all_of(bool own) { return size_ > 1 ? transport_->sum(own) == static_cast<std::uint64_t>(size_) : own; }

std::uint64_t Exchange::total_messages() { return size_ > 1 ? transport_->sum(messages_) : messages_; }

}  // namespace tarry
