// thread_owned.hpp -- an object that each thread has for itself, where memory may be short.
#pragma once

#include <cstddef>
#include <new>

namespace tarry {

/// Throws std::bad_alloc if there is no memory for a note of a thread's object. The C library, which makes the note
/// right after the object, would end the program instead.
struct RoomForThreadsNote {
  RoomForThreadsNote() {
    constexpr std::size_t kMoreThanTheNote = 4096;  // so much is not set aside for the thread when it is released
    ::operator delete(::operator new(kMoreThanTheNote));
  }
};

/// For `thread_local` objects that have a destructor.
template <typename T>
struct ThreadOwned : private RoomForThreadsNote, public T {
  using T::T;
};

}  // namespace tarry
