// no_other_locks.hpp -- names of locks that must not compile in the recorder; force-included by rules.mk.
//
// The recorder's lock is RecorderLock (recorder_lock.hpp). The files that replace the program's own pthread functions
// define TARRY_REPLACES_PTHREADS: they name these functions, and take no lock by them.
#pragma once

#include "base/banned.hpp"

#ifdef __cplusplus
// What the standard library uses these names for comes before they are banned.
#include <atomic>
#include <condition_variable>
#include <functional>
#include <future>
#include <map>
#include <memory>
#include <memory_resource>
#include <mutex>
#include <random>
#include <semaphore>
#include <shared_mutex>
#include <stop_token>
#include <string>
#include <thread>
#include <unordered_map>
#include <vector>
#endif
#include <pthread.h>
#include <semaphore.h>
#include <threads.h>

#pragma GCC poison lock_guard unique_lock scoped_lock shared_lock recursive_mutex timed_mutex recursive_timed_mutex
#pragma GCC poison shared_mutex shared_timed_mutex call_once once_flag condition_variable condition_variable_any
#pragma GCC poison atomic_flag counting_semaphore binary_semaphore sem_trywait mtx_lock
#pragma GCC poison pthread_spin_lock pthread_spin_trylock pthread_once
#ifndef TARRY_REPLACES_PTHREADS
#pragma GCC poison mutex pthread_mutex_lock pthread_mutex_trylock pthread_mutex_timedlock pthread_mutex_clocklock
#pragma GCC poison pthread_rwlock_rdlock pthread_rwlock_wrlock pthread_rwlock_tryrdlock pthread_rwlock_trywrlock
#pragma GCC poison pthread_cond_wait pthread_cond_timedwait pthread_cond_clockwait
#pragma GCC poison sem_wait sem_timedwait sem_clockwait sem_post
#endif
