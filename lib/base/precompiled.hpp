// precompiled.hpp -- what most files include, compiled once for all libraries and tools; force-included by the
// Makefile.
#pragma once

#include "base/banned.hpp"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>
