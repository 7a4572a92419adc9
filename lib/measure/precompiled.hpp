// precompiled.hpp -- what most files of the recorder include, compiled once for them; force-included by the Makefile.
#pragma once

#include <algorithm>
#include <atomic>

#include "measure/core/runtime.hpp"

#include "measure/core/no_other_locks.hpp"
