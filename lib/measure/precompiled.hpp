// precompiled.hpp -- what most files of the recorder include, compiled once for them; force-included by the Makefile.
#pragma once

#include "base/banned.hpp"

#include <algorithm>
#include <atomic>

#include "measure/core/runtime.hpp"
