// local_runtime_plugin.cpp -- a library that throws and catches (local_runtime.c).
#include <stdexcept>
#include <string>

extern "C" int count_caught(int times) {
  int caught = 0;
  for (int i = 0; i < times; ++i) {
    try {
      throw std::runtime_error("number " + std::to_string(i));
    } catch (const std::exception& error) {
      caught += error.what() == "number " + std::to_string(i);
    }
  }
  return caught;
}
