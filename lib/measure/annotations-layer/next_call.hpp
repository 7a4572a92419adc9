// next_call.hpp -- functions of annotations that this library has in front of those of the program's own library.
//
// The program's library does what it does without us, and what it returns is the program's. Which one that is can be
// known late: a plug-in of Python brings it along. It may be unloaded again. What it calls in turn is no annotation of
// the program.
//
// Calls: may block.
#pragma once

#include <atomic>
#include <utility>

namespace tarry::measure {

/// A function of the program's library.
class NextFunction {
 public:
  constexpr explicit NextFunction(const char* name) : name_(name) {}

  /// What the code at `caller` finds behind us; nullptr: nothing.
  void* find(const void* caller);

 private:
  bool is_still_there(void* function) const;
  void* look_up(const void* caller);

  const char* name_;
  std::atomic<void*> known_ = nullptr;
  std::atomic<void*> known_library_ = nullptr;
};

/// Interfaces whose functions these are.
enum class CalledInterface { kCaliper, kRoctx, kLikwid };

/// While one is there, this thread is inside the program's library.
class InsideLibrary {
 public:
  explicit InsideLibrary(CalledInterface interface) : interface_(interface), is_outermost_(t_depth++ == 0) {}
  ~InsideLibrary() { --t_depth; }
  InsideLibrary(const InsideLibrary&) = delete;
  InsideLibrary& operator=(const InsideLibrary&) = delete;

  /// The program itself has made the call, and annotations of the interface are asked for.
  bool is_heard() const;

 private:
  static thread_local int t_depth;
  CalledInterface interface_;
  bool is_outermost_;
};

template <class Function>
class NextCall;

/// Where there is no such function, its result is that of a default.
template <class Result, class... Arguments>
class NextCall<Result(Arguments...)> {
 public:
  constexpr explicit NextCall(const char* name) : next_(name) {}

  Result operator()(const void* caller, Arguments... arguments) {
    void* const found = next_.find(caller);
    return found ? reinterpret_cast<Result (*)(Arguments...)>(found)(arguments...) : Result();
  }

 private:
  NextFunction next_;
};

}  // namespace tarry::measure
