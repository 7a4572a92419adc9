// precompiled.hpp -- what most files of the analysis include, compiled once for them; force-included by the Makefile.
#pragma once

#include "base/banned.hpp"

#include <algorithm>

#include "analysis/waits/pattern.hpp"
