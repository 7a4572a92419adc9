// banned.hpp -- functions that must not compile anywhere in this tree; force-included by the Makefile.
#pragma once

#ifdef __cplusplus
#include <cstdio>
#include <cstdlib>
#include <cstring>
#endif
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Unbounded writes, silent conversions, and ends that skip our clean-up.
#pragma GCC poison gets strcpy strcat sprintf vsprintf strtok atoi atol atoll atof tmpnam mktemp
