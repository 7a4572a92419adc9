// told_places.cpp -- groups causes by their functions, and by callers where these tell them apart.
#include "findings/causes/told_places.hpp"

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

#include "report/metrics/time_classes.hpp"

namespace tarry {
namespace {

// Shares that decide whether callers are told apart.
constexpr double kToldAlone = 0.05;  // of the waiting: a smaller part gets no sentence
constexpr double kStandsOut = 0.5;   // of its function: this caller is told alone
constexpr double kLargePart = 0.1;   // of the waiting: such callers are told alone,
constexpr double kNearlyAll = 0.8;   // if together they have so much of their function

// Of one caller.
struct Part {
  CallPathId caller;
  std::vector<std::size_t> places;
  Seconds seconds = 0;
};

class Grouping {
 public:
  Grouping(const ReportStructure& structure, const std::vector<CausePlace>& places, Seconds waiting)
      : structure_(structure), places_(places), waiting_(waiting), uses_(structure.regions.size()) {
    for (const ReportCallPath& path : structure.call_paths) {
      if (!path.parent.is_valid()) continue;
      const std::uint32_t caller = structure.call_paths[path.parent.value].region;
      if (!is_computation(path)) uses_[caller].calls_operations = true;
      if (caller != path.region) uses_[path.region].add_caller(caller);
    }
  }

  std::vector<ToldPlaces> run() {
    std::map<Function, std::vector<std::size_t>> functions;
    for (std::size_t i = 0; i < places_.size(); ++i) functions[function_of(places_[i])].push_back(i);
    for (auto& [function, members] : functions) tell(std::move(members), function.is_operation ? 1 : 0, {});
    std::ranges::stable_sort(told_, [&](auto& a, auto& b) { return sum_of(a.places) > sum_of(b.places); });
    return std::move(told_);
  }

 private:
  // An operation of MPI or of threads is known by the function that calls it, and its line.
  struct Function {
    std::uint32_t region = 0, caller = 0;
    std::int64_t line = 0;
    bool is_file = false, is_operation = false;

    auto operator<=>(const Function&) const = default;
  };

  Function function_of(const CausePlace& place) const {
    const ReportCallPath& facts = structure_.call_paths[place.path.value];
    Function function{.region = facts.region, .is_file = place.is_file};
    if (is_computation(facts) || !facts.parent.is_valid()) return function;
    function.is_operation = true;
    function.caller = structure_.call_paths[facts.parent.value].region;
    function.line = facts.line;
    return function;
  }

  bool is_computation(const ReportCallPath& path) const {
    return time_class(structure_.regions[path.region]) == TimeClass::kComputation;
  }

  // How the program uses a function.
  struct Uses {
    static constexpr std::uint32_t kNobody = ~0u;
    std::uint32_t caller = kNobody;
    bool has_callers = false;  // several functions
    bool calls_operations = false;

    void add_caller(std::uint32_t region) {
      has_callers |= caller != kNobody && caller != region;
      caller = region;
    }
  };

  const Uses& uses_of(CallPathId path) const { return uses_[structure_.call_paths[path.value].region]; }

  // Several functions call one that calls MPI, or itself such a wrapper: the first that only one calls is the user. If
  // that is the program's main function, it is the one that calls the wrapper.
  std::vector<CallPathId> user_of_wrapper(CallPathId path) const {
    if (!is_computation(structure_.call_paths[path.value])) path = above(path, 1);
    if (!path.is_valid() || !uses_of(path).calls_operations || !uses_of(path).has_callers) return {};
    const CallPathId caller = above(path, 1);
    CallPathId user = caller;
    while (user.is_valid() && uses_of(user).has_callers) user = above(user, 1);
    const bool is_main = !user.is_valid() || !above(user, 2).is_valid();
    return {is_main ? caller : user};
  }

  CallPathId above(CallPathId path, std::size_t levels) const {
    for (; levels > 0 && path.is_valid(); --levels) path = structure_.call_paths[path.value].parent;
    return path;
  }

  Seconds sum_of(const std::vector<std::size_t>& members) const {
    Seconds sum = 0;
    for (const std::size_t member : members) sum += places_[member].seconds();
    return sum;
  }

  // By the caller that is one level further up; most costly first.
  std::vector<Part> parts_of(const std::vector<std::size_t>& members, std::size_t level) const {
    std::map<std::uint32_t, std::size_t> number;
    std::vector<Part> parts;
    for (const std::size_t member : members) {
      const CallPathId caller = above(places_[member].path, level + 1);
      const std::uint32_t region =
          caller.is_valid() ? structure_.call_paths[caller.value].region : static_cast<std::uint32_t>(-1);
      const auto [at, is_new] = number.try_emplace(region, parts.size());
      if (is_new) parts.push_back({.caller = caller, .places = {}});
      parts[at->second].places.push_back(member);
      parts[at->second].seconds += places_[member].seconds();
    }
    std::ranges::stable_sort(parts, [](auto& a, auto& b) { return a.seconds > b.seconds; });
    return parts;
  }

  bool are_worth_a_sentence(const std::vector<Part>& parts) const {
    Seconds whole = 0, large = 0;
    for (const Part& part : parts) {
      whole += part.seconds;
      if (part.seconds >= kLargePart * waiting_) large += part.seconds;
    }
    if (parts.front().seconds < kToldAlone * waiting_) return false;
    return parts.front().seconds >= kStandsOut * whole || large >= kNearlyAll * whole;
  }

  void tell(std::vector<std::size_t> members, std::size_t level, const std::vector<CallPathId>& separators) {
    std::vector<Part> parts = parts_of(members, level);
    while (parts.size() == 1 && parts.front().caller.is_valid()) parts = parts_of(members, ++level);
    if (parts.size() == 1) {
      const CallPathId first = places_[members.front()].path;
      told_.push_back({std::move(members), separators.empty() ? user_of_wrapper(first) : separators, {}});
      return;
    }
    ToldPlaces rest{{}, separators, {}};
    const bool are_apart = are_worth_a_sentence(parts);
    for (Part& part : parts) {
      if (are_apart && part.seconds >= kToldAlone * waiting_) {
        std::vector<CallPathId> nearer = separators;
        if (part.caller.is_valid()) nearer.push_back(part.caller);
        tell(std::move(part.places), level + 1, nearer);
        continue;
      }
      if (part.caller.is_valid()) rest.callers.push_back(part.caller);
      rest.places.insert(rest.places.end(), part.places.begin(), part.places.end());
    }
    std::ranges::sort(rest.places);
    if (!rest.places.empty()) told_.push_back(std::move(rest));
  }

  const ReportStructure& structure_;
  const std::vector<CausePlace>& places_;
  const Seconds waiting_;
  std::vector<Uses> uses_;  // [region]
  std::vector<ToldPlaces> told_;
};

}  // namespace

std::vector<ToldPlaces> group_places(const ReportStructure& structure, const std::vector<CausePlace>& places,
                                     Seconds waiting) {
  return Grouping(structure, places, waiting).run();
}

}  // namespace tarry
