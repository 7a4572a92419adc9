// agreed.hpp -- steps that all processes of a parallel tool take, or none.
#pragma once

#include "exchange/exchange.hpp"

namespace tarry {

/// The outcome of a step (Status or Result) that all processes take. Where it failed at another process, it is
/// `elsewhere`: who went on would wait for that process for ever. Collective.
template <class Outcome>
Outcome agreed(Outcome own, Error elsewhere, Exchange& exchange) {
  if (exchange.all_of(own.ok()) || !own.ok()) return own;
  return elsewhere;
}

}  // namespace tarry
