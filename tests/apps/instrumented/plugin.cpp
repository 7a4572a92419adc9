// plugin.cpp -- a shared library that shapes.cpp loads, calls and unloads.
static double third(double value) { return value / 3; }
extern "C" double scaled(double value) { return third(value); }
