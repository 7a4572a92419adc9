// book_wait.cpp -- where all waits of all patterns are booked: as a severity, and as a single instance if asked for.
#include "analysis/waits/pattern.hpp"

namespace tarry {

void RankContext::book_wait(WaitInstance instance) const {
  instance.wait = counted(instance.thread, instance.begin, instance.begin + instance.wait);
  book_counted(instance);
}

void RankContext::book_counted(WaitInstance instance) const {
  if (instance.wait <= 0) return;
  threads[instance.thread].add(instance.metric, instance.path, static_cast<double>(instance.wait));
  if (!instances) return;
  instance.rank = rank_index();
  instances->add(instance);
}

}  // namespace tarry
